import type { NotificationsOperations } from '../../generated/notifications/types.js';
import type { RateLimitsOperations } from '../../generated/rate-limits/types.js';
import { type DefinedMock, defineMock } from '../../server/define-mock.js';
import { actions, type NotificationsActions } from './actions.js';
import { guardCalls } from './guard-calls.js';
import { limitVisits } from './limits/limit-visits.js';
import { getRateLimit } from './limits/overview.js';
import { listNotifications, listRepositoryNotifications } from './list-threads.js';
import {
  markNotificationsAsRead,
  markRepositoryNotificationsAsRead,
  type Marking,
  markThreads,
} from './mark-threads.js';
import { THREADS } from './records.js';
import { deleteThreadSubscription, getThreadSubscription, setThreadSubscription } from './subscriptions.js';
import { getThread, markThreadAsDone, markThreadAsRead } from './threads.js';

/** Notification threads (document 3, area C), under the limits of their platform (area D). */
export const mock: DefinedMock<NotificationsActions> = defineMock<
  NotificationsOperations & RateLimitsOperations,
  NotificationsActions
>('notifications', {
  indexes: [
    { collection: THREADS, path: 'inbox' },
    { collection: THREADS, path: 'id' },
  ],
  aroundAll: limitVisits,
  around: guardCalls,
  operations: {
    listNotifications,
    listRepositoryNotifications,
    markNotificationsAsRead,
    markRepositoryNotificationsAsRead,
    getThread,
    markThreadAsRead,
    markThreadAsDone,
    getThreadSubscription,
    setThreadSubscription,
    deleteThreadSubscription,
    getRateLimit,
  },
  actions,
  jobs: { 'mark-threads': (context, marking: Marking) => markThreads(context, marking) },
});
