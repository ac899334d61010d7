import { HttpError } from '../../http/http-error.js';
import type { Violation } from '../../http/messages.js';

/** The control API refuses a request. The methods of a mock throw it too. */
export class ControlError extends HttpError {
  override readonly name: string = 'ControlError';
}

/** Refuses an invalid value. @param problem - the start of the sentence about the first error. */
export function refuseInvalid(
  problem: string,
  whole: string,
  errors: readonly Pick<Violation, 'pointer' | 'message'>[],
): ControlError {
  const violations = errors.map(({ pointer, message }) => ({ in: 'body', pointer, message }) as const);
  const [{ pointer, message } = { pointer: '', message: '' }] = violations;
  return new ControlError(422, `${problem}: ${pointer || whole} ${message}.`, { violations });
}

export function badInput(message: string, pointer = ''): ControlError {
  return new ControlError(422, message, { violations: [{ in: 'body', pointer, message }] });
}
