import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, defineMock, startMock } from '../../../entry/mock.js';
import { startProxy } from '../../../entry/start-proxy.js';
import type { Api } from '../../../model/api.js';
import { loadDocument } from '../../support/load-document.js';
import { type CreateTestClient, emitClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';
import { STREAM_DOCUMENT } from '../../support/stream-document.js';

const NAMES = ['Events', 'Named', 'Data', 'Lines', 'Ndjson', 'Records', 'Parts'];

const output = new OutputFolder();
let api: Api;
let createTestClient: CreateTestClient<AsyncIterable<unknown>>;
let mock: Mock;

beforeAll(async () => {
  api = await loadDocument(STREAM_DOCUMENT);
  createTestClient = await emitClient(api, output);
  mock = await startMock(api, { port: 0, seed: 1 });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

async function itemsOf(url: string, name: string, options: object = {}): Promise<unknown[]> {
  const found: unknown[] = [];
  const client = createTestClient({ baseUrl: url, validate: true });
  const response = await client[`get${name}`]?.({}, options);
  for await (const item of response?.data ?? []) found.push(item);
  return found;
}

describe('a mock of streams', () => {
  it.each(NAMES)('a mock of streams sends three valid items of %s, or as many as Prefer says', async (name) => {
    expect(await itemsOf(mock.url, name)).toHaveLength(3);
    expect(await itemsOf(mock.url, name, { headers: { prefer: 'items=5' } })).toHaveLength(5);
    expect(await itemsOf(mock.url, name, { headers: { prefer: 'items=0' } })).toHaveLength(0);
  });

  it.each(NAMES)('a mock accepts the items that a client sends to %s, and refuses invalid items', async (name) => {
    const client = createTestClient({ baseUrl: mock.url });
    const good = await itemsOf(mock.url, name);
    const later = async function* (): AsyncGenerator {
      for (const item of good) yield await Promise.resolve(item);
    };
    expect(await client[`send${name}`]?.({ body: later() })).toMatchObject({ status: 204 });
    const bad = name === 'Events' || name === 'Named' ? { event: 'progress', data: { name: 1 } } : { name: 1 };
    await expect(client[`send${name}`]?.({ body: [...good, bad] })).rejects.toMatchObject({
      status: 400,
      body: { violations: [{ in: 'body', pointer: expect.stringMatching(/^\/3\b/) as string }] },
    });
  });

  it('a mock streams the items of its handlers, and breaks off at an invalid item', async () => {
    const definition = defineMock(api, {
      operations: {
        'get-lines': (call) =>
          call.respond(200, {
            kind: 'items',
            items: (async function* () {
              yield { name: 'a' };
              yield await Promise.resolve({ name: 1 });
            })(),
          }),
        'get-events': (call) => call.respond(200, { kind: 'items', items: [{ event: 'x', data: { name: 'a' } }] }),
      },
    });
    await using own = await startMock(definition, { port: 0 });
    expect(await itemsOf(own.url, 'Events')).toEqual([{ event: 'x', data: { name: 'a' } }]);
    await expect(itemsOf(own.url, 'Lines')).rejects.toMatchObject({ name: 'BrokenStreamError' });
    const [broken] = await own.requests({ violations: true });
    expect(broken?.violations[0]?.message).toContain('an item does not match');
  });
});

describe('contract tests of streams', () => {
  it('contract tests of streams find nothing in the mock', async () => {
    const report = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
    expect(report.findings).toEqual([]);
  });

  it.each([
    ['Lines', 'get-lines', '/lines', 'application/jsonl', '{"name":"a"}\n{"name":1}\n'],
    ['Records', 'get-records', '/records', 'application/json-seq', '\u001e{"name":"a"}\n\u001e{"name":1}\n'],
    ['Events', 'get-events', '/events', 'text/event-stream', 'data: {"name":"a"}\n\ndata: {"name":1}\n\n'],
    ['Parts', 'get-parts', '/parts', 'multipart/mixed; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
  ])('contract tests of streams find an invalid item of %s', async (_name, id, path, type, text) => {
    const wrong: typeof fetch = async (input, init) =>
      new URL(input instanceof Request ? input.url : input).pathname === path && init?.method === 'GET'
        ? new Response(text, { headers: { 'content-type': type } })
        : mock.fetch(input, init);
    const report = await runContract({ api, url: mock.url, fetch: wrong, phases: ['examples'] });
    expect(report.findings.map(({ check, operationId }) => [check, operationId])).toEqual([['event stream', id]]);
  });
});

describe('a proxy of streams', () => {
  it.each(NAMES)('a proxy of streams passes the items of %s on, and records no violation', async (name) => {
    await using proxy = await startProxy(api, { upstream: mock.url, port: 0 });
    expect(await itemsOf(proxy.url, name)).toHaveLength(3);
    const entries = await proxy.requests();
    expect(entries.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it.each([false, true])(
    'a proxy reports an invalid item of a stream, and with errors: %s does not pass it on',
    async (errors) => {
      const definition = defineMock(api, {
        operations: { 'get-lines': (call) => call.respond(200, { kind: 'text', text: '{"name":"a"}\n{"name":1}' }) },
      });
      await using wrong = await startMock(definition, { port: 0, validate: 'off' });
      await using proxy = await startProxy(api, { upstream: wrong.url, port: 0, errors });
      const response = await fetch(`${proxy.url}/lines`);
      const text = await response.text().catch(() => 'cut off');
      expect(text).toBe(errors ? 'cut off' : '{"name":"a"}\n{"name":1}');
      const entries = await proxy.requests();
      expect(entries.flatMap(({ violations }) => violations)).toMatchObject([{ pointer: '/body/name' }]);
    },
  );
});
