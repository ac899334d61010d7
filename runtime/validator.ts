import type { StandardIssue, StandardSchema } from './standard-schema.js';
import { type Check, type ValidationError, type ValidationResult, findErrors } from './validation.js';

/** Checks a value: the result is the value with its type, or its errors. Also a Standard Schema. */
export interface Validator<T> extends StandardSchema<T> {
  (value: unknown): ValidationResult<T>;
}

/** A validator of requests; one without parts can be left out. */
export interface RequestValidator<T> extends StandardSchema<T> {
  (request?: unknown): ValidationResult<T>;
}

/** Makes a validator of a check. */
export function createValidator<T>(check: Check): Validator<T> {
  const validate = (value: unknown): ValidationResult<T> => toResult(value as T, findErrors(check, value));
  return Object.assign(validate, { '~standard': toStandard(validate) });
}

/** Makes a validator of requests of a check. */
export function createRequestValidator<T>(check: Check): RequestValidator<T> {
  const validate = (request: unknown = {}): ValidationResult<T> => toResult(request as T, findErrors(check, request));
  return Object.assign(validate, { '~standard': toStandard(validate) });
}

/** The result for a value with these errors. */
export function toResult<T>(value: T, errors: ValidationError[]): ValidationResult<T> {
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

/** The interface of Standard Schema for a validator. */
export function toStandard<T>(validate: (value: unknown) => ValidationResult<T>): StandardSchema<T>['~standard'] {
  return {
    version: 1,
    vendor: 'specmill',
    validate: (value) => {
      const result = validate(value);
      return result.ok ? { value: result.value } : { issues: result.errors.map((error) => toIssue(error, value)) };
    },
  };
}

/** Indexes of arrays become numbers. */
function toIssue({ pointer, message }: ValidationError, root: unknown): StandardIssue {
  let value = root;
  const path = pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = segment.replace(/~1/g, '/').replace(/~0/g, '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[step];
      return step;
    });
  return { message, path };
}
