import type { JsonSchema } from 'specmill/mock';

import { INBOXES, REPOSITORIES, SUBJECT_KEYS, SUBJECTS, THREADS } from './records.js';

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const FLAG = { type: 'boolean' } as const;

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

const SUBSCRIPTION: JsonSchema = {
  oneOf: [
    record({ state: { enum: ['absent', 'muted'] } }),
    record({ state: { const: 'subscribed' }, reason: { $ref: '#/$defs/Reason' }, createdAt: NUMBER }),
    record({ state: { const: 'ignored' }, createdAt: NUMBER }),
  ],
};

/** The schemas that restored items must fit, since handlers rely on their members. */
export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  [SUBJECTS]: record({
    threadId: TEXT,
    owner: TEXT,
    repo: TEXT,
    type: TEXT,
    title: TEXT,
    ref: TEXT,
    latestComment: { type: ['number', 'null'] },
  }),
  [SUBJECT_KEYS]: TEXT,
  [REPOSITORIES]: record({ owner: TEXT, repo: TEXT }),
  [INBOXES]: record({ id: TEXT, account: TEXT, modified: NUMBER, since: NUMBER }),
  [THREADS]: record({
    id: TEXT,
    inbox: TEXT,
    repository: TEXT,
    reason: { $ref: '#/$defs/Reason' },
    unread: FLAG,
    done: FLAG,
    updatedAt: NUMBER,
    lastReadAt: { type: ['number', 'null'] },
    modified: NUMBER,
    subscription: SUBSCRIPTION,
    subscriptionModified: NUMBER,
  }),
  'rate-counters': record({ points: NUMBER, endsAt: NUMBER }),
  polling: NUMBER,
};
