import { expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: object): object => ({ description: 'ok', ...json(schema) });

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: never }>;

interface Forge {
  readonly send: Send;
  readonly notes: () => Promise<readonly string[]>;
}

/** A mock of tools whose list has the schema, with an id of the type. */
async function open(list: object, { over = '', id = 'integer', example = {} } = {}): Promise<Forge> {
  const tool = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: id }, name: { type: 'string' }, weight: { type: 'number' } },
    ...example,
  };
  const parameter = { name: 'toolId', in: 'path', required: true, schema: { type: id } };
  const api = await loadDocument(
    documentWith(
      {
        '/tools': {
          get: { operationId: 'listTools', responses: { 200: ok(list) } },
          post: { operationId: 'addTool', requestBody: json(ref('NewTool')), responses: { 201: ok(ref('Tool')) } },
        },
        '/tools/{toolId}': {
          parameters: [parameter],
          get: { operationId: 'getTool', responses: { 200: ok(ref('Tool')), 404: { description: 'none' } } },
          delete: { operationId: 'dropTool', responses: { 204: { description: 'gone' } } },
        },
      },
      { components: { schemas: { Tool: tool, NewTool: { ...tool, required: ['name'] } } } },
    ),
  );
  const isSocket = over === 'a socket';
  const mock = await startMock(api, { seed: 1, ...(isSocket ? { port: 0 } : {}) });
  onTestFinished(() => mock.close());
  const send: Send = async (method, path, body) => {
    const response = await (isSocket ? fetch : mock.fetch)(`${mock.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
  };
  return { send, notes: async () => (await mock.requests()).flatMap(({ notes = [] }) => notes) };
}

interface Tool {
  readonly id: number | string;
  readonly name: string;
}

const bare = (minItems: number): object => ({ type: 'array', minItems, items: ref('Tool') });

test.each<[string, object, string, string]>([
  ['a list', bare(2), 'integer', 'a call in process'],
  ['a list', bare(2), 'integer', 'a socket'],
  ['a list of items with text ids', bare(2), 'string', 'a call in process'],
  [
    'a list in an envelope',
    { type: 'object', required: ['data'], properties: { data: bare(2), total: { type: 'integer' } } },
    'integer',
    'a call in process',
  ],
])('%s with minItems shows made-up items that can be read', async (_, list, id, over) => {
  const { send, notes } = await open(list, { id, over });
  const { status, body } = await send('GET', '/tools');
  expect(status).toBe(200);
  const tools: readonly Tool[] = Array.isArray(body) ? body : (body as { readonly data: readonly Tool[] }).data;
  expect(tools).toHaveLength(2);
  for (const tool of tools)
    expect((await send('GET', `/tools/${encodeURIComponent(tool.id)}`)).body).toMatchObject(tool);
  const added = await send('POST', '/tools', { name: 'tongs' });
  expect(added.status).toBe(201);
  expect(tools.map((tool) => tool.id)).not.toContain((added.body as Tool).id);
  expect(JSON.stringify((await send('GET', '/tools')).body)).toContain('tongs');
  expect(await notes()).toEqual([]);
});

test('a list with minItems shows its examples before made-up items', async () => {
  const { send } = await open(bare(2), { example: { example: { id: 41, name: 'anvil' } } });
  const { body } = await send('GET', '/tools');
  expect(body).toMatchObject([{ id: 41, name: 'anvil' }, {}]);
});

test('a list that has fewer items than minItems after deletions is made up, with a note', async () => {
  const { send, notes } = await open(bare(1));
  const [tool] = (await send('GET', '/tools')).body as readonly Tool[];
  expect((await send('DELETE', `/tools/${tool?.id}`)).status).toBe(204);
  const { status, body } = await send('GET', '/tools');
  expect([status, (body as readonly Tool[]).length > 0]).toEqual([200, true]);
  expect((await send('GET', `/tools/${tool?.id}`)).status).toBe(404);
  expect(await notes()).toEqual([expect.stringMatching(/^listTools sent a made-up 200, .* fewer than 1 items/)]);
});

test('a list without minItems is empty at the start', async () => {
  const { send } = await open({ type: 'array', items: ref('Tool') });
  expect((await send('GET', '/tools')).body).toEqual([]);
});
