import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { defineMock, startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';
import { emitClient, type TestClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';

const FILTER = {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { type: 'string' } } },
};
const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
const whole = (mediaType: string, schema: object, more: object = {}): object => ({
  name: 'filter',
  in: 'querystring',
  required: true,
  content: { [mediaType]: { schema, ...more } },
});
const PATHS: Readonly<Record<string, object>> = {
  form: whole('application/x-www-form-urlencoded', FILTER),
  json: whole('application/json', FILTER),
  mixed: whole('application/x-www-form-urlencoded', FILTER, {
    encoding: { tags: { contentType: 'application/json' } },
  }),
  text: whole('text/plain', { type: 'string', pattern: '^[a-z ]+$' }),
  cookie: { name: 'color', in: 'cookie', style: 'cookie', schema: { type: 'array', items: { type: 'string' } } },
  joined: {
    name: 'color',
    in: 'cookie',
    style: 'cookie',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
};
const DOCUMENT = {
  openapi: '3.2.0',
  info: { title: 'Queries', version: '1' },
  paths: Object.fromEntries(
    Object.entries(PATHS).map(([name, parameter]) => [
      `/${name}`,
      { get: { operationId: name, parameters: [parameter], responses } },
    ]),
  ),
};

const output = new OutputFolder();
let mock: { readonly url: string; readonly close: () => Promise<void> };
let client: TestClient;

/** Responds with what was sent, and with what the mock read of it. */
beforeAll(async () => {
  const api = await loadDocument(DOCUMENT);
  const operations = Object.fromEntries(
    Object.keys(PATHS).map((name) => [
      name,
      (call: { readonly request: { readonly target: string; readonly headers: object }; readonly input: object }) => ({
        status: 200,
        headers: {},
        refusal: false,
        body: { kind: 'json' as const, value: { target: call.request.target, ...call.request.headers, ...call.input } },
      }),
    ]),
  );
  mock = await startMock(defineMock(api, { operations }), { port: 0 });
  const createTestClient = await emitClient(api, output);
  client = createTestClient({ baseUrl: mock.url });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

describe('a whole query as one parameter', () => {
  const filter = { size: 2, tags: ['a b', 'c&d'] };
  it.each([
    ['form', filter, '/form?size=2&tags=a%20b&tags=c%26d'],
    ['json', filter, '/json?%7B%22size%22%3A2%2C%22tags%22%3A%5B%22a%20b%22%2C%22c%26d%22%5D%7D'],
    ['mixed', filter, '/mixed?size=2&tags=%5B%22a%20b%22%2C%22c%26d%22%5D'],
    ['text', 'a b', '/text?a%20b'],
  ])('a whole query as one parameter is written as %s, and read back unchanged', async (name, value, target) => {
    const response = await client[name]?.({ query: { filter: value } });
    expect(response?.data).toMatchObject({ target, query: { filter: value } });
  });

  it('a whole query as one parameter is validated', async () => {
    await expect(client['form']?.({ query: { filter: { size: 0 } } })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a cookie of style cookie', () => {
  it.each([
    ['cookie', 'color=light b|ue; color=b%lack'],
    ['joined', 'color=light b|ue,b%lack'],
  ])('a cookie of style cookie is written without percent-encoding: %s', async (name, cookie) => {
    const response = await client[name]?.({ cookies: { color: ['light b|ue', 'b%lack'] } });
    expect(response?.data).toMatchObject({ cookie, cookies: { color: ['light b|ue', 'b%lack'] } });
  });

  it.each(['a; b=c', 'a\nb', 'a\u0000b'])('a cookie of style cookie refuses the value %j', async (color) => {
    await expect(client['cookie']?.({ cookies: { color: [color] } })).rejects.toThrow(
      'a semicolon or a control character',
    );
  });
});

it('the client for whole queries and cookies type-checks, and contract tests find nothing in the mock', async () => {
  expect(output.typeCheck()).toBe('');
  const api = await loadDocument(DOCUMENT);
  await using plain = await startMock(api, { seed: 1 });
  const report = await runContract({ api, url: plain.url, fetch: plain.fetch, maxExamples: 4 });
  expect(report.findings.map(({ check, operationId, message }) => [check, operationId, message])).toEqual([]);
});
