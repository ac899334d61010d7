import { describeFailure } from './validation-messages.js';

/** What is wrong with a value, and where. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  /** What the value must be, such as `must be string`. */
  readonly message: string;
  /** The JSON Schema keyword that failed, such as `type`. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The answer of a validator. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ValidationError[] };

/** Thrown where a value is not what it must be. */
export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure';
  readonly errors: readonly ValidationError[];

  /** @param subject - what is not valid, such as the name of its schema. */
  constructor(subject: string, errors: readonly ValidationError[]) {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(
      first === undefined
        ? `${subject}: not valid`
        : `${subject}: ${first.pointer === '' ? 'the value' : first.pointer} ${first.message}${more}`,
    );
    this.errors = errors;
  }
}

/** Where checks put what they find. */
export type Out = ValidationError[];

/** A generated check: adds to `out` what is wrong with `data`, which stands at `path` in the whole value. */
export type Check = (data: unknown, path: string, out: Out) => void;

/** Adds an error. */
export function fail(
  out: ValidationError[],
  pointer: string,
  keyword: string,
  params: Readonly<Record<string, unknown>>,
): void {
  out.push({ pointer, message: describeFailure(keyword, params), keyword, params });
}

/** Adds an error of a wrong type: by far the most frequent call. */
export function failType(out: ValidationError[], pointer: string, type: string | readonly string[]): void {
  fail(out, pointer, 'type', { type });
}

/** All that is wrong with a value. */
export function findErrors(check: Check, value: unknown): ValidationError[] {
  const errors: ValidationError[] = [];
  check(value, '', errors);
  return errors;
}

/** Whether nothing is wrong with a value. */
export function passes(check: Check, value: unknown): boolean {
  return findErrors(check, value).length === 0;
}

/** The value with its type, or what is wrong with it. */
export function validate<T>(check: Check, value: unknown): ValidationResult<T> {
  const errors = findErrors(check, value);
  return errors.length === 0 ? { ok: true, value: value as T } : { ok: false, errors };
}

/**
 * Returns only where nothing is wrong with a value.
 *
 * @throws ValidationFailure with all errors.
 */
export function assertValid(check: Check, value: unknown, subject: string): void {
  const errors = findErrors(check, value);
  if (errors.length > 0) throw new ValidationFailure(subject, errors);
}
