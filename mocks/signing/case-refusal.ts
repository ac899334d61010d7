import type { ErrorCode } from '../../generated/signing/types.js';
import type { Violation } from '../../http/messages.js';

/** A request that the state of a case, or a rule about several members, does not allow. */
export class CaseRefusal extends Error {
  override readonly name = 'CaseRefusal';
  readonly status: 400 | 404 | 409;
  readonly errorCode: ErrorCode;
  readonly violations: readonly Violation[];

  constructor(
    message: string,
    reason: {
      readonly status: 400 | 404 | 409;
      readonly errorCode: ErrorCode;
      readonly violations?: readonly Violation[];
    },
  ) {
    super(message);
    this.status = reason.status;
    this.errorCode = reason.errorCode;
    this.violations = reason.violations ?? [];
  }
}

export function caseNotFound(id: string): CaseRefusal {
  return new CaseRefusal(`There is no case ${id}.`, { status: 404, errorCode: 'caseNotFound' });
}

export function partyNotFound(partyId: string): CaseRefusal {
  return new CaseRefusal(`The case has no party ${partyId}.`, { status: 404, errorCode: 'partyNotFound' });
}
