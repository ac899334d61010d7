import { expect, onTestFinished, test } from 'vitest';

import { HttpError } from '../../../http/http-error.js';
import { startMock } from '../../../server/start-mock.js';
import { defineMock } from '../../../server/define-mock.js';
import type { MockDefinition } from '../../../server/mock-definition.js';
import type { ResourceHooks } from '../../../server/resource-hooks.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

interface Note {
  readonly id: string;
  readonly text: string;
  readonly colour?: string;
  readonly secret?: string;
  readonly words?: number;
}

const json = (schema: object, example?: object): object => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});
const ok = (schema: object, example?: object): object => ({ description: 'ok', ...json(schema, example) });
const NOTE = { $ref: '#/components/schemas/Note' };
const CHANGE = { type: 'object', properties: { text: { type: ['string', 'null'] } } };
const NONE = { description: 'none' };
const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const SHELF = { name: 'shelf', in: 'path', required: true, schema: { type: 'string' } };
const TOKEN = { name: 'pageToken', in: 'query', schema: { type: 'string' } };
const SIZE = { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 0 } };
const DOCUMENT = documentWith(
  {
    '/shelves/{shelf}/notes': {
      parameters: [SHELF],
      get: {
        parameters: [TOKEN, SIZE],
        responses: { 200: ok({ $ref: '#/components/schemas/NoteList' }), 400: NONE },
      },
      post: {
        operationId: 'addNote',
        requestBody: json(NOTE),
        responses: { 201: ok(NOTE, { id: 'shown-1', text: 'added' }), 409: NONE },
      },
    },
    '/shelves/{shelf}/notes/{id}': {
      parameters: [SHELF, { name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: ok(NOTE, { id: 'shown-2', text: 'read' }), 404: NONE } },
      patch: { parameters: [IF_MATCH], requestBody: json(CHANGE), responses: { 200: ok(NOTE), 404: NONE, 412: NONE } },
      delete: { responses: { 204: NONE, 404: NONE } },
    },
  },
  {
    components: {
      schemas: {
        Note: {
          type: 'object',
          required: ['text'],
          properties: {
            id: { type: 'string' },
            text: { type: 'string', minLength: 2 },
            colour: { type: 'string', default: 'red' },
            words: { type: 'integer' },
            size: {
              type: 'object',
              properties: { width: { type: 'integer' }, area: { type: 'integer', readOnly: true } },
            },
          },
        },
        NoteList: {
          type: 'object',
          properties: { notes: { type: 'array', items: NOTE }, nextPageToken: { type: 'string' } },
        },
      },
    },
  },
);

interface Received {
  readonly status: number;
  readonly data: unknown;
}

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Received>;

async function serve(hooks: ResourceHooks<Note>, definition: MockDefinition = {}): Promise<Send> {
  const mock = await startMock(
    defineMock(await loadDocument(DOCUMENT), { resources: { Note: { examples: [], ...hooks } }, ...definition }),
    { seed: 1 },
  );
  onTestFinished(() => mock.close());
  return async (method, path, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await mock.fetch(`http://mock/shelves/a/notes${path}`, {
      method,
      ...sent,
      headers: { ...type, ...headers },
    });
    const text = await response.text();
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text) };
  };
}

test('the hook refuse makes every error of a resource, and gets the id of the call', async () => {
  const send = await serve({
    refuse: ({ reason, id = '-' }) => new HttpError(404, `${reason} ${id}`, { details: { reason } }),
  });
  await send('POST', '', { id: 'n1', text: 'one' });
  const calls: readonly Parameters<Send>[] = [
    ['GET', '/none'],
    ['PATCH', '/none', {}],
    ['DELETE', '/none'],
    ['POST', '', { id: 'n1', text: 'again' }],
    ['PATCH', '/n1', { text: 'two' }, { 'if-match': '"other"' }],
    ['GET', '?pageToken=none'],
  ];
  const refused: unknown[] = [];
  for (const call of calls) {
    const { status, data } = await send(...call);
    refused.push([status, (data as { detail: string; reason: string }).detail]);
  }
  expect(refused).toEqual(
    ['unknown none', 'unknown none', 'unknown none', 'taken n1', 'changed n1', 'page -'].map((text) => [404, text]),
  );
  expect((await send('GET', '/n1')).data).toMatchObject({ text: 'one' });
});

