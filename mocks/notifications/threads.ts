import type { NotificationsOperations } from '../../generated/notifications/types.js';
import type { HandlerContext, Caller, Handler } from '../../server/handler-api.js';
import { baseUrlOf } from './base-url.js';
import { openInbox } from './inboxes.js';
import { isUnchanged, pollHeaders } from './polling.js';
import { THREADS, type ThreadRecord, toThreadKey } from './records.js';
import { findSubject, showThread } from './show-thread.js';

/** Whose thread, and which. */
interface ThreadCall extends Pick<HandlerContext, 'collection' | 'clock' | 'memory'> {
  readonly caller: Caller;
  readonly input: { readonly path: { readonly thread_id: number } };
}

/** The thread that a call names, in the inbox of its caller; also one that is done. */
async function findAnyThread(call: ThreadCall): Promise<ThreadRecord | undefined> {
  const inbox = await openInbox(call, call.caller);
  return call.collection<ThreadRecord>(THREADS).get(toThreadKey(inbox.id, String(call.input.path.thread_id)));
}

/** The same, but a thread that is done is not there until a new notification brings it back. */
export async function findThread(call: ThreadCall): Promise<ThreadRecord | undefined> {
  const thread = await findAnyThread(call);
  return thread?.done === true ? undefined : thread;
}

/** Changes a thread that is there. */
export async function changeThread(
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
  if (thread === undefined) return call.refuse(404, 'Not Found');
  const headers = pollHeaders(thread.modified);
  if (isUnchanged(call.request, thread.modified)) return call.respond(304, undefined, headers);
  return call.respond(200, showThread(thread, await findSubject(call, thread.id), baseUrlOf(call.request)), headers);
};

/** unread -> read. */
export const markThreadAsRead: Handler<NotificationsOperations['markThreadAsRead']> = async (call) => {
  const thread = await findThread(call);
  if (thread === undefined) return call.refuse(404, 'Not Found');
  if (!thread.unread && isUnchanged(call.request, thread.modified)) return call.respond(304, undefined);
  const now = call.clock.now();
  await changeThread(call, thread, (known) => (known.unread ? { ...known, unread: false, lastReadAt: now } : known));
  return call.respond(205, undefined);
};

/** any -> done. */
export const markThreadAsDone: Handler<NotificationsOperations['markThreadAsDone']> = async (call) => {
  const thread = await findAnyThread(call);
  if (thread === undefined) return call.refuse(404, 'Not Found');
  await changeThread(call, thread, (known) => ({ ...known, done: true, unread: false }));
  return call.respond(204, undefined);
};
