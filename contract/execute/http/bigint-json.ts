import { writeExactJson } from '../../../runtime/json-integers.js';

/** Writes a value as JSON, whole numbers beyond the precision of doubles (`bigint`) included. */
export function toJsonText(value: unknown): string {
  return writeExactJson(value) ?? 'null';
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
