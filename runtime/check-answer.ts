import type { CheckAnswer } from './context.js';
import { type ValidationError, ValidationFailure } from './validation.js';

/** Finds what is wrong with an answer. */
export type ResponseValidator = (status: number, mediaType: string | undefined, data: unknown) => ValidationError[];

/** The generated validators of responses, by operation. */
export interface ResponseValidators {
  readonly responseValidators: Readonly<Record<string, ResponseValidator>>;
}

/**
 * Checks answers with validators that are loaded when the first answer is checked.
 *
 * @throws ValidationFailure where an answer is not as described.
 */
export function checkAnswersWith(load: () => Promise<ResponseValidators>): CheckAnswer {
  return async (operation, status, mediaType, data) => {
    const { responseValidators } = await load();
    const validator = Object.hasOwn(responseValidators, operation) ? responseValidators[operation] : undefined;
    const errors = validator?.(status, mediaType, data) ?? [];
    if (errors.length > 0) throw new ValidationFailure(`${operation} answered ${status}`, errors);
  };
}
