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

/** The result of a validator. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ValidationError[] };

/** Thrown for a value that does not match its schema. */
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

/** The errors of a value that are collected; a check stops when there are as many. */
export const MAX_ERRORS = 100;

/** Where checks put errors. Absent: the caller only asks whether there is one. */
export type Out = ValidationError[] | undefined;

/** The members and items of a value that some keyword has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<string | number>;

/**
 * A generated check of `data`, which is at `path` of the whole value. Returns true if the check stops early: at the first
 * error without `out`, or when `out` is full. So `check(data)` is true for a value that is not valid.
 */
export type Check = (data: unknown, path?: string, out?: Out, evaluated?: Evaluated) => boolean;

/** Adds an error. Returns whether the check stops. */
export function fail(out: Out, pointer: string, keyword: string, params: Readonly<Record<string, unknown>>): boolean {
  return (
    out === undefined || out.push({ pointer, message: describeFailure(keyword, params), keyword, params }) >= MAX_ERRORS
  );
}

/** Adds an error of a wrong type. */
export function failType(out: Out, pointer: string, type: string | readonly string[]): boolean {
  return fail(out, pointer, 'type', { type });
}

/** Adds an error of a member that is missing. */
export function failRequired(out: Out, pointer: string, missingProperty: string): boolean {
  return fail(out, pointer, 'required', { missingProperty });
}

/** The errors of a value: none if it is valid, at most {@link MAX_ERRORS}. */
export function findErrors(check: Check, value: unknown): ValidationError[] {
  const errors: ValidationError[] = [];
  if (check(value)) check(value, '', errors);
  return errors;
}

/**
 * Returns only for a valid value.
 *
 * @throws ValidationFailure with all errors.
 */
export function assertValid(check: Check, value: unknown, subject: string): void {
  const errors = findErrors(check, value);
  if (errors.length > 0) throw new ValidationFailure(subject, errors);
}
