import { HttpError } from '../../http/http-error.js';

/** The control API refuses a request; the message is one plain sentence. Methods of a mock throw it too. */
export class ControlError extends HttpError {
  override readonly name: string = 'ControlError';
}

export function badInput(message: string, pointer = ''): ControlError {
  return new ControlError(422, message, { violations: [{ in: 'body', pointer, message }] });
}
