import { type Handler, type HandlerContext, parseIsoTime } from 'specmill/mock';

import type { NotificationsOperations } from '../../generated/notifications/types.js';
import { listThreads, openInbox } from './inboxes.js';
import { isUnchanged } from './polling.js';
import { REPOSITORIES, THREADS, type ThreadRecord, toRepositoryKey, toThreadKey } from './records.js';
import { shownTime } from './show-thread.js';

type Context = Pick<HandlerContext, 'collection' | 'clock' | 'memory' | 'next'>;

/** More unread threads than these are too many to mark at once (x-assumption of the operation). */
const MOST_AT_ONCE = 100;
/** Milliseconds. */
const BACKGROUND_DELAY = 5_000;
const CONTINUES = {
  message:
    "Unread notifications couldn't be marked in a single request. Notifications are being marked as read in the background.",
};

export interface Marking {
  readonly inbox: string;
  readonly threadIds: readonly string[];
  /** Only threads updated up to this time. Epoch milliseconds. */
  readonly upTo: number;
  /** The new `last_read_at` of each. */
  readonly readAt: number;
}

/** Marks threads as read, those that have not been updated meanwhile. */
export async function markThreads(
  context: Pick<Context, 'collection'>,
  { inbox, threadIds, upTo, readAt }: Marking,
): Promise<void> {
  const threads = context.collection<ThreadRecord>(THREADS);
  for (const id of threadIds) {
    await threads.update(toThreadKey(inbox, id), (thread) =>
      thread === undefined || !thread.unread || shownTime(thread.updatedAt) > upTo
        ? thread
        : { ...thread, unread: false, lastReadAt: readAt },
    );
  }
}

interface MarkRequest {
  readonly inbox: string;
  readonly repository?: string;
  readonly lastReadAt: string | undefined;
}

/**
 * The unread threads up to a time. Without a time: all threads, even with future timestamps (the clock may have been set
 * back).
 */
async function planMarking(context: Context, { inbox, repository, lastReadAt }: MarkRequest): Promise<Marking> {
  const now = context.clock.now();
  const unread = (await listThreads(context, inbox))
    .map(({ value }) => value)
    .filter(
      (thread) => thread.unread && !thread.done && (repository === undefined || thread.repository === repository),
    );
  const readAt = lastReadAt === undefined ? now : parseIsoTime(lastReadAt);
  const upTo =
    lastReadAt === undefined ? unread.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), now) : readAt;
  return {
    inbox,
    threadIds: unread.filter(({ updatedAt }) => shownTime(updatedAt) <= upTo).map(({ id }) => id),
    upTo,
    readAt,
  };
}

/** Marks, at once or in the background. Whether it is done. */
async function mark(context: Context, marking: Marking): Promise<boolean> {
  if (marking.threadIds.length <= MOST_AT_ONCE) {
    await markThreads(context, marking);
    return true;
  }
  const id = `mark-threads-${await context.next('markings')}`;
  await context.clock.schedule({
    id,
    name: 'mark-threads',
    dueAt: context.clock.now() + BACKGROUND_DELAY,
    payload: marking,
  });
  return false;
}

export const markNotificationsAsRead: Handler<NotificationsOperations['markNotificationsAsRead']> = async (call) => {
  const inbox = await openInbox(call, call.caller);
  const { last_read_at: lastReadAt, read } = call.input.body ?? {};
  const plan = await planMarking(call, { inbox: inbox.id, lastReadAt });
  const marking = read === false ? { ...plan, threadIds: [] } : plan;
  if (marking.threadIds.length === 0 && isUnchanged(call, inbox.modified)) return call.respond(304, undefined);
  return (await mark(call, marking)) ? call.respond(205, undefined) : call.respond(202, CONTINUES);
};

export const markRepositoryNotificationsAsRead: Handler<
  NotificationsOperations['markRepositoryNotificationsAsRead']
> = async (call) => {
  const { owner, repo } = call.input.path;
  const repository = toRepositoryKey(owner, repo);
  if ((await call.collection(REPOSITORIES).get(repository)) === undefined) return call.refuse(404, 'Not Found');
  const inbox = await openInbox(call, call.caller);
  const marking = await planMarking(call, { inbox: inbox.id, repository, lastReadAt: call.input.body?.last_read_at });
  return (await mark(call, marking)) ? call.respond(205, undefined) : call.respond(202, CONTINUES);
};
