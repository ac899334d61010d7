import { describe, expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const KOI = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, spots: { type: 'integer' } },
  xml: { name: 'koi' },
};
const NEW_KOI = { ...KOI, required: ['name'] };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const RESULT = {
  type: 'object',
  required: ['name', 'outcome'],
  properties: { name: { type: 'string' }, outcome: { enum: ['stored', 'late'] }, spots: { type: 'integer' } },
  additionalProperties: false,
};

interface Pond {
  readonly add: (kois: readonly object[], accept?: string) => Promise<{ status: number; text: string; body: unknown }>;
  readonly names: () => Promise<unknown>;
  readonly notes: () => Promise<unknown>;
}

/** A mock of a pond whose kois are added several at once. */
async function dig(schema: object | undefined, { over = '', path = '/kois/batch' } = {}): Promise<Pond> {
  const content = { 'application/json': { schema }, 'application/xml': { schema } };
  const ok = schema === undefined ? { description: 'ok' } : { description: 'ok', content };
  const list = { 'application/json': { schema: { type: 'array', items: ref('Koi') } } };
  const id = { name: 'koiId', in: 'path', required: true, schema: { type: 'integer' } };
  const kois = { type: 'array', items: ref('NewKoi') };
  const addMany = {
    operationId: 'addMany',
    requestBody: { content: { 'application/json': { schema: kois } } },
    responses: { 200: ok },
  };
  const getAll = { operationId: 'getAll', responses: { 200: { description: 'ok', content: list } } };
  const koi = { 'application/json': { schema: ref('Koi') } };
  const addOne = {
    operationId: 'addOne',
    requestBody: { content: { 'application/json': { schema: ref('NewKoi') } } },
    responses: { 201: { description: 'ok', content: koi } },
  };
  const getOne = { operationId: 'getOne', responses: { 200: { description: 'ok', content: koi } } };
  const api = await loadDocument(
    documentWith(
      {
        '/kois': { get: getAll, post: path === '/kois' ? addMany : addOne },
        ...(path === '/kois' ? {} : { [path]: { post: addMany } }),
        '/kois/{koiId}': { parameters: [id], get: getOne },
      },
      { components: { schemas: { Koi: KOI, NewKoi: NEW_KOI, Result: RESULT } } },
    ),
  );
  const isSocket = over === 'a socket';
  const mock = await startMock(api, { seed: 1, ...(isSocket ? { port: 0 } : {}) });
  onTestFinished(() => mock.close());
  const send = isSocket ? fetch : mock.fetch;
  return {
    add: async (items, accept = 'application/json') => {
      const headers = { 'content-type': 'application/json', accept };
      const response = await send(`${mock.url}${path}`, { method: 'POST', headers, body: JSON.stringify(items) });
      const text = await response.text();
      return { status: response.status, text, body: text.startsWith('<') || text === '' ? text : JSON.parse(text) };
    },
    names: async () =>
      ((await (await send(`${mock.url}/kois`)).json()) as { readonly name: string }[]).map(({ name }) => name),
    notes: async () => (await mock.requests()).flatMap(({ notes = [] }) => notes),
  };
}

const TWO = [{ name: 'Aka', spots: 2 }, { name: 'Beni' }];

describe.each(['a call in process', 'a socket'])('over %s', (over) => {
  test.each<[string, object | undefined, unknown]>([
    ['one item', ref('Koi'), { id: 1, name: 'Aka', spots: 2 }],
    [
      'an enclosed item',
      { type: 'object', properties: { koi: ref('Koi') } },
      { koi: { id: 1, name: 'Aka', spots: 2 } },
    ],
    [
      'all items',
      { type: 'array', items: ref('Koi') },
      [
        { id: 1, name: 'Aka' },
        { id: 2, name: 'Beni' },
      ],
    ],
    [
      'an enclosed list',
      {
        type: 'object',
        required: ['count'],
        properties: { kois: { type: 'array', items: ref('Koi') }, count: { const: 7 } },
      },
      {
        kois: [
          { id: 1, name: 'Aka' },
          { id: 2, name: 'Beni' },
        ],
        count: 7,
      },
    ],
    [
      'a list of results',
      { type: 'array', items: ref('Result') },
      ['Aka', 'Beni'].map((name) => ({ name, outcome: expect.stringMatching(/^(stored|late)$/) as unknown })),
    ],
    ['a receipt', { type: 'object', required: ['done'], properties: { done: { const: true } } }, { done: true }],
    ['a text', { type: 'string', enum: ['stored'] }, 'stored'],
    ['nothing', undefined, ''],
  ])('the creation of a list responds with %s, and all items are there', async (_, schema, body) => {
    const { add, names, notes } = await dig(schema, { over });
    const added = await add(TWO);
    expect({ status: added.status, body: added.body }).toMatchObject({ status: 200, body });
    expect(await names()).toEqual(['Aka', 'Beni']);
    expect(await notes()).toEqual([]);
  });
});

test('a POST of a list to the collection itself may respond with one item', async () => {
  const { add, names } = await dig(ref('Koi'), { path: '/kois' });
  expect(await add(TWO)).toMatchObject({ status: 200, body: { id: 1, name: 'Aka' } });
  expect(await names()).toEqual(['Aka', 'Beni']);
});

test.each([1, 2])('the creation of a list of %i responds with one item as XML', async (count) => {
  const { add } = await dig(ref('Koi'));
  const { status, text } = await add(TWO.slice(0, count), 'application/xml');
  expect(status).toBe(200);
  expect(text).toMatch(/^<\?xml .*<koi>.*<name>Aka<\/name>.*<\/koi>$/s);
});

test('an empty list creates nothing, and the response is valid', async () => {
  const { add, names } = await dig(ref('Koi'));
  expect((await add([])).status).toBe(200);
  expect(await names()).toEqual([]);
});
