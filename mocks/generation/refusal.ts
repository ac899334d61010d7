import { HttpError, type Violation } from 'specmill/mock';

import type { ErrorStatus } from '../../generated/generation/types.js';

interface Reason {
  /** Default: 400. */
  readonly status?: 400 | 401 | 404 | 409 | 500 | 503;
  /** Default: the canonical code of the status. */
  readonly code?: ErrorStatus;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the model, a file, a setting or the state does not allow. */
export function refuse(message: string, { status = 400, code, violations = [] }: Reason = {}): HttpError {
  return new HttpError(status, message, {
    details: { ...(code === undefined ? {} : { status: code }), ...(violations.length > 0 ? { violations } : {}) },
  });
}

export function notFound(what: string): HttpError {
  return refuse(`${what} was not found.`, { status: 404 });
}

/** A member of the body breaks a rule that no schema can express. */
export function refuseMember(pointer: string, name: string, problem: string): HttpError {
  return refuse(`${name} ${problem}.`, { violations: [{ in: 'body', pointer, message: problem }] });
}
