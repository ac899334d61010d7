import { afterAll, beforeAll, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import type { Api } from '../../../model/api.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { emitClient, type TestClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';

const xml = (schema: object): object => ({ content: { 'application/xml': { schema } } });
const BOOK = { $ref: '#/components/schemas/Book' };
const ERROR = {
  type: 'object',
  required: ['reason'],
  xml: { name: 'refusal' },
  properties: { reason: { type: 'string' } },
};
const bad = { description: 'bad', ...xml(ERROR) };

/** An API whose items, lists and errors are XML, each with its own root. */
const DOCUMENT = {
  ...documentWith(
    {
      '/books': {
        get: {
          operationId: 'listBooks',
          responses: {
            200: {
              description: 'ok',
              ...xml({ type: 'array', items: BOOK, xml: { nodeType: 'element', name: 'books' } }),
            },
          },
        },
        post: {
          operationId: 'addBook',
          requestBody: { required: true, ...xml(BOOK) },
          responses: { 201: { description: 'made', ...xml(BOOK) }, '4xx': bad },
        },
      },
      '/books/{id}': {
        get: {
          operationId: 'getBook',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', ...xml(BOOK) }, 404: bad },
        },
      },
    },
    {
      components: {
        schemas: {
          Book: {
            type: 'object',
            required: ['id', 'title'],
            xml: { name: 'book' },
            properties: {
              id: { type: 'integer', minimum: 1, xml: { nodeType: 'attribute' } },
              title: { type: 'string', minLength: 1 },
              note: { type: 'string', xml: { nodeType: 'cdata' } },
            },
          },
        },
      },
    },
  ),
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

it('a mock stores items from XML bodies, and lists them as XML', async () => {
  expect((await client['addBook']?.({ body: { id: 7, title: 'A <b>' } }))?.data).toEqual({ id: 7, title: 'A <b>' });
  expect((await client['getBook']?.({ path: { id: 7 } }))?.data).toEqual({ id: 7, title: 'A <b>' });
  expect((await client['listBooks']?.())?.data).toEqual([{ id: 7, title: 'A <b>' }]);
});

it('a client reads the XML of each status by the schema of that status', async () => {
  expect(output.typeCheck()).toBe('');
  await expect(client['getBook']?.({ path: { id: 999 } })).rejects.toMatchObject({
    status: 404,
    body: { reason: expect.any(String) as string },
  });
  await expect(client['addBook']?.({ body: { id: 0, title: 'x' } })).rejects.toMatchObject({
    status: 400,
    body: { reason: expect.any(String) as string },
  });
});

it('a contract run finds nothing in a mock whose items are XML', async () => {
  const { findings } = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
  expect(findings.map(({ check, message }) => [check, message])).toEqual([]);
});
