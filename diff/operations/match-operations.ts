import type { Operation } from '../../model/api.js';

/** Which operations of two APIs are the same ones, and which are new or gone. */
export interface OperationMatch {
  readonly pairs: readonly (readonly [Operation, Operation])[];
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
}

/** Whether the document gives an operation its id; else the model has made one of method and path. */
export function hasOwnId({ id, method, path }: Operation): boolean {
  return !id.startsWith(`${method} ${path}`);
}

/**
 * Finds the operations that belong together: by method and path, then by method and path without the names in the
 * template, then (an operation that has moved) by the id that its document gives it.
 */
export function matchOperations(old: readonly Operation[], next: readonly Operation[]): OperationMatch {
  const pairs: (readonly [Operation, Operation])[] = [];
  let removed = [...old];
  const added = new Set(next);
  for (const keyOf of [exactKey, templateKey, idKey]) {
    const byKey = new Map<string, Operation>();
    for (const operation of added) {
      const key = keyOf(operation);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, operation);
    }
    removed = removed.filter((was) => {
      const key = keyOf(was);
      const is = key === undefined ? undefined : byKey.get(key);
      if (key === undefined || is === undefined) return true;
      byKey.delete(key);
      added.delete(is);
      pairs.push([was, is]);
      return false;
    });
  }
  return { pairs, removed, added: [...added] };
}

function exactKey({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function templateKey({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

function idKey(operation: Operation): string | undefined {
  return hasOwnId(operation) ? operation.id : undefined;
}
