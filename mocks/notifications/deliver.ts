import type { Reason } from '../../generated/notifications/types.js';
import type { HandlerContext } from '../../server/handler-api.js';
import { nextModified } from './inboxes.js';
import {
  PARTICIPATING,
  type SubjectRecord,
  type Subscription,
  THREADS,
  type ThreadRecord,
  toRepositoryKey,
  toThreadKey,
} from './records.js';

type Context = Pick<HandlerContext, 'collection' | 'clock' | 'memory'>;

/** Ends ignoring and muting. */
const WAKING: ReadonlySet<Reason> = new Set<Reason>(['comment', 'mention']);

/**
 * Whether a notification gets through: an ignored thread takes none until a comment or a mention, a muted one also
 * those of a watcher of the repository (seed: "States and transitions").
 */
function getsThrough({ state }: Subscription, reason: Reason): boolean {
  if (WAKING.has(reason) || state === 'absent' || state === 'subscribed') return true;
  return state === 'muted' && reason === 'subscribed';
}

interface Cause {
  readonly reason: Reason;
  /** The reason that the thread has after it. */
  readonly threadReason: Reason;
  readonly now: number;
}

/** The subscription after a notification: who takes part is subscribed, with the reason of the thread. */
function follow(subscription: Subscription, { reason, threadReason, now }: Cause): Subscription {
  const isAsleep = subscription.state === 'ignored' || subscription.state === 'muted';
  if (isAsleep) return WAKING.has(reason) ? { state: 'subscribed', reason, createdAt: now } : subscription;
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
