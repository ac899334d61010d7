import type { Operation } from '../../model/api.js';
import type { Violation } from '../messages.js';
import { HttpError } from '../http-error.js';

/** A violation of a request, with what its refusal needs beyond it. */
export interface RequestViolation {
  readonly violation: Violation;
  /** Overrides the default 400 or 422. */
  readonly status?: number;
  /** For 401: the value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/**
 * How violations are refused: 422 where the operation documents it, a more exact status such as 413 or 415 where the cause has one,
 * else 400. A caller without access learns nothing else.
 */
export function refusalOf(found: readonly RequestViolation[], operation: Operation): HttpError {
  const security = found.find(({ violation }) => violation.in === 'security');
  if (security !== undefined) {
    const headers = security.challenge === undefined ? {} : { 'www-authenticate': security.challenge };
    return new HttpError(security.status ?? 401, security.violation.message, {
      violations: [security.violation],
      headers,
    });
  }
  const violations = found.map(({ violation }) => violation);
  return new HttpError(statusOf(found, operation), 'Request does not match the specification.', { violations });
}

function statusOf(found: readonly RequestViolation[], { responses }: Operation): number {
  const documents = (status: string): boolean => responses.some((response) => response.status === status);
  const better = found.find(({ status }) => status !== undefined)?.status;
  // An unreadable body is a bad request, unless the document has only the other status.
  if (better !== undefined && (better !== 400 || documents('400'))) return better;
  return documents('422') ? 422 : 400;
}
