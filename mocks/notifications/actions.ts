import { type Action, type CallsOf, HttpError, type HandlerContext } from 'specmill/mock';

import { Reason, type Thread } from '../../generated/notifications/types.js';
import { createInbox, deliver, inLine } from './inboxes.js';
import { setPollInterval } from './polling.js';
import {
  EVERYONE,
  INBOXES,
  type InboxRecord,
  REPOSITORIES,
  SUBJECTS,
  SUBJECT_KEYS,
  type SubjectRecord,
  THREADS,
  type ThreadRecord,
  toRepositoryKey,
} from './records.js';
import { showThread } from './show-thread.js';

interface NotifyInput {
  readonly owner: string;
  readonly repo: string;
  readonly title: string;
  readonly type: string;
  readonly reason: Reason;
  /** Default: every inbox. */
  readonly user?: string;
}
interface ThreadInput {
  readonly threadId: string | number;
}

interface LoadInput {
  /** Seconds between two polls. */
  readonly pollInterval: number;
}

export type NotificationsActions = {
  /** Something happens that users are notified of. Returns the thread, as the others do. */
  readonly notify: Action<NotifyInput, Thread>;
  readonly comment: Action<ThreadInput, Thread>;
  readonly mention: Action<ThreadInput, Thread>;
  /** The load of the platform changes, and with it how often callers may poll. */
  readonly load: Action<LoadInput, LoadInput>;
};

declare module 'specmill/mock' {
  interface ActionsByApi {
    readonly notifications: CallsOf<NotificationsActions>;
  }
}

const TEXT = { type: 'string', minLength: 1 } as const;
const OF_THREAD = {
  type: 'object',
  required: ['threadId'],
  properties: { threadId: { type: ['string', 'integer'], pattern: '^[0-9]+$', description: 'The id of the thread.' } },
} as const;

/** Thread ids have as many digits as those of the examples. */
const FIRST_THREAD = 10_000_000_000;
const FIRST_COMMENT = 2_000_000_000;

export const actions: NotificationsActions = {
  notify: {
    description: 'A notification comes: of a new thread, or of a known one (same owner, repo, type and title).',
    input: {
      type: 'object',
      required: ['owner', 'repo', 'title', 'type', 'reason'],
      properties: {
        owner: { ...TEXT, description: 'Who owns the repository.' },
        repo: { ...TEXT, description: 'The repository, without .git.' },
        title: { ...TEXT, description: 'The title of the issue, pull request or commit.' },
        type: { ...TEXT, description: 'The type of the subject, such as Issue, PullRequest or Commit.' },
        reason: { enum: Object.values(Reason), description: 'Why the notification comes.' },
        user: {
          ...TEXT,
          description: 'The token, or the account, of the one inbox. Default: every inbox, later ones included.',
        },
      },
    },
    run: (context, input) =>
      inLine(context, async () => {
        const subject = await findOrAddSubject(context, input);
        return send(context, subject, { reason: input.reason, inboxes: await inboxesOf(context, input.user) });
      }),
  },
  comment: {
    description:
      'A comment is written in a thread: a notification with the reason comment, in every inbox that has it. Ends ignoring and muting.',
    input: OF_THREAD,
    run: (context, input) => inLine(context, () => say(context, input, 'comment')),
  },
  mention: {
    description:
      'A comment mentions the reader in a thread: a notification with the reason mention, in every inbox that has it. Ends ignoring and muting.',
    input: OF_THREAD,
    run: (context, input) => inLine(context, () => say(context, input, 'mention')),
  },
  load: {
    description:
      'The platform is under load: X-Poll-Interval is as many seconds, and a caller that polls a list again before gets 422. 60 ends it.',
    input: {
      type: 'object',
      required: ['pollInterval'],
      properties: { pollInterval: { type: 'integer', minimum: 60, maximum: 86_400 } },
    },
    run: async (context, { pollInterval }) => {
      await setPollInterval(context, pollInterval);
      return { pollInterval };
    },
  },
};

async function findOrAddSubject(
  context: HandlerContext,
  { owner, repo, title, type }: NotifyInput,
): Promise<SubjectRecord> {
  const repository = toRepositoryKey(owner, repo);
  const key = JSON.stringify([repository, type, title]);
  const keys = context.collection<string>(SUBJECT_KEYS);
  const subjects = context.collection<SubjectRecord>(SUBJECTS);
  const known = await subjects.get((await keys.get(key)) ?? '');
  if (known !== undefined) return known;
  const repositories = context.collection<{ owner: string; repo: string }>(REPOSITORIES);
  const named = (await repositories.get(repository)) ?? { owner, repo };
  await repositories.put(repository, named);
  const threadId = String(FIRST_THREAD + (await context.next('threads')));
  const number = await context.next(`numbers ${repository}`);
  const ref = type === 'Commit' ? Buffer.from(context.random.bytes(20)).toString('hex') : String(number);
  const subject = { threadId, ...named, type, title, ref, latestComment: null };
  await subjects.put(threadId, subject);
  await keys.put(key, threadId);
  return subject;
}

/** The inboxes that a notification goes to. Missing ones are created. */
async function inboxesOf(context: HandlerContext, user: string | undefined): Promise<readonly string[]> {
  if (user === undefined) await createInbox(context, { id: EVERYONE, account: EVERYONE });
  const { items } = await context.collection<InboxRecord>(INBOXES).query();
  if (user === undefined) return items.map(({ id }) => id);
  const own = items.filter(({ value: { id, account } }) => id === user || account === user).map(({ id }) => id);
  return own.length > 0 ? own : [(await createInbox(context, { id: user, account: user })).id];
}

async function say(context: HandlerContext, { threadId }: ThreadInput, reason: Reason): Promise<Thread> {
  const subjects = context.collection<SubjectRecord>(SUBJECTS);
  const known = await subjects.get(String(threadId));
  const { items } = await context
    .collection<ThreadRecord>(THREADS)
    .query({ where: [{ path: 'id', test: 'equals', value: String(threadId) }] });
  if (known === undefined || items.length === 0) throw new HttpError(404, `There is no thread ${threadId}.`);
  const subject = { ...known, latestComment: FIRST_COMMENT + (await context.next('comments')) };
  await subjects.put(known.threadId, subject);
  return send(context, subject, { reason, inboxes: items.map(({ value }) => value.inbox) });
}

/** Delivers to each inbox. Returns the thread as the first inbox that a caller has opened shows it. */
async function send(
  context: HandlerContext,
  subject: SubjectRecord,
  { reason, inboxes }: { readonly reason: Reason; readonly inboxes: readonly string[] },
): Promise<Thread> {
  const threads: ThreadRecord[] = [];
  for (const inbox of inboxes) threads.push(await deliver(context, subject, { inbox, reason }));
  const shown = threads.find(({ inbox }) => inbox !== EVERYONE) ?? threads[0];
  if (shown === undefined) throw new HttpError(422, 'There is no inbox.');
  return showThread(shown, subject, context.baseUrl);
}
