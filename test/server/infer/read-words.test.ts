import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { ResourceFinder } from '../../../resources/resource-finder.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { loadDocument } from '../../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string' };
const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
});
const DOCUMENT: Json = { $ref: '#/components/schemas/Document' };
const ONE = object({ data: DOCUMENT });

interface Call {
  readonly summary?: string;
  readonly body?: Json;
  readonly response?: Json;
  readonly method?: 'get' | 'post';
}

/** The paths of calls, by the word of a call. */
const STYLES: Readonly<Record<string, (word: string) => string>> = {
  dots: (word) => `/documents.${word}`,
  folders: (word) => `/api/documents/${word}`,
  singular: (word) => `/api/document/${word}`,
};

const CALLS: Readonly<Record<string, Call>> = {
  create: { body: object({ title: TEXT }), response: ONE },
  list: {
    body: object({ limit: { type: 'integer' } }, []),
    response: object({ data: { type: 'array', items: DOCUMENT } }),
  },
  update: { body: object({ id: TEXT, title: TEXT }, ['id']), response: ONE },
  delete: { body: object({ id: TEXT }), response: object({ success: { type: 'boolean' } }) },
};

const BY_ID: Call = { body: object({ id: TEXT, shareId: TEXT }, ['id']), response: ONE };

function toDocument(at: (word: string) => string, calls: Readonly<Record<string, Call>>): Json {
  const paths = Object.entries(calls).map(([word, { summary, body, response = ONE, method = 'post' }]) => {
    const operation = {
      operationId: `call-${word}`,
      ...(summary === undefined ? {} : { summary }),
      ...(method === 'get'
        ? { parameters: [{ name: 'id', in: 'query', required: true, schema: TEXT }] }
        : { requestBody: { required: true, ...json(body ?? {}) } }),
      responses: { 200: { description: 'ok', ...json(response) }, 404: { description: 'none' } },
    };
    return [at(word), { [method]: operation }] as const;
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Documents', version: '1' },
    paths: Object.fromEntries(paths),
    components: {
      schemas: {
        Document: object({ id: { type: 'string', format: 'uuid' }, title: TEXT, starred: { type: 'boolean' } }, [
          'id',
          'title',
        ]),
      },
    },
  };
}

/** Starts a mock of calls; `call` sends one of them. */
async function start(
  at: (word: string) => string,
  calls: Readonly<Record<string, Call>>,
): Promise<{
  readonly call: (word: string, body: Json) => Promise<readonly [status: number, body: unknown]>;
  readonly close: () => Promise<void>;
}> {
  const mock = await startMock(await loadDocument(toDocument(at, calls)), { seed: 1 });
  return {
    close: () => mock.close(),
    call: async (word, body) => {
      const isGet = calls[word]?.method === 'get';
      const query = isGet ? `?${new URLSearchParams(body as Record<string, string>).toString()}` : '';
      const response = await mock.fetch(mock.url + at(word) + query, {
        method: isGet ? 'GET' : 'POST',
        ...(isGet ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      return [response.status, text === '' ? undefined : (JSON.parse(text) as unknown)];
    },
  };
}

const READS: readonly (readonly [word: string, call?: Call])[] = [
  ['get'],
  ['retrieve'],
  ['view'],
  ['info'],
  ['details'],
  ['detail'],
  ['lookup'],
  ['inspect'],
  ['open'],
  ['one'],
  ['byId'],
  ['find'],
  ['search'],
  ['item'],
  ['frobnicate'],
  ['whatever'],
  ['x1'],
  ['frobnicate', { ...BY_ID, summary: 'Retrieves a document' }],
  ['expand', { ...BY_ID, summary: 'Returns a document with its changes' }],
  ['find', { ...BY_ID, method: 'get' }],
  ['peruse', { ...BY_ID, method: 'get' }],
];

test.each(
  Object.entries(STYLES).flatMap(([style, at]) =>
    READS.map(([word, call]) => [`${word} in ${style}`, at, word, call ?? BY_ID] as const),
  ),
)('a call that takes the id alone and returns what the creation returns reads: %s', async (_, at, word, read) => {
  const { call, close } = await start(at, { ...CALLS, [word]: read });
  try {
    const [, made] = await call('create', { title: 'one' });
    await call('create', { title: 'two' });
    const id = String(valueAtPath(made, ['data', 'id']));
    expect(await call(word, { id })).toEqual([200, made]);
    await call('update', { id, title: 'three' });
    expect(valueAtPath((await call(word, { id }))[1], ['data', 'title'])).toBe('three');
    expect((await call(word, { id: '00000000-0000-4000-8000-000000000000' }))[0]).toBe(404);
    await call('delete', { id });
    expect((await call(word, { id }))[0]).toBe(404);
  } finally {
    await close();
  }
});

const CHANGES: readonly (readonly [word: string, call: Call])[] = [
  ['star', BY_ID],
  ['archive', BY_ID],
  ['publish', BY_ID],
  ['unstar', BY_ID],
  ['restore', BY_ID],
  ['lock', BY_ID],
  ['splork', { ...BY_ID, summary: 'Splork a document' }],
  ['handle', { ...BY_ID, summary: 'Archives a document' }],
];

test.each(CHANGES)(
  'a call that may change the item is an action on the stored item, not its read: %s',
  async (word, given) => {
    const { call, close } = await start((one) => `/documents.${one}`, { ...CALLS, [word]: given });
    try {
      const [, made] = await call('create', { title: 'one' });
      const id = String(valueAtPath(made, ['data', 'id']));
      expect(valueAtPath((await call(word, { id }))[1], ['data', 'id'])).toBe(id);
      if (word === 'star') expect(valueAtPath((await call(word, { id }))[1], ['data', 'starred'])).toBe(true);
    } finally {
      await close();
    }
  },
);

test.each(['duplicate', 'copy', 'fork'])('a call that copies an item creates another one: %s', async (word) => {
  const { call, close } = await start((one) => `/documents.${one}`, { ...CALLS, info: BY_ID, [word]: BY_ID });
  try {
    const [, made] = await call('create', { title: 'one' });
    const id = String(valueAtPath(made, ['data', 'id']));
    const [, copied] = await call(word, { id });
    const copy = String(valueAtPath(copied, ['data', 'id']));
    expect(copy).not.toBe(id);
    expect(valueAtPath((await call('info', { id: copy }))[1], ['data', 'title'])).toBe('one');
    expect((await call(word, { id: '00000000-0000-4000-8000-000000000000' }))[0]).toBe(404);
  } finally {
    await close();
  }
});

test('of several calls with unknown words, none is taken for the read, and each is listed as unsure', async () => {
  const calls = { ...CALLS, frobnicate: BY_ID, splork: BY_ID };
  const finder = new ResourceFinder(await loadDocument(toDocument((one) => `/documents.${one}`, calls)));
  const [unsure] = [...finder.groups.groups].flatMap(({ verbs }) => (verbs === undefined ? [] : [verbs.unsure]));
  expect(unsure?.map(({ operation, basis }) => [operation.id, basis.isSure])).toEqual([
    ['call-frobnicate', false],
    ['call-splork', false],
  ]);
});
