import type { JsonSchema } from 'specmill/mock';

import type { Reason } from '../../generated/notifications/types.js';

/** The subject of a thread; the same for all inboxes. Collection `subjects`, by thread id. */
export interface SubjectRecord {
  readonly threadId: string;
  readonly owner: string;
  readonly repo: string;
  readonly type: string;
  readonly title: string;
  /** Number or hash within its repository. */
  readonly ref: string;
  readonly latestComment: number | null;
}

/** Whose threads: one for each token. Collection `inboxes`, by its id. */
export interface InboxRecord {
  /** The token; {@link EVERYONE} for tokens that have not called yet. */
  readonly id: string;
  readonly account: string;
  /** The `Last-Modified` of the inbox: epoch seconds. Grows with each notification, even ahead of the clock. */
  readonly modified: number;
  /** The `Last-Modified` of an empty list, in epoch seconds. */
  readonly since: number;
}

/** How a caller follows a thread; `muted`: the subscription was deleted. Times in epoch milliseconds. */
export type Subscription =
  | { readonly state: 'absent' }
  | { readonly state: 'muted' }
  | { readonly state: 'subscribed'; readonly reason: Reason; readonly createdAt: number }
  | { readonly state: 'ignored'; readonly createdAt: number };

export interface ThreadRecord {
  readonly id: string;
  readonly inbox: string;
  /** `owner/repo` in lower case. */
  readonly repository: string;
  readonly reason: Reason;
  readonly unread: boolean;
  readonly done: boolean;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  readonly lastReadAt: number | null;
  /** When its newest notification came, as `Last-Modified` tells: epoch seconds. */
  readonly modified: number;
  readonly subscription: Subscription;
  /** The same for the subscription. */
  readonly subscriptionModified: number;
}

export const SUBJECTS = 'subjects';
/** Thread ids by subject (issue, pull request). */
export const SUBJECT_KEYS = 'subject-keys';
/** Known repositories: `owner/repo` in lower case. */
export const REPOSITORIES = 'repositories';
export const INBOXES = 'inboxes';
export const THREADS = 'threads';

/** The inbox that each new one starts as a copy of. No token is empty. */
export const EVERYONE = '';

export function toRepositoryKey(owner: string, repo: string): string {
  return `${owner}/${repo}`.toLowerCase();
}

export function toThreadKey(inbox: string, threadId: string): string {
  return `${threadId} ${inbox}`;
}

/** The reasons of those who take part directly or are mentioned (x-assumption of the parameter `participating`). */
export const PARTICIPATING: ReadonlySet<Reason> = new Set<Reason>([
  'approval_requested',
  'assign',
  'author',
  'comment',
  'manual',
  'mention',
  'review_requested',
  'security_advisory_credit',
  'state_change',
  'team_mention',
]);

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