test('the hook makeId gives new items their ids, and is called again if an id is taken', async () => {
  let count = 0;
  const send = await serve({ makeId: () => `n${Math.floor((count += 1) / 2)}` });
  const ids: unknown[] = [];
  for (const text of ['one', 'two', 'three']) ids.push(((await send('POST', '', { text })).data as Note).id);
  expect(ids).toEqual(['n0', 'n1', 'n2']);
});

test('the option examples chooses the examples that a collection starts with', async () => {
  const idsOf = async (hooks: ResourceHooks<Note>): Promise<readonly string[]> =>
    ((await (await serve(hooks))('GET', '')).data as { notes: Note[] }).notes.map(({ id }) => id);
  expect(await idsOf({ examples: ['create', 'read'] })).toEqual(['shown-1', 'shown-2']);
  expect(await idsOf({ examples: ['read'] })).toEqual(['shown-2']);
  expect(await idsOf({ examples: [] })).toEqual([]);
});

test('an item has no default values if hasDefaults is false', async () => {
  for (const [hooks, colour] of [
    [{}, 'red'],
    [{ hasDefaults: false }, undefined],
  ] as const) {
    const { data } = await (await serve(hooks))('POST', '', { text: 'one' });
    expect((data as Note).colour).toBe(colour);
  }
});

test('a page is shaped by page.show, and its items by page.showItem', async () => {
  const send = await serve({
    show: ({ id, text }) => ({ id, text: `read ${text}` }),
    page: {
      defaultSize: 2,
      showItem: ({ id, text }) => ({ id, text: `listed ${text}` }),
      show: ({ notes, ...page }) => (Array.isArray(notes) && notes.length > 0 ? { ...page, notes } : page),
    },
  });
  expect((await send('GET', '')).data).toEqual({});
  for (const id of ['n1', 'n2', 'n3']) await send('POST', '', { id, text: id });
  const { notes, nextPageToken } = (await send('GET', '?pageSize=0')).data as { notes: Note[]; nextPageToken: string };
  expect(notes.map(({ text }) => text)).toEqual(['listed n1', 'listed n2']);
  expect((await send('GET', `?pageToken=${nextPageToken}`)).data).toMatchObject({ notes: [{ id: 'n3' }] });
  expect((await send('GET', '/n1')).data).toMatchObject({ text: 'read n1' });
});

test('a page token of another list is refused', async () => {
  const send = await serve({ page: { defaultSize: 1 } });
  const other = '/../../b/notes';
  for (const id of ['n1', 'n2']) for (const list of ['', other]) await send('POST', list, { id, text: id });
  const { nextPageToken } = (await send('GET', other)).data as { nextPageToken: string };
  expect((await send('GET', `${other}?pageToken=${nextPageToken}`)).status).toBe(200);
  expect((await send('GET', `?pageToken=${nextPageToken}`)).status).toBe(400);
});

test('hooks on writes see the patched item before it is repaired to match the schema', async () => {
  const seen: unknown[] = [];
  const send = await serve({
    validate: ({ kind, item }) => {
      seen.push([kind, item.text]);
      if (kind === 'patch' && item.text === undefined) throw new HttpError(400, 'A note has a text.');
    },
  });
  await send('POST', '', { id: 'n1', text: 'one' });
  expect((await send('PATCH', '/n1', { text: null })).status).toBe(400);
  expect((await send('GET', '/n1')).data).toMatchObject({ text: 'one' });
  expect(seen).toEqual([
    ['create', 'one'],
    ['patch', undefined],
  ]);
});

test('a written handler adds members to the item that the default writes', async () => {
  const send = await serve(
    {
      beforeWrite: ({ item }) => ({ ...item, secret: `${item.secret}!` }),
      show: ({ secret, ...note }) => ({ ...note, text: String(secret) }),
    },
    { operations: { addNote: (call) => call.default({ words: 1, secret: 'known' }) } },
  );
  expect((await send('POST', '', { id: 'n1', text: 'one', words: 9 })).data).toMatchObject({
    words: 1,
    text: 'known!',
  });
  expect((await send('GET', '/n1')).data).toMatchObject({ words: 1, text: 'known!' });
});

test('nested members that only the service sets are ignored in requests', async () => {
  const send = await serve({});
  const { data } = await send('POST', '', { id: 'n1', text: 'one', size: { width: 2, area: 9 } });
  expect(data).toMatchObject({ size: { width: 2 } });
  expect(data).not.toHaveProperty('size.area');
});
