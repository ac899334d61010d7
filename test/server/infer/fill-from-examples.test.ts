import { expect, onTestFinished, test } from 'vitest';

import { defineMock } from '../../../server/define-mock.js';
import type { MockDefinition } from '../../../server/mock-definition.js';
import { startMock } from '../../../server/start-mock.js';
import type { Mock } from '../../../server/start/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const thing = (more: object = {}): object => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, ...more },
});
const id = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });

interface Shown {
  readonly parameters?: readonly object[];
  readonly schema: object;
  readonly example?: unknown;
  readonly status?: number;
}

function response({ parameters = [], schema, example, status = 200 }: Shown): object {
  const content = { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
  const body = status === 201 ? { requestBody: { content: { 'application/json': { schema } } } } : {};
  return { parameters, ...body, responses: { [status]: { description: 'ok', content } } };
}

const SHELF = thing();
const BOOK = thing();
const NOTE = thing({ bookId: { type: 'string' } });
const DOCUMENT = documentWith({
  '/shelves': {
    get: {
      operationId: 'listShelves',
      ...response({ schema: { type: 'array', items: SHELF }, example: [{ id: 's1' }, { id: 's2' }] }),
    },
    post: { operationId: 'addShelf', ...response({ schema: SHELF, status: 201 }) },
  },
  '/shelves/{shelfId}': {
    get: { operationId: 'getShelf', ...response({ parameters: [id('shelfId')], schema: SHELF }) },
  },
  '/shelves/{shelfId}/books': {
    get: {
      operationId: 'listBooks',
      ...response({ parameters: [id('shelfId')], schema: { type: 'array', items: BOOK }, example: [{ id: 'b1' }] }),
    },
    post: { operationId: 'addBook', ...response({ parameters: [id('shelfId')], schema: BOOK, status: 201 }) },
  },
  '/books/{bookId}/notes': {
    get: {
      operationId: 'listNotes',
      ...response({
        parameters: [id('bookId')],
        schema: { type: 'array', items: NOTE },
        example: [{ id: 'n1', bookId: 'b7' }],
      }),
    },
  },
  '/empty': {
    get: { operationId: 'listEmpty', ...response({ schema: { type: 'array', items: SHELF } }) },
    post: { operationId: 'addEmpty', ...response({ schema: SHELF, status: 201 }) },
  },
  '/settings': {
    get: {
      operationId: 'getSettings',
      ...response({ schema: { type: 'object', required: ['dark'], properties: { dark: { const: true } } } }),
    },
    put: {
      operationId: 'putSettings',
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: { dark: { const: true } } } } },
      },
      ...response({ schema: { type: 'object', required: ['dark'], properties: { dark: { const: true } } } }),
    },
  },
});

async function start(definition: MockDefinition = {}): Promise<Mock> {
  const mock = await startMock(defineMock(await loadDocument(DOCUMENT), definition) as never);
  onTestFinished(() => mock.close());
  return mock;
}

/** The ids by collection, without those of the mock itself. */
async function idsOf(mock: Mock, account?: string): Promise<Record<string, string[]>> {
  const { collections, accounts = {} } = await mock.state.get();
  const shown = account === undefined ? collections : (accounts[account] ?? {});
  const own = Object.entries(shown).filter(([name]) => !name.startsWith('#'));
  return Object.fromEntries(own.map(([name, items]) => [name, items.map((item) => item.id)]));
}

const ALL = {
  '/shelves': ['s1', 's2'],
  '/shelves/s1/books': ['b1'],
  '/books/b7/notes': ['n1'],
  '/settings': ['value'],
};

test('the state shows the examples of all collections before the first call', async () => {
  expect(await idsOf(await start())).toEqual(ALL);
});

test('requests find the filled state, and its snapshot can be restored', async () => {
  const mock = await start();
  const untouched = await mock.state.get();
  const list = async (path: string): Promise<unknown> => (await mock.fetch(mock.url + path)).json();
  expect(await list('/shelves/s1/books')).toEqual([{ id: 'b1' }]);
  await mock.fetch(`${mock.url}/shelves`, {
    method: 'POST',
    body: '{"id":"s3"}',
    headers: { 'content-type': 'application/json' },
  });
  expect(((await list('/shelves')) as unknown[]).length).toBe(3);
  await mock.state.put(untouched);
  expect(((await list('/shelves')) as unknown[]).length).toBe(2);
  await mock.reset();
  expect(await idsOf(mock)).toEqual(ALL);
});

test('deleted items do not come back when the state is read', async () => {
  const mock = await start();
  const state = await mock.state.get();
  await mock.state.put({ ...state, collections: { ...state.collections, '/shelves': [] } });
  expect(await idsOf(mock)).toEqual({ '/books/b7/notes': ['n1'], '/settings': ['value'], '/shelves/s1/books': ['b1'] });
});

test('collections of operations with a handler are not filled', async () => {
  const mock = await start({
    operations: { listNotes: (call) => call.respond(200 as never, { kind: 'json', value: [] }) },
  });
  const { '/books/b7/notes': _none, ...others } = ALL;
  expect(await idsOf(mock)).toEqual(others);
});

test('the state of each known account is filled, if accounts have their own state', async () => {
  const mock = await start({ stateBy: 'account' });
  expect((await mock.state.get()).accounts).toEqual({});
  await mock.fetch(`${mock.url}/empty`);
  expect(await idsOf(mock, 'anonymous')).toEqual(ALL);
});
