import type { Mock } from '../../../entry/mock.js';
import { sendJson } from '../../support/send-json.js';
import { type Transport, startStopped } from '../stopped-mock.js';

interface ReceivedResponse {
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

/** A mock whose clock is stopped. */
export async function openTables(
  transport: Transport = 'process',
  prefix: string = '/bigquery/v2',
): Promise<TablesMock> {
  const { mock, fetch } = await startStopped('tables', transport);
  const call: TablesMock['call'] = async (method, path, body, headers) => {
    const url = path.startsWith('/projects') ? path : `/projects/p/datasets/d/tables${path}`;
    const { json = {}, ...response } = await sendJson(fetch, `${mock.url}${prefix}${url}`, {
      method,
      headers: { authorization: 'Bearer t', ...headers },
      body,
    });
    return { ...response, json: json as ReceivedResponse['json'] };
  };
  return {
    mock,
    call,
    insert: (tableId, members = {}) =>
      call('POST', '', { tableReference: { projectId: 'p', datasetId: 'd', tableId }, ...members }),
    [Symbol.asyncDispose]: () => mock.close(),
  };
}
