import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import { startProxy } from '../../../entry/start-proxy.js';
import type { Api } from '../../../model/api.js';
import { type CreateTestClient, emitClient } from '../../support/emit-client.js';
import { loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const TICK = { type: 'object', required: ['price'], properties: { price: { type: 'integer' } } };
const STREAMED = {
  type: 'object',
  required: ['result'],
  properties: { result: { $ref: '#/definitions/Tick' }, error: { $ref: '#/definitions/Error' } },
};
const get = (operationId: string, schema: object): object => ({
  get: { operationId, responses: { 200: { description: 'A successful response.(streaming responses)', schema } } },
});

/** As grpc-gateway 1 writes it, and as version 2 does. */
const DOCUMENT = {
  swagger: '2.0',
  info: { title: 'Prices', version: '1' },
  produces: ['application/json'],
  paths: {
    '/v1/ticks': get('watchOld', { $ref: '#/x-stream-definitions/Tick' }),
    '/v2/ticks': get('watchNew', { ...STREAMED, title: 'Stream result of Tick' }),
    '/v2/last': get('readLast', { $ref: '#/definitions/Tick' }),
  },
  definitions: { Tick: TICK, Error: { type: 'object', properties: { message: { type: 'string' } } } },
  'x-stream-definitions': { Tick: { ...STREAMED, title: 'Stream result of Tick' } },
};

const output = new OutputFolder();
let api: Api;
let createTestClient: CreateTestClient<AsyncIterable<unknown>>;
let mock: Mock;

beforeAll(async () => {
  api = await loadDocument(DOCUMENT);
  createTestClient = await emitClient(api, output);
  mock = await startMock(api, { port: 0 });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

/** A server whose streams have this text. */
const serve =
  (text: string): typeof fetch =>
  async (input, init) =>
    new URL(new Request(input, init).url).pathname.endsWith('/ticks') && init?.method === 'GET'
      ? new Response(text, { headers: { 'content-type': 'application/json' } })
      : mock.fetch(input, init);

describe.each(['watchOld', 'watchNew'])('the stream %s of grpc-gateway', (name) => {
  test('is lines of JSON in the mock, and the items of the client', async () => {
    const client = createTestClient({ baseUrl: mock.url, validate: true });
    const response = await client[name]?.({});
    const items: unknown[] = [];
    for await (const item of response?.data ?? []) items.push(item);
    expect(items).toHaveLength(3);
    expect(items[0]).toHaveProperty('result.price');
    await using proxy = await startProxy(api, { upstream: mock.url, port: 0 });
    for await (const item of (await createTestClient({ baseUrl: proxy.url })[name]?.({}))?.data ?? []) items.push(item);
    expect(items).toHaveLength(6);
    expect((await proxy.requests()).flatMap(({ violations }) => violations)).toEqual([]);
  });
});

test.each([
  ['no message', '', []],
  ['two messages', '{"result":{"price":1}}\n{"result":{"price":2}}\n', []],
  ['a message of another type', '{"result":{"price":1}}\n{"result":{"price":"2"}}\n', ['watchNew', 'watchOld']],
])('a contract run judges streams of grpc-gateway by their lines: %s', async (_what, text, expected) => {
  const { findings } = await runContract({ api, url: 'http://prices.test', fetch: serve(text), phases: ['examples'] });
  expect(findings.map(({ operationId }) => operationId).toSorted()).toEqual(expected);
});

test('a contract run does not call a stream late that has no message yet', async () => {
  const wait: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/ticks')) return mock.fetch(request);
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => {
        reject(new DOMException('The time is over.', 'AbortError'));
      });
    });
  };
  const options = { phases: ['examples'], timeLimit: '50ms', maxExamples: 1 } as const;
  const { findings, unreached } = await runContract({ api, url: 'http://prices.test', fetch: wait, ...options });
  expect(findings).toEqual([]);
  expect(unreached.map(({ operationId }) => operationId)).toEqual(['watchOld', 'watchNew']);
});
