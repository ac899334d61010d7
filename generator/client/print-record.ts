import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';

/** Members of an object literal: the name as in the document, and the code of the value. */
export type RecordEntries = readonly (readonly [name: string, code: string])[];

const MAX_WIDTH = 100;

/**
 * Prints an object literal, on one line if it is short; `undefined` if it has no member.
 *
 * @param indent - The indentation of the line on which the literal starts.
 */
export function printRecord(entries: RecordEntries, indent: string): string | undefined {
  if (entries.length === 0) return undefined;
  const members = entries.map(([name, code]) => `${printKey(name)}: ${code}`);
  const line = `{ ${members.join(', ')} }`;
  if (line.length <= MAX_WIDTH && !line.includes('\n')) return line;
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

/** Prints the key of a literal. `__proto__` must be computed to be a member. */
function printKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : toPropertyKey(name);
}

/** Prints an array literal of strings and numbers; `undefined` if it is empty. */
export function printList(values: readonly (string | number)[]): string | undefined {
  return values.length === 0
    ? undefined
    : `[${values.map((value) => (typeof value === 'number' ? String(value) : toStringLiteral(value))).join(', ')}]`;
}
