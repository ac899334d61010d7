import { HttpError, type Violation } from 'specmill/mock';

import type { ErrorCode } from '../../generated/signing/types.js';

interface Reason {
  readonly status: 400 | 404 | 409;
  readonly errorCode: ErrorCode;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the state of a case, or a rule about several members, does not allow. */
export function refuse(message: string, { status, errorCode, violations = [] }: Reason): HttpError {
  return new HttpError(status, message, { details: { errorCode, ...(violations.length === 0 ? {} : { violations }) } });
}

export function caseNotFound(id: string): HttpError {
  return refuse(`There is no case ${id}.`, { status: 404, errorCode: 'caseNotFound' });
}

export function partyNotFound(partyId: string): HttpError {
  return refuse(`The case has no party ${partyId}.`, { status: 404, errorCode: 'partyNotFound' });
}
