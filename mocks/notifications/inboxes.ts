import { type Caller, type HandlerContext, inTurn } from 'specmill/mock';

import type { Reason } from '../../generated/notifications/types.js';
import {
  EVERYONE,
  INBOXES,
  type InboxRecord,
  PARTICIPATING,
  type SubjectRecord,
  type Subscription,
  THREADS,
  type ThreadRecord,
  toRepositoryKey,
  toThreadKey,
} from './records.js';

type Context = Pick<HandlerContext, 'collection' | 'clock' | 'memory'>;

/** Openings and deliveries are one after another, so that no notification misses an inbox that is being opened. */
export function inLine<T>(context: Context, work: () => Promise<T>): Promise<T> {
  return inTurn(context, 'inboxes', work);
}

/** The inbox of a caller. A new one starts with the threads sent to everyone, or with those that wait for its account. */
export async function openInbox(
  context: Context,
  { id, account }: Pick<Caller, 'id' | 'account'>,
): Promise<InboxRecord> {
  const known = await context.collection<InboxRecord>(INBOXES).get(id);
  return known ?? inLine(context, () => createInbox(context, { id, account }));
}

/** Only to be called in line. */
export async function createInbox(
  context: Context,
  { id, account }: Pick<Caller, 'id' | 'account'>,
): Promise<InboxRecord> {
  const inboxes = context.collection<InboxRecord>(INBOXES);
  const known = await inboxes.get(id);
  if (known !== undefined) return known;
  const model = (await inboxes.get(account)) ?? (await inboxes.get(EVERYONE));
  const now = Math.floor(context.clock.now() / 1_000);
  const inbox = { id, account, modified: model?.modified ?? now, since: model?.since ?? now };
  if (model !== undefined) {
    const threads = context.collection<ThreadRecord>(THREADS);
    for (const { value } of (await listThreads(context, model.id)).toReversed()) {
      await threads.put(toThreadKey(id, value.id), { ...value, inbox: id });
    }
  }
  await inboxes.put(id, inbox);
  return inbox;
}

/** A `Last-Modified` that no other notification of the inbox has, not before the time that it is. */
async function nextModified(context: Context, inbox: string): Promise<number> {
  const changed = await context.collection<InboxRecord>(INBOXES).update(inbox, (value) => {
    if (value === undefined) return undefined;
    return { ...value, modified: Math.max(Math.ceil(context.clock.now() / 1_000), value.modified + 1) };
  });
  return changed?.modified ?? 0;
}

/** The threads of an inbox, those with the newest notification first; done ones, too. */
export async function listThreads(
  context: Context,
  inbox: string,
): Promise<readonly { readonly value: ThreadRecord }[]> {
  const order = [
    { path: 'updatedAt', descending: true },
    { path: 'modified', descending: true },
  ];
  const { items } = await context
    .collection<ThreadRecord>(THREADS)
    .query({ where: [{ path: 'inbox', test: 'equals', value: inbox }], order });
  return items;
}

/** Ends ignoring and muting. */
const RESUBSCRIBING: ReadonlySet<Reason> = new Set<Reason>(['comment', 'mention']);

/**
 * Whether a notification gets through: an ignored thread takes none until a comment or a mention, a muted one also
 * those of a watcher of the repository (seed: "States and transitions").
 */
function getsThrough({ state }: Subscription, reason: Reason): boolean {
  if (RESUBSCRIBING.has(reason) || state === 'absent' || state === 'subscribed') return true;
  return state === 'muted' && reason === 'subscribed';
}

interface Cause {
  readonly reason: Reason;
  /** The reason that the thread has after it. */
  readonly threadReason: Reason;
  readonly now: number;
}

/** The subscription after a notification: participants are subscribed, with the reason of the thread. */
function follow(subscription: Subscription, { reason, threadReason, now }: Cause): Subscription {
  const isSilenced = subscription.state === 'ignored' || subscription.state === 'muted';
  if (isSilenced) return RESUBSCRIBING.has(reason) ? { state: 'subscribed', reason, createdAt: now } : subscription;
  if (!PARTICIPATING.has(reason)) return subscription;
  if (subscription.state !== 'subscribed') return { state: 'subscribed', reason: threadReason, createdAt: now };
  return subscription.reason === 'manual' ? subscription : { ...subscription, reason: threadReason };
}

/** The reason that a thread has after a notification: a later one replaces it, except that a mention stays. */
function nextReason(known: Reason | undefined, reason: Reason): Reason {
  return known === 'mention' ? known : reason;
}

/** Puts a notification into an inbox, unless the caller does not want it. Gives the thread as it is then. */
export async function deliver(
  context: Context,
  subject: SubjectRecord,
  { inbox, reason }: { readonly inbox: string; readonly reason: Reason },
): Promise<ThreadRecord> {
  const threads = context.collection<ThreadRecord>(THREADS);
  const key = toThreadKey(inbox, subject.threadId);
  const known = await threads.get(key);
  if (known !== undefined && !getsThrough(known.subscription, reason)) return known;
  const modified = await nextModified(context, inbox);
  const now = context.clock.now();
  const receive = (thread: ThreadRecord | undefined): ThreadRecord => {
    const threadReason = nextReason(thread?.reason, reason);
    const subscription = follow(thread?.subscription ?? { state: 'absent' }, { reason, threadReason, now });
    return {
      id: subject.threadId,
      inbox,
      repository: toRepositoryKey(subject.owner, subject.repo),
      reason: threadReason,
      unread: true,
      done: false,
      updatedAt: now,
      lastReadAt: thread?.lastReadAt ?? null,
      modified,
      subscription,
      subscriptionModified: modified,
    };
  };
  return (await threads.update(key, receive)) ?? receive(known);
}
