import { parseExactJson, stringifyExactJson } from '../runtime/json-integers.js';

/** Parses a text as JSON with all digits of its integers; `undefined` if it is not JSON. */
export function parseExactText(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** A value as JSON, with all digits of its integers; `none` if there is no value. */
export function showJson(value: unknown, none = 'nothing'): string {
  return value === undefined ? none : stringifyExactJson(value);
}

/** Whether two values are the same JSON, with the same order of members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Object.is(one, other) || stringifyExactJson(one) === stringifyExactJson(other);
}
