import type { JsonSchema } from 'specmill/mock';

const TEXT = { type: 'string' } as const;
const WITH_ID: JsonSchema = { type: 'array', items: { required: ['Id'] } };

/** The schema that a restored case or template must fit, since handlers rely on its members: a `CaseRecord`. */
export const RECORD_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['fields', 'createdKey', 'nameKey', 'creator', 'progress', 'approvals'],
  properties: {
    fields: {
      $ref: '#/$defs/Case',
      required: [
        'Id',
        'Status',
        'Name',
        'NameAlias',
        'Description',
        'Parties',
        'Documents',
        'AllowedSignatureTypes',
        'AgentUsername',
        'AgentUsernameType',
        'Stakeholders',
        'Approvers',
        'Metadata',
        'NotificationMethods',
        'CreatedOn',
      ],
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

/** The schema of a restored `SentNotification`. */
export const NOTIFICATION_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['role', 'method', 'address', 'kind', 'caseId', 'sentOn', 'culture'],
  properties: { role: TEXT, method: TEXT, address: TEXT, kind: TEXT, caseId: TEXT, sentOn: TEXT, culture: TEXT },
};
