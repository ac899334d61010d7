import type { Mock } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';

/** 2026-11-20T12:00:00Z */
export const START: number = Date.UTC(2026, 10, 20, 12);

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface TablesMock extends AsyncDisposable {
  readonly mock: Mock;
  /** Paths are below `/projects/p/datasets/d/tables`. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ReceivedResponse>;
  readonly insert: (tableId: string, members?: object) => Promise<ReceivedResponse>;
}

export type Transport = 'socket' | 'process';
export const TRANSPORTS: readonly Transport[] = ['socket', 'process'];

/** A mock whose clock is stopped at {@link START}. */
export async function openTables(
  transport: Transport = 'process',
  prefix: string = '/bigquery/v2',
): Promise<TablesMock> {
  const mock: Mock = await startMock('tables', transport === 'socket' ? { port: 0 } : {});
  await mock.clock.freeze();
  await mock.clock.set(new Date(START));
  const fetch = transport === 'socket' ? globalThis.fetch : mock.fetch;
  const call: TablesMock['call'] = async (method, path, body, headers = {}) => {
    const url = path.startsWith('/projects') ? path : `/projects/p/datasets/d/tables${path}`;
    const response = await fetch(`${mock.url}${prefix}${url}`, {
      method,
      headers: {
        authorization: 'Bearer t',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text === '' ? {} : (JSON.parse(text) as ReceivedResponse['json']),
    };
  };
  return {
    mock,
    call,
    insert: (tableId, members = {}) =>
      call('POST', '', { tableReference: { projectId: 'p', datasetId: 'd', tableId }, ...members }),
    [Symbol.asyncDispose]: () => mock.close(),
  };
}
