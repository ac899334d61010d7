import type { Operation } from '../../model/api.js';
import type { Exchange } from '../types.js';

/** Whether the spec says that an operation may fail like this: 501, or 503 while it is busy. A 500 is always a bug. */
export function isDocumentedFailure({ status }: Exchange, { responses }: Operation): boolean {
  return status > 500 && responses.some((one) => one.status === String(status) || one.status.toUpperCase() === '5XX');
}
