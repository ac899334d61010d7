import type { Operation } from '../../model/api.js';
import { type Match, matchByKey } from '../match-by-key.js';

/** Whether the document gives an operation its id; else the model has made one of method and path. */
export function hasOwnId({ id, method, path }: Operation): boolean {
  return !id.startsWith(`${method} ${path}`);
}

/** A path without the names in its template. */
export function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/**
 * Finds the operations that belong together: by method and path, then by method and path without the names in the
 * template, then (an operation that has moved) by the id that its document gives it.
 */
export function matchOperations(old: readonly Operation[], next: readonly Operation[]): Match<Operation> {
  const exact = matchByKey(old, next, ({ method, path }) => `${method} ${path}`);
  const shaped = matchByKey(exact.removed, exact.added, ({ method, path }) => `${method} ${shapeOfPath(path)}`);
  const moved = matchByKey(shaped.removed, shaped.added, (one) => (hasOwnId(one) ? one.id : undefined));
  return { ...moved, pairs: [...exact.pairs, ...shaped.pairs, ...moved.pairs] };
}
