import type { Mock } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';
import type { MockOptions } from '../../../server/start/mock-options.js';

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface EngineMock extends AsyncDisposable {
  readonly mock: Mock;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ReceivedResponse>;
}

export type Transport = 'socket' | 'process';
export const TRANSPORTS: readonly Transport[] = ['socket', 'process'];

/** A mock whose clock is stopped. */
export async function openEngine(transport: Transport = 'process', options: MockOptions = {}): Promise<EngineMock> {
  const mock: Mock = await startMock('engine', { ...(transport === 'socket' ? { port: 0 } : {}), ...options });
  await mock.clock.freeze();
  await mock.clock.set('2026-11-20T12:00:00Z');
  const fetch = transport === 'socket' ? globalThis.fetch : mock.fetch;
  return {
    mock,
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(mock.url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        json: text === '' ? {} : (JSON.parse(text) as ReceivedResponse['json']),
      };
    },
    [Symbol.asyncDispose]: () => mock.close(),
  };
}
