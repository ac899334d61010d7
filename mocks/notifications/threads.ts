import { type Caller, type Handler, type HandlerContext, HttpError } from 'specmill/mock';

import type { NotificationsOperations } from '../../generated/notifications/types.js';
import { openInbox } from './inboxes.js';
import { isUnchanged, pollHeaders } from './polling.js';
import { type Subscription, THREADS, type ThreadRecord, toThreadKey } from './records.js';
import { findSubject, showSubscription, showThread } from './show-thread.js';

interface ThreadCall extends Pick<HandlerContext, 'collection' | 'clock' | 'memory'> {
  readonly caller: Caller;
  readonly input: { readonly path: { readonly thread_id: number } };
}

/** The thread that a call names, in the inbox of its caller; also one that is done. @throws HttpError 404 */
async function findAnyThread(call: ThreadCall): Promise<ThreadRecord> {
  const inbox = await openInbox(call, call.caller);
  const key = toThreadKey(inbox.id, String(call.input.path.thread_id));
  const thread = await call.collection<ThreadRecord>(THREADS).get(key);
  if (thread === undefined) throw new HttpError(404, 'Not Found');
  return thread;
}

/** The same, but a thread that is done is not there until a new notification brings it back. */
async function findThread(call: ThreadCall): Promise<ThreadRecord> {
  const thread = await findAnyThread(call);
  if (thread.done) throw new HttpError(404, 'Not Found');
  return thread;
}

async function changeThread(
  context: Pick<HandlerContext, 'collection'>,
  { inbox, id }: ThreadRecord,
  change: (thread: ThreadRecord) => ThreadRecord,
): Promise<ThreadRecord | undefined> {
  return context
    .collection<ThreadRecord>(THREADS)
    .update(toThreadKey(inbox, id), (thread) => (thread === undefined ? undefined : change(thread)));
}

export const getThread: Handler<NotificationsOperations['getThread']> = async (call) => {
  const thread = await findThread(call);
  const headers = await pollHeaders(call, thread.modified);
  if (isUnchanged(call, thread.modified)) return call.respond(304, undefined, headers);
  return call.respond(200, showThread(thread, await findSubject(call, thread.id), call.baseUrl), headers);
};

/** unread -> read. */
export const markThreadAsRead: Handler<NotificationsOperations['markThreadAsRead']> = async (call) => {
  const thread = await findThread(call);
  if (!thread.unread && isUnchanged(call, thread.modified)) return call.respond(304, undefined);
  const now = call.clock.now();
  await changeThread(call, thread, (known) => (known.unread ? { ...known, unread: false, lastReadAt: now } : known));
  return call.respond(205, undefined);
};

/** any -> done. */
export const markThreadAsDone: Handler<NotificationsOperations['markThreadAsDone']> = async (call) => {
  const thread = await findAnyThread(call);
  await changeThread(call, thread, (known) => ({ ...known, done: true, unread: false }));
  return call.respond(204, undefined);
};

export const getThreadSubscription: Handler<NotificationsOperations['getThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  const subscription = showSubscription(thread, call.baseUrl);
  if (subscription === undefined) return call.refuse(404, 'Not Found');
  const headers = await pollHeaders(call, thread.subscriptionModified);
  if (isUnchanged(call, thread.subscriptionModified)) return call.respond(304, undefined, headers);
  return call.respond(200, subscription, headers);
};

/** absent, muted or ignored -> subscribed; any -> ignored. */
export const setThreadSubscription: Handler<NotificationsOperations['setThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  const isIgnored = call.input.body?.ignored === true;
  const wanted = isIgnored ? 'ignored' : 'subscribed';
  const isSame = thread.subscription.state === wanted;
  if (isSame && isUnchanged(call, thread.subscriptionModified)) return call.respond(304, undefined);
  const createdAt = call.clock.now();
  const subscription: Subscription = isIgnored
    ? { state: 'ignored', createdAt }
    : { state: 'subscribed', reason: 'manual', createdAt };
  const changed = isSame ? thread : await changeSubscription(call, thread, subscription);
  const shown = showSubscription(changed, call.baseUrl);
  if (shown === undefined) throw new Error('A subscription that was set is not there.');
  return call.respond(200, shown);
};

/** any -> muted. */
export const deleteThreadSubscription: Handler<NotificationsOperations['deleteThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  const isSame = thread.subscription.state === 'muted';
  if (isSame && isUnchanged(call, thread.subscriptionModified)) return call.respond(304, undefined);
  if (!isSame) await changeSubscription(call, thread, { state: 'muted' });
  return call.respond(204, undefined);
};

async function changeSubscription(
  context: Pick<HandlerContext, 'collection' | 'clock'>,
  thread: ThreadRecord,
  subscription: Subscription,
): Promise<ThreadRecord> {
  const now = Math.ceil(context.clock.now() / 1_000);
  const change = (known: ThreadRecord): ThreadRecord => ({
    ...known,
    subscription,
    subscriptionModified: Math.max(now, known.subscriptionModified + 1),
  });
  return (await changeThread(context, thread, change)) ?? change(thread);
}
