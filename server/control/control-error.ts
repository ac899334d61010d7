import { HttpError } from '../../http/http-error.js';
import type { Violation } from '../../http/messages.js';

/** The control API refuses a request. The methods of a mock throw it too. */
export class ControlError extends HttpError {
  override readonly name: string = 'ControlError';
}

/** Refuses a request for its violations. The message names the first one. */
export function refuseInvalid(violations: readonly Violation[], status = 422): ControlError {
  const [{ in: part, pointer, message } = { in: 'body', pointer: '', message: '' }] = violations;
  return new ControlError(status, `The ${part} is invalid: ${pointer || 'it'} ${message}.`, { violations });
}

export function badInput(message: string, pointer = ''): ControlError {
  return new ControlError(422, message, { violations: [{ in: 'body', pointer, message }] });
}
