import type { Exchange } from '../types.js';

/** A text of a refusal that is about a value that something else has. */
export const SAYS_TAKEN: RegExp = /taken|already|exists|duplicate|unique|in use/i;

/** Whether a request was refused because something else has a value of it, or for the state of an item. */
export function isTaken({ status, text }: Pick<Exchange, 'status' | 'text'>): boolean {
  return status === 409 || ((status === 400 || status === 422) && SAYS_TAKEN.test(text));
}
