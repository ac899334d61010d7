import {
  type DefinedMock,
  defineMock,
  type HandlerResponse,
  type Middleware,
  type RequestContext,
} from 'specmill/mock';
import type { NotificationsOperations } from '../../generated/notifications/types.js';
import type { RateLimitsOperations } from '../../generated/rate-limits/types.js';
import { actions, type NotificationsActions } from './actions.js';
import { enforceLimits, getRateLimit } from './limits/enforce-limits.js';
import { listNotifications, listRepositoryNotifications } from './list-threads.js';
import {
  type Marking,
  markNotificationsAsRead,
  markRepositoryNotificationsAsRead,
  markThreads,
} from './mark-threads.js';
import { RECORD_SCHEMAS } from './records.js';
import {
  deleteThreadSubscription,
  getThread,
  getThreadSubscription,
  markThreadAsDone,
  markThreadAsRead,
  setThreadSubscription,
} from './threads.js';
import { rateCaller, readPolicy } from './limits/rated-caller.js';

/** Notification threads (document 3, area C), under the limits of their platform (area D). */
export const mock: DefinedMock<NotificationsActions> = defineMock<
  NotificationsOperations & RateLimitsOperations,
  NotificationsActions
>('notifications', {
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

const NO_CREDENTIAL = 'Requires authentication';
const BAD_CREDENTIAL = 'Bad credentials';

/** The rules of every operation: kinds of credentials, and versions of the interface. */
const guardRequests: Middleware = async (call, next) =>
  refuseKind(call) ?? explainCredential(call, refuseVersion(call, await next()));

/** Like the real service, does not say why a credential is invalid. */
function explainCredential(call: RequestContext, response: HandlerResponse): HandlerResponse {
  if (!isOwnRefusal(response, 401) || call.operation === undefined) return response;
  const message = call.request.headers['authorization'] === undefined ? NO_CREDENTIAL : BAD_CREDENTIAL;
  return { ...response, body: call.refuse(401, message).body };
}

/** Only personal access tokens (classic) work with notifications; the overview is for all. */
function refuseKind(call: RequestContext): HandlerResponse | undefined {
  if (call.operation === undefined || call.operation.id === readPolicy().status.overviewOperation) return undefined;
  const { kind, identity } = rateCaller(call);
  if (kind === 'unauthenticated' || identity.worksWithNotifications) return undefined;
  return call.refuse(403, 'Resource not accessible by this kind of token. Use a personal access token (classic).');
}

/** An unsupported version gets 400, even where other violations get 422. */
function refuseVersion(call: RequestContext, response: HandlerResponse): HandlerResponse {
  if (call.operation === undefined || !isOwnRefusal(response, 400, 422)) return response;
  const parameter = call.operation.parameters.find((one) => one.in === 'header' && /-api-version$/i.test(one.name));
  const name = parameter?.name.toLowerCase() ?? '';
  const [version] = [call.request.headers[name]].flat();
  const supported = typeof parameter?.schema === 'object' ? (parameter.schema.enum ?? []) : [];
  if (version === undefined || supported.includes(version)) return response;
  const message = `The API version ${version} is not supported. Supported versions are ${supported.join(', ')}.`;
  const violations = [{ in: 'header', pointer: `/${name}`, message: 'must be equal to one of the allowed values' }];
  return call.refuse(400, message, { violations });
}

/** Whether the mock refused the request itself. */
function isOwnRefusal({ refusal, status }: HandlerResponse, ...statuses: readonly number[]): boolean {
  return refusal && statuses.includes(status);
}
