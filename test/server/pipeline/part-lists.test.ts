import { afterAll, beforeAll, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import type { Api } from '../../../model/api.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { emitClient, type TestClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';

const NUMBER = { type: 'integer' };
const THING = { type: 'object', required: ['a'], xml: { name: 'thing' }, properties: { a: NUMBER } };
const NUMBERED = { type: 'object', required: ['b'], properties: { b: NUMBER } };
const BATCH = { type: 'array', minItems: 1, items: NUMBERED };
const nestedJson = { contentType: 'multipart/mixed', itemEncoding: { contentType: 'application/json' } };

/** The example "Nested multipart/mixed" of OpenAPI 3.2: a list, then a list of XML, text and bytes. */
const NESTED = {
  schema: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    prefixItems: [
      { type: 'array', items: NUMBER },
      { type: 'array', minItems: 2, prefixItems: [THING, { type: 'string', minLength: 3 }, {}] },
    ],
  },
  prefixEncoding: [
    {},
    {
      contentType: 'multipart/mixed',
      prefixEncoding: [{ contentType: 'application/xml' }, {}, { contentType: 'image/png' }],
    },
  ],
};
const FORM = {
  schema: {
    type: 'object',
    required: ['meta', 'lists'],
    properties: { meta: THING, lists: { type: 'array', minItems: 1, items: BATCH } },
  },
  encoding: { meta: { contentType: 'application/xml' }, lists: nestedJson },
};
const STREAM = { itemSchema: BATCH, itemEncoding: nestedJson };
const done = { 204: { description: 'done' } };

const sends = (operationId: string, mediaType: string, media: object): object => ({
  post: { operationId, requestBody: { required: true, content: { [mediaType]: media } }, responses: done },
});
const gives = (operationId: string, media: object): object => ({
  get: { operationId, responses: { 200: { description: 'ok', content: { 'multipart/mixed': media } } } },
});
const DOCUMENT = {
  ...documentWith({
    '/nested': { ...gives('getNested', NESTED), ...sends('sendNested', 'multipart/mixed', NESTED) },
    '/form': sends('sendForm', 'multipart/form-data', FORM),
    '/stream': { ...gives('getStream', STREAM), ...sends('sendStream', 'multipart/mixed', STREAM) },
  }),
  openapi: '3.2.0',
};

const output = new OutputFolder();
let api: Api;
let mock: Mock;
let client: TestClient;

beforeAll(async () => {
  api = await loadDocument(DOCUMENT);
  mock = await startMock(api, { port: 0, seed: 1 });
  const createTestClient = await emitClient(api, output);
  client = createTestClient({ baseUrl: mock.url, validate: true });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

/** What a mock read of the last request. */
async function lastBody(): Promise<unknown> {
  return (await mock.requests()).at(-1)?.request.body;
}

it('a client writes a list of parts inside a part, and a mock reads it by the nested encodings', async () => {
  expect(output.typeCheck()).toBe('');
  await client['sendNested']?.({
    body: [
      [1, 2],
      [{ a: 3 }, 'text'],
    ],
  });
  expect(await lastBody()).toEqual([
    [1, 2],
    [{ a: 3 }, 'text'],
  ]);
  await client['sendForm']?.({ body: { meta: { a: 1 }, lists: [[{ b: 1 }], [{ b: 2 }, { b: 3 }]] } });
  expect(await lastBody()).toEqual({ meta: { a: 1 }, lists: [[{ b: 1 }], [{ b: 2 }, { b: 3 }]] });
  await client['sendForm']?.({ body: { meta: { a: 1 }, lists: [[{ b: 1 }]] } });
  expect(await lastBody()).toEqual({ meta: { a: 1 }, lists: [[{ b: 1 }]] });
  await client['sendStream']?.({ body: [[{ b: 1 }], [{ b: 2 }]] });
  expect(await lastBody()).toEqual([[{ b: 1 }], [{ b: 2 }]]);
});

it('an invalid part inside a part is refused with its pointer', async () => {
  const parts = (...texts: readonly string[]): string => texts.map((text) => `--x\r\n${text}\r\n`).join('');
  const inner = '--y\r\nContent-Type: application/xml\r\n\r\n<thing/>\r\n--y\r\n\r\ntext\r\n--y--';
  const body = `${parts(
    'Content-Type: application/json\r\n\r\n[1]',
    `Content-Type: multipart/mixed; boundary=y\r\n\r\n${inner}`,
  )}--x--\r\n`;
  const headers = { 'content-type': 'multipart/mixed; boundary=x' };
  const response = await fetch(`${mock.url}/nested`, { method: 'POST', body, headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('"pointer":"/1/0"');
});

it('a client reads a stream of items that are lists of parts', async () => {
  const items: unknown[] = [];
  const response = await client['getStream']?.();
  for await (const item of (response?.data ?? []) as AsyncIterable<unknown>) items.push(item);
  expect(items).toHaveLength(3);
  expect(items).toEqual(items.map(() => expect.arrayContaining([{ b: expect.any(Number) as number }])));
});

it('a mock writes a list as parts, each in its media type', async () => {
  const response = await fetch(`${mock.url}/nested`);
  expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=/);
  const text = await response.text();
  expect(text).toMatch(/Content-Type: application\/xml\r\n\r\n<\?xml version="1.0" encoding="UTF-8"\?><thing><a>/);
});

it('a contract run finds nothing in a mock with lists of parts, and finds the faults of a wrong server', async () => {
  const { findings } = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
  expect(findings.map(({ check, message }) => [check, message])).toEqual([]);
  const headers = { 'content-type': 'multipart/mixed; boundary=x' };
  const wrong: typeof fetch = async (input, init) =>
    init?.method === 'GET' ? new Response('--x\r\n\r\na\r\n--x--\r\n', { headers }) : mock.fetch(input, init);
  const bad = await runContract({ api, url: mock.url, fetch: wrong, phases: ['examples'] });
  expect(bad.findings.map(({ check, operationId }) => `${check} ${operationId}`)).toContain(
    'response schema getNested',
  );
});
