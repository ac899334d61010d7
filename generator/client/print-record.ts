import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';

/** Members of an object literal: the name as the document spells it, and the code of the value. */
export type RecordEntries = readonly (readonly [name: string, code: string])[];

/** An object literal on one line; `undefined` where it has no member. */
export function printRecord(entries: RecordEntries): string | undefined {
  return entries.length === 0 ? undefined : `{ ${entries.map(([name, code]) => `${printKey(name)}: ${code}`).join(', ')} }`;
}

/** In a literal, `__proto__` names a member only where it is computed. */
function printKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : toPropertyKey(name);
}

/** An array literal of strings and numbers; `undefined` where it is empty. */
export function printList(values: readonly (string | number)[]): string | undefined {
  return values.length === 0 ? undefined : `[${values.map((value) => (typeof value === 'number' ? String(value) : toStringLiteral(value))).join(', ')}]`;
}
