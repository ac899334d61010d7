import type { Reason, Thread } from '../../../generated/notifications/types.js';
import type { NotificationsActions } from '../../../mocks/notifications/actions.js';
import type { Mock } from '../../../entry/mock.js';
import type { MockOptions } from '../../../server/start/mock-options.js';
import type { CallsOf } from '../../../server/start/mock.js';
import { type JsonResponse, sendJson } from '../../support/send-json.js';
import { type Transport, startStopped } from '../stopped-mock.js';

interface Asked {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface NotificationsMock extends AsyncDisposable {
  readonly mock: Mock<CallsOf<NotificationsActions>>;
  readonly call: (method: string, path: string, asked?: Asked) => Promise<JsonResponse>;
  readonly list: (path?: string, token?: string) => Promise<readonly Thread[]>;
  readonly notify: (
    title?: string,
    more?: { readonly reason?: Reason; readonly repo?: string; readonly user?: string; readonly type?: string },
  ) => Promise<Thread>;
}

/** A mock whose clock is stopped; called over a real socket, or in process. */
export async function openNotifications(
  transport: Transport = 'process',
  options: MockOptions = {},
): Promise<NotificationsMock> {
  const { mock, fetch } = await startStopped('notifications', transport, options);
  const call: NotificationsMock['call'] = (method, path, { token = 'anna', headers = {}, body } = {}) =>
    sendJson(fetch, `${mock.url}${path}`, {
      method,
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      body,
    });
  return {
    mock,
    call,
    list: async (path = '/notifications', token = 'anna') =>
      (await call('GET', path, { token })).json as readonly Thread[],
    notify: (title = 'Leak', { reason = 'subscribed', repo = 'boat', type = 'Issue', ...more } = {}) =>
      mock.actions.notify({ owner: 'Harbor', repo, title, type, reason, ...more }),
    [Symbol.asyncDispose]: () => mock.close(),
  };
}
