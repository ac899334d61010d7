import { GenerationRefusal } from '../refusal.js';

/**
 * A message is rejected: the connection closes. 1007: malformed or misplaced; 1008: its token, model or resource is
 * refused.
 */
export class SessionClose extends Error {
  override readonly name = 'SessionClose';
  readonly code: 1007 | 1008;

  constructor(code: 1007 | 1008, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** How a failure closes the connection; what is a bug is thrown on. */
export function toClose(error: unknown): SessionClose {
  if (error instanceof SessionClose) return error;
  if (error instanceof GenerationRefusal)
    return new SessionClose(error.violations.length > 0 ? 1007 : 1008, error.message);
  throw error;
}
