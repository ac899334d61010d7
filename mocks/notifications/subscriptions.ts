import type { NotificationsOperations } from '../../generated/notifications/types.js';
import type { HandlerContext, Handler } from '../../server/handler-api.js';
import { baseUrlOf } from './base-url.js';
import { isUnchanged, pollHeaders } from './polling.js';
import type { Subscription, ThreadRecord } from './records.js';
import { showSubscription } from './show-thread.js';
import { changeThread, findThread } from './threads.js';

export const getThreadSubscription: Handler<NotificationsOperations['getThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  const subscription = thread === undefined ? undefined : showSubscription(thread, baseUrlOf(call.request));
  if (thread === undefined || subscription === undefined) return call.refuse(404, 'Not Found');
  const headers = pollHeaders(thread.subscriptionModified);
  if (isUnchanged(call.request, thread.subscriptionModified)) return call.respond(304, undefined, headers);
  return call.respond(200, subscription, headers);
};

/** absent, muted or ignored -> subscribed; any -> ignored. */
export const setThreadSubscription: Handler<NotificationsOperations['setThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  if (thread === undefined) return call.refuse(404, 'Not Found');
  const isIgnored = call.input.body?.ignored === true;
  const wanted = isIgnored ? 'ignored' : 'subscribed';
  const isSame = thread.subscription.state === wanted;
  if (isSame && isUnchanged(call.request, thread.subscriptionModified)) return call.respond(304, undefined);
  const createdAt = call.clock.now();
  const subscription: Subscription = isIgnored
    ? { state: 'ignored', createdAt }
    : { state: 'subscribed', reason: 'manual', createdAt };
  const changed = isSame ? thread : await changeSubscription(call, thread, subscription);
  const shown = showSubscription(changed, baseUrlOf(call.request));
  if (shown === undefined) throw new Error('A subscription that was set is not there.');
  return call.respond(200, shown);
};

/** any -> muted. */
export const deleteThreadSubscription: Handler<NotificationsOperations['deleteThreadSubscription']> = async (call) => {
  const thread = await findThread(call);
  if (thread === undefined) return call.refuse(404, 'Not Found');
  const isSame = thread.subscription.state === 'muted';
  if (isSame && isUnchanged(call.request, thread.subscriptionModified)) return call.respond(304, undefined);
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
