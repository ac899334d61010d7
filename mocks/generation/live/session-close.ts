import { HttpError } from 'specmill/mock';

/**
 * A message is rejected: the connection closes. 1007: malformed or misplaced; 1008: its token, model or resource is
 * refused; 1011: a failure of the service.
 */
export class SessionClose extends Error {
  override readonly name = 'SessionClose';
  readonly code: 1007 | 1008 | 1011;

  constructor(code: 1007 | 1008 | 1011, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** How a failure closes the connection; `undefined` where it is a bug of the mock. */
export function toClose(error: unknown): SessionClose | undefined {
  if (error instanceof SessionClose) return error;
  if (!HttpError.is(error)) return undefined;
  if (error.status >= 500) return new SessionClose(1011, error.message);
  return new SessionClose(error.details['violations'] === undefined ? 1008 : 1007, error.message);
}
