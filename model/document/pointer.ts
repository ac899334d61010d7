import { appendPointer, decodeLeniently } from '../../runtime/pointer.js';

export { appendPointer, decodeLeniently } from '../../runtime/pointer.js';

/** The JSON pointer of a path. `['paths', '/a', 0]` -> `/paths/~1a/0`. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.reduce<string>(appendPointer, '');
}

/** The segments of a JSON pointer, unescaped. `/paths/~1a` -> `['paths', '/a']`. */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The own member or item that one segment names, or `undefined`. */
export function stepInto(value: unknown, segment: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  if (Array.isArray(value) && segment === 'length') return undefined;
  return (value as Record<string, unknown>)[segment];
}

/** The value that a JSON pointer names inside a document, or `undefined`. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce(stepInto, root);
}

/** The value at a path of member names and indexes, or `undefined`. */
export function valueAtPath(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => stepInto(value, String(key)), root);
}

/** Converts a URI fragment (`/a%20b`, without the `#`) to a JSON pointer. */
export function fragmentToPointer(fragment: string): string {
  return decodeLeniently(fragment);
}
