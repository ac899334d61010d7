import { isEqual, isListedInAnyCase } from './equal.js';
import { ucs2Length } from './ucs2-length.js';
import { type ValidationError, fail } from './validation.js';

/** Adds an error for each name that an object has no member of. `undefined` is no JSON value, so such a member is not there. */
export function require(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
  pointer: string,
  out: ValidationError[],
): void {
  for (const name of names) {
    if (object[name] === undefined || !Object.hasOwn(object, name))
      fail(out, pointer, 'required', { missingProperty: name });
  }
}

/** Adds an error where a value is not in a list. */
export function allow(value: unknown, list: readonly unknown[], pointer: string, out: ValidationError[]): void {
  if (!list.some((item) => isEqual(item, value))) fail(out, pointer, 'enum', { allowedValues: list });
}

/** {@link allow}, with texts compared without regard to letter case. */
export function allowAnyCase(value: unknown, list: readonly unknown[], pointer: string, out: ValidationError[]): void {
  if (!isListedInAnyCase(list, value)) fail(out, pointer, 'enum', { allowedValues: list });
}

/** Adds an error where a text is shorter than a limit. */
export function minLength(text: string, limit: number, pointer: string, out: ValidationError[]): void {
  if (ucs2Length(text) < limit) fail(out, pointer, 'minLength', { limit });
}

/** Adds an error where a text is longer than a limit. It has no more code points than units, so those are counted first. */
export function maxLength(text: string, limit: number, pointer: string, out: ValidationError[]): void {
  if (text.length > limit && ucs2Length(text) > limit) fail(out, pointer, 'maxLength', { limit });
}
