import type { Mock, MockOptions } from '../../../entry/mock.js';
import { sendJson } from '../../support/send-json.js';
import { type Transport, startStopped } from '../stopped-mock.js';

interface ReceivedResponse {
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

/** A mock whose clock is stopped. */
export async function openEngine(transport: Transport = 'process', options: MockOptions = {}): Promise<EngineMock> {
  const { mock, fetch } = await startStopped('engine', transport, options);
  return {
    mock,
    call: async (method, path, body, headers = {}) => {
      const { json = {}, ...response } = await sendJson(fetch, mock.url + path, { method, headers, body });
      return { ...response, json: json as ReceivedResponse['json'] };
    },
    [Symbol.asyncDispose]: () => mock.close(),
  };
}
