import { type DefinedMock, defineMock } from 'specmill/mock';

import type { NotificationsOperations } from '../../generated/notifications/types.js';
import type { RateLimitsOperations } from '../../generated/rate-limits/types.js';
import { actions, type NotificationsActions } from './actions.js';
import { guardRequests } from './guard-requests.js';
import { enforceLimits, getRateLimit } from './limits/enforce-limits.js';
import { listNotifications, listRepositoryNotifications } from './list-threads.js';
import {
  markNotificationsAsRead,
  markRepositoryNotificationsAsRead,
  type Marking,
  markThreads,
} from './mark-threads.js';
import { RECORD_SCHEMAS } from './records.js';
import { THREADS } from './records.js';
import {
  deleteThreadSubscription,
  getThread,
  getThreadSubscription,
  markThreadAsDone,
  markThreadAsRead,
  setThreadSubscription,
} from './threads.js';

/** Notification threads (document 3, area C), under the limits of their platform (area D). */
export const mock: DefinedMock<NotificationsActions> = defineMock<
  NotificationsOperations & RateLimitsOperations,
  NotificationsActions
>('notifications', {
  indexes: [
    { collection: THREADS, path: 'inbox' },
    { collection: THREADS, path: 'id' },
  ],
  items: RECORD_SCHEMAS,
  middleware: (call, next) => enforceLimits(call, () => guardRequests(call, next)),
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
