import { SAYS_TAKEN } from '../../resources/unique-members.js';
import type { Exchange } from '../types.js';

/** Whether a request was refused because another item has its value, or because of an item's state. */
export function isConflict({ status, text }: Pick<Exchange, 'status' | 'text'>): boolean {
  return status === 409 || ((status === 400 || status === 422) && SAYS_TAKEN.test(text));
}
