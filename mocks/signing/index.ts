import { type DefinedMock, defineMock, type HandlerContext, HttpError, type JsonSchema } from 'specmill/mock';

import type { SigningOperations } from '../../generated/signing/types.js';
import { accountName } from './accounts.js';
import { actions, type SigningActions } from './actions.js';
import { CASES, FILLED_MEMBERS, TEMPLATES } from './case-record.js';
import { operations } from './operations.js';
import { NOTIFICATIONS } from './notifications.js';
import { seedTemplates } from './templates.js';
import { type CaseJobName, type CaseTurn, changeCase } from './change-case.js';
import { expire, finish, make, remindAutomatically } from './transitions.js';

const TEXT = { type: 'string' } as const;
const WITH_ID: JsonSchema = { type: 'array', items: { required: ['Id'] } };

/** The schema of a restored case or template (a `CaseRecord`), because handlers rely on its members. */
const RECORD_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['fields', 'createdKey', 'nameKey', 'creator', 'progress', 'approvals'],
  properties: {
    fields: {
      $ref: '#/$defs/Case',
      required: [...FILLED_MEMBERS, 'Parties', 'Documents'],
      properties: { Parties: WITH_ID, Documents: WITH_ID },
    },
    createdKey: TEXT,
    nameKey: TEXT,
    creator: TEXT,
    temporary: {
      type: 'object',
      required: ['id', 'until'],
      properties: { id: { $ref: '#/$defs/TemporaryId' }, until: { type: 'number' } },
    },
    progress: {
      type: 'array',
      items: {
        type: 'object',
        required: ['partyId'],
        properties: { partyId: TEXT, outcome: { enum: ['signed', 'signedOnPaper', 'notSigned'] } },
      },
    },
    approvals: { type: 'array', items: { $ref: '#/$defs/Stakeholder' } },
    sentAt: { type: 'number' },
  },
};

const NOTIFICATION_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['role', 'method', 'address', 'kind', 'caseId', 'sentOn', 'culture'],
  properties: { role: TEXT, method: TEXT, address: TEXT, kind: TEXT, caseId: TEXT, sentOn: TEXT, culture: TEXT },
};

type Job = (context: HandlerContext, payload: { readonly caseId: string }) => Promise<void>;

/** Returns a job that changes a case, if it still exists. */
function changing(change: (turn: CaseTurn) => void): Job {
  return async (context, { caseId }) => {
    try {
      await changeCase(context, caseId, change);
    } catch (error) {
      if (!HttpError.is(error)) throw error;
    }
  };
}

const jobs: Readonly<Record<CaseJobName, Job>> = {
  make: changing(make),
  expire: changing(expire),
  remind: changing(remindAutomatically),
  finish: changing(finish),
};

/** Electronic signing cases. */
export const mock: DefinedMock<SigningActions> = defineMock<SigningOperations, SigningActions>('signing', {
  stateBy: accountName,
  seed: seedTemplates,
  items: { [CASES]: RECORD_SCHEMA, [TEMPLATES]: RECORD_SCHEMA, [NOTIFICATIONS]: NOTIFICATION_SCHEMA },
  operations,
  actions,
  jobs,
});
