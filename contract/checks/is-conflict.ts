import type { Exchange } from '../types.js';

/** Matches a refusal because another item has the value. */
export const SAYS_TAKEN: RegExp = /taken|already|exists|duplicate|unique|in use/i;

/** Whether a request was refused because another item has its value, or because of an item's state. */
export function isConflict({ status, text }: Pick<Exchange, 'status' | 'text'>): boolean {
  return status === 409 || ((status === 400 || status === 422) && SAYS_TAKEN.test(text));
}
