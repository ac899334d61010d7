import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';

/** Members of an object literal: the name as the document spells it, and the code of the value. */
export type RecordEntries = readonly (readonly [name: string, code: string])[];

const MAX_WIDTH = 100;

/**
 * An object literal, on one line where it is short; `undefined` where it has no member.
 *
 * @param indent - That of the line on which the literal starts.
 */
export function printRecord(entries: RecordEntries, indent: string): string | undefined {
  if (entries.length === 0) return undefined;
  const members = entries.map(([name, code]) => `${printKey(name)}: ${code}`);
  const line = `{ ${members.join(', ')} }`;
  if (line.length <= MAX_WIDTH && !line.includes('\n')) return line;
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

/** In a literal, `__proto__` names a member only where it is computed. */
function printKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : toPropertyKey(name);
}

/** An array literal of strings and numbers; `undefined` where it is empty. */
export function printList(values: readonly (string | number)[]): string | undefined {
  return values.length === 0
    ? undefined
    : `[${values.map((value) => (typeof value === 'number' ? String(value) : toStringLiteral(value))).join(', ')}]`;
}
