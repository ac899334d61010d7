import type { Reason, Thread } from '../../../generated/notifications/types.js';
import type { NotificationsActions } from '../../../mocks/notifications/actions.js';
import type { Mock } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';
import type { MockOptions } from '../../../server/start/mock-options.js';
import type { CallsOf } from '../../../server/start/mock.js';

const START = '2026-11-20T12:00:00Z';

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}
interface Asked {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface NotificationsMock extends AsyncDisposable {
  readonly mock: Mock<CallsOf<NotificationsActions>>;
  readonly call: (method: string, path: string, asked?: Asked) => Promise<ReceivedResponse>;
  readonly list: (path?: string, token?: string) => Promise<readonly Thread[]>;
  readonly notify: (
    title?: string,
    more?: { readonly reason?: Reason; readonly repo?: string; readonly user?: string; readonly type?: string },
  ) => Promise<Thread>;
}

export type Transport = 'socket' | 'process';
export const TRANSPORTS: readonly Transport[] = ['socket', 'process'];

/** A mock whose clock is stopped at {@link START}; called over a real socket, or in process. */
export async function openNotifications(
  transport: Transport = 'process',
  options: MockOptions = {},
): Promise<NotificationsMock> {
  const mock = await startMock('notifications', { ...(transport === 'socket' ? { port: 0 } : {}), ...options });
  await mock.clock.freeze();
  await mock.clock.set(START);
  const fetch = transport === 'socket' ? globalThis.fetch : mock.fetch;
  const call: NotificationsMock['call'] = async (method, path, { token = 'anna', headers = {}, body } = {}) => {
    const response = await fetch(`${mock.url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  };
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
