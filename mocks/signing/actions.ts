import { type Action, type CallsOf, type HandlerContext, HttpError, type JsonSchema } from 'specmill/mock';

import type { CaseRead } from '../../generated/signing/types.js';
import { type CaseTurn, changeCase } from './change-case.js';
import { showCase } from './show-case.js';
import { approve, reject, sign } from './transitions.js';

interface CaseInput {
  readonly caseId: string;
}
interface PartyInput extends CaseInput {
  readonly partyId: string;
}

const CASE_ID = { type: 'string', format: 'uuid', description: 'The Id of the case.' } as const;
const OF_CASE: JsonSchema = { type: 'object', required: ['caseId'], properties: { caseId: CASE_ID } };
const OF_PARTY: JsonSchema = {
  type: 'object',
  required: ['caseId', 'partyId'],
  properties: { caseId: CASE_ID, partyId: { type: 'string', description: 'The Id of the party within the case.' } },
};

/** Changes a case from outside, and returns it with its actual status, without read compatibility. */
async function act(context: HandlerContext, caseId: string, change: (turn: CaseTurn) => void): Promise<CaseRead> {
  try {
    const record = await changeCase(context, caseId, change);
    return showCase(record, { now: context.clock.now(), withSigned: true, withPendingApproval: true, withHash: true });
  } catch (error) {
    if (!HttpError.is(error)) throw error;
    // With 404, the next account would be tried, which cannot have this party either.
    throw new HttpError(error.details['errorCode'] === 'caseNotFound' ? 404 : 422, error.message);
  }
}

export type SigningActions = {
  /** A party signs. Returns the changed case, like the other actions. */
  readonly sign: Action<PartyInput, CaseRead>;
  readonly reject: Action<PartyInput, CaseRead>;
  readonly approve: Action<CaseInput, CaseRead>;
};

declare module 'specmill/mock' {
  interface ActionsByApi {
    readonly signing: CallsOf<SigningActions>;
  }
}

/** Events of the outside world that change cases. */
export const actions: SigningActions = {
  sign: {
    description: 'A party signs. With SignInSequence only the next party can.',
    input: OF_PARTY,
    run: (context, { caseId, partyId }) => act(context, caseId, (turn) => sign(turn, partyId)),
  },
  reject: {
    description: 'A party rejects the case.',
    input: OF_PARTY,
    run: (context, { caseId, partyId }) => act(context, caseId, (turn) => reject(turn, partyId)),
  },
  approve: {
    description:
      'An approver approves. With ApprovalType requireall each call is the next approver, and the last one sends the case; else the first does.',
    input: OF_CASE,
    run: (context, { caseId }) => act(context, caseId, approve),
  },
};
