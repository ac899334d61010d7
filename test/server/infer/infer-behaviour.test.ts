import { beforeEach, describe, expect, test } from 'vitest';

import { inferBehaviour } from '../../../server/infer/infer-behaviour.js';
import type { Api } from '../../../model/api.js';
import { loadDocument } from '../../support/load-document.js';
import { type FakeResponse, FakeMock, START } from './fake-mock.js';
import { SHOP } from './shop-document.js';

const shop: Api = await loadDocument(SHOP);
let mock: FakeMock;

beforeEach(() => {
  mock = new FakeMock(shop);
});

async function createProduct(body: object = {}): Promise<Record<string, unknown>> {
  const response = await mock.call('createProduct', { body: { name: 'Lamp', ...body } });
  expect(response).toMatchObject({ status: 201, problems: [] });
  return response.data as Record<string, unknown>;
}

function idOf(item: Readonly<Record<string, unknown>>): { readonly productId: unknown } {
  return { productId: item['id'] };
}

describe('a new item', () => {
  test('a new item has the members of the client and those of the service', async () => {
    const product = await createProduct({ price: 5, secret: 'x', unknown: 1, id: 'mine', createdAt: 'then' });
    const now = new Date(START).toISOString();
    expect(product).toMatchObject({
      name: 'Lamp',
      price: 5,
      color: 'grey',
      status: 'draft',
      createdAt: now,
      updatedAt: now,
    });
    expect(product['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(product['self']).toBe(`http://mock.test/base/products/${String(product['id'])}`);
    expect(product['maker']).toHaveProperty('country');
    for (const name of ['secret', 'unknown']) expect(product).not.toHaveProperty(name);
  });

  test('a new item has a numeric id if the examples have one, and a different one', async () => {
    const item = { type: 'object', properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } } };
    const content = (id: string): object => ({
      'application/json': { schema: item, example: { id, name: 'cup' } },
    });
    const cups = new FakeMock(
      await loadDocument({
        openapi: '3.1.0',
        info: { title: 'Cups', version: '1' },
        paths: {
          '/cups': {
            post: {
              operationId: 'addCup',
              requestBody: { content: { 'application/json': { schema: item } } },
              responses: { 201: { description: '', content: content('2') } },
            },
          },
          '/cups/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            get: { operationId: 'getCup', responses: { 200: { description: '', content: content('1') } } },
          },
        },
      }),
    );
    const made = [
      await cups.call('addCup', { body: { name: 'a' } }),
      await cups.call('addCup', { body: { name: 'b' } }),
    ];
    expect(made.map(({ data }) => (data as { id: string }).id)).toEqual(['3', '4']);
  });

  test('the Location of a new item leads to the item', async () => {
    const response = await mock.call('createProduct', { body: { name: 'Lamp' } });
    expect(response.headers['location']).toBe(`/base/products/${(response.data as { id: string }).id}`);
  });

  test('a new item does not change between reads', async () => {
    const product = await createProduct();
    const reads = await Promise.all([1, 2].map(() => mock.call('getProduct', { path: idOf(product) })));
    for (const { data, problems } of reads) expect({ data, problems }).toEqual({ data: product, problems: [] });
  });
});

describe('writing an item', () => {
  test('PATCH merges, and changes no time but that of the last change', async () => {
    const product = await createProduct({ price: 5, note: 'a', tags: ['x'] });
    mock.now += 1000;
    const body = { price: null, note: null, tags: ['y'], maker: { country: 'DK' }, id: 'other' };
    const { data, problems } = await mock.call('patchProduct', { path: idOf(product), body });
    const { price, ...rest } = product;
    expect(price).toBe(5);
    const updatedAt = new Date(START + 1000).toISOString();
    expect({ data, problems }).toEqual({
      data: { ...rest, note: null, tags: ['y'], maker: { country: 'DK' }, updatedAt },
      problems: [],
    });
  });

  test('a merge patch by its media type removes members that are null', async () => {
    const product = await createProduct({ note: 'a' });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { data } = await mock.call('patchProduct', { path: idOf(product), headers, body: { note: null } });
    expect(data).not.toHaveProperty('note');
  });

  test('PUT replaces every member that clients can send', async () => {
    const product = await createProduct({ price: 5, color: 'red' });
    const { data } = await mock.call('replaceProduct', {
      path: idOf(product),
      body: { name: 'New', maker: { country: 'SE' } },
    });
    expect(data).toMatchObject({
      id: product['id'],
      createdAt: product['createdAt'],
      name: 'New',
      color: 'grey',
      status: 'draft',
    });
    expect(data).not.toHaveProperty('price');
  });

  test('DELETE removes the item with all items below it, and a read gets 404', async () => {
    const product = await createProduct();
    await mock.call('createReview', { path: idOf(product), body: { review: { text: 'good' } } });
    expect(await mock.call('deleteProduct', { path: idOf(product) })).toMatchObject({
      status: 204,
      data: undefined,
      problems: [],
    });
    for (const id of ['getProduct', 'deleteProduct', 'patchProduct', 'replaceProduct', 'listReviews']) {
      expect({ id, status: (await mock.call(id, { path: idOf(product), body: { name: 'x' } })).status }).toEqual({
        id,
        status: 404,
      });
    }
    expect(await mock.store.query(`/products/${String(product['id'])}/reviews`, {})).toMatchObject({ total: 0 });
  });

  test('an action of an item sets the status that is named after the action', async () => {
    const product = await createProduct();
    const { status, data } = await mock.call('archiveProduct', { path: { id: product['id'] } });
    expect({ status, data }).toMatchObject({ status: 200, data: { id: product['id'], status: 'archived' } });
  });
});

describe('conditions', () => {
  test('an outdated If-Match is refused, and so is the second of two writers with the same entity tag', async () => {
    const product = await createProduct();
    const path = idOf(product);
    const wrong = await mock.call('patchProduct', { path, headers: { 'if-match': '"x"' }, body: { name: 'y' } });
    expect(wrong.status).toBe(412);
    const { etag } = (await mock.call('getProduct', { path })).headers;
    const headers = { 'if-match': etag };
    const responses = await Promise.all(
      ['a', 'b'].map((name) => mock.call('patchProduct', { path, headers, body: { name } })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect((await mock.call('getProduct', { path, headers: { 'if-none-match': '*' } })).status).toBe(304);
  });
});

describe('lists', () => {
  const NAMES = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'];

  async function list(query: Readonly<Record<string, unknown>>): Promise<{ names: string[]; response: FakeResponse }> {
    for (const [index, name] of NAMES.entries()) {
      await createProduct({
        name,
        price: index * 10,
        color: index % 2 === 0 ? 'red' : 'blue',
        tags: index === 1 ? ['new'] : [],
      });
    }
    const response = await mock.call('listProducts', { query });
    expect(response.problems).toEqual([]);
    return { names: (response.data as { items: { name: string }[] }).items.map(({ name }) => name), response };
  }

  test.each<readonly [Readonly<Record<string, unknown>>, readonly string[], number]>([
    [{}, NAMES, 5],
    [{ color: 'blue' }, ['Birch', 'Dogwood'], 2],
    [{ color: 'BLUE', limit: 1 }, ['Birch'], 2],
    [{ min_price: 30 }, ['Dogwood', 'Elm'], 2],
    [{ tag: ['new', 'old'] }, ['Birch'], 1],
    [{ q: 'CED' }, ['Cedar'], 1],
    [{ sort: '-price' }, NAMES.toReversed(), 5],
    [{ sort: 'color,-price' }, ['Dogwood', 'Birch', 'Elm', 'Cedar', 'Ash'], 5],
    [{ limit: 2, offset: 3 }, ['Dogwood', 'Elm'], 5],
    [{ offset: 9 }, [], 5],
  ])('a list is filtered, sorted and paged by its query: %j', async (query, names, total) => {
    const found = await list(query);
    expect(found.names).toEqual(names);
    expect(found.response.data).toMatchObject({
      total,
      hasMore:
        names.length + Number(query['offset'] ?? 0) < total &&
        query['limit'] !== undefined &&
        query['offset'] === undefined,
    });
  });

  test('items in a list stay the same between reads', async () => {
    const first = await list({});
    const second = await mock.call('listProducts');
    expect(second.data).toEqual(first.response.data);
    expect(Object.keys((second.data as { items: object[] }).items[0] ?? {}).sort()).toEqual(['id', 'name', 'rank']);
  });
});

describe('items below an item', () => {
  test('items below an item are separate for each parent, in its envelope, with its id', async () => {
    const [one, other] = [await createProduct(), await createProduct()];
    const made = await mock.call('createReview', { path: idOf(one), body: { review: { text: 'good' } } });
    expect(made).toMatchObject({
      status: 201,
      problems: [],
      data: { review: { id: 1, productId: one['id'], text: 'good' } },
    });
    expect((await mock.call('listReviews', { path: idOf(one) })).data).toHaveLength(1);
    expect((await mock.call('listReviews', { path: idOf(other) })).data).toEqual([]);
    expect((await mock.call('getReview', { path: { ...idOf(one), reviewId: 1 } })).status).toBe(200);
    expect(
      (await mock.call('createReview', { path: { productId: 'none' }, body: { review: { text: 'x' } } })).status,
    ).toBe(404);
  });
});

describe('singletons', () => {
  test('singletons start as their example, and return what was written', async () => {
    expect((await mock.call('getSettings')).data).toEqual({ theme: 'dark', language: 'da' });
    await mock.call('patchSettings', { body: { theme: 'light' } });
    expect((await mock.call('getSettings')).data).toEqual({ theme: 'light', language: 'da' });
  });
});

test('names of members that every object inherits are data', async () => {
  const product = await createProduct(
    JSON.parse('{"__proto__":{"polluted":1},"constructor":"x","tags":["__proto__"]}'),
  );
  expect(product['polluted']).toBeUndefined();
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(product)).not.toContain('constructor');
  for (const productId of ['__proto__', 'constructor', '../products', '%2F', '']) {
    expect((await mock.call('getProduct', { path: { productId } })).status).toBe(404);
  }
});

describe('an item with an expiry', () => {
  const path = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const session = (extra: object): object => ({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' }, ...extra },
  });
  const open = async (extra: object, example?: object): Promise<FakeMock> => {
    const content = { 'application/json': { schema: session(extra), ...(example === undefined ? {} : { example }) } };
    const note = { 'application/json': { schema: session({}) } };
    return new FakeMock(
      await loadDocument({
        openapi: '3.1.0',
        info: { title: 'Sessions', version: '1' },
        paths: {
          '/sessions': {
            get: {
              operationId: 'list',
              responses: {
                200: {
                  description: '',
                  content: { 'application/json': { schema: { type: 'array', items: session(extra) } } },
                },
              },
            },
            post: { operationId: 'create', requestBody: { content }, responses: { 201: { description: '', content } } },
          },
          '/sessions/{id}': {
            get: { operationId: 'read', parameters: [path('id')], responses: { 200: { description: '', content } } },
          },
          '/sessions/{id}/notes': {
            post: {
              operationId: 'note',
              parameters: [path('id')],
              requestBody: { content: note },
              responses: { 201: { description: '', content: note } },
            },
          },
        },
      }),
    );
  };
  const statusOf = async (one: FakeMock, id: unknown): Promise<number> =>
    (await one.call('read', { path: { id } })).status;

  test.each([
    ['a time', { format: 'date-time', type: 'string', 'x-expires': {} }, new Date(START + 5_000).toISOString()],
    ['seconds', { type: 'integer', 'x-expires': {} }, START / 1_000 + 5],
    ['milliseconds as text', { type: 'string', 'x-expires': { unit: 'milliseconds' } }, String(START + 5_000)],
  ])('an item with an expiry is removed at that time, with the items below it: %s', async (_, schema, until) => {
    const sessions = await open({ until: schema });
    const { data } = await sessions.call('create', { body: { until } });
    const { id } = data as { readonly id: string };
    expect((await sessions.call('note', { path: { id }, body: {} })).status).toBe(201);
    sessions.now += 4_999;
    expect(await statusOf(sessions, id)).toBe(200);
    sessions.now += 1;
    expect((await sessions.call('note', { path: { id }, body: {} })).status).toBe(404);
    expect(await statusOf(sessions, id)).toBe(404);
    expect((await sessions.call('list')).data).toEqual([]);
  });

  test.each([
    ['something else', { 'x-expires': { what: 'new session' } }],
    ['the member only', { 'x-expires': { after: 'PT1S' } }],
    ['nothing', {}],
  ])('an item is not removed if its expiry describes %s', async (_, said) => {
    const sessions = await open({ until: { type: 'integer', ...said } });
    const { data } = await sessions.call('create', { body: { until: START / 1_000 + 5 } });
    sessions.now += 3_600_000;
    expect(await statusOf(sessions, (data as { readonly id: string }).id)).toBe(200);
  });

  test('an example is not removed, although its expiry is past', async () => {
    const sessions = await open({ until: { type: 'integer', 'x-expires': {} } }, { id: 'old', until: 1 });
    expect(await statusOf(sessions, 'old')).toBe(200);
  });
});

test('an operation that cannot be inferred has no handler', () => {
  expect(mock.isInferred('getReport')).toBe(false);
});

test('no operation is analysed before its first call', () => {
  const operations = shop.operations.map((operation) => ({
    ...operation,
    get responses(): never {
      throw new Error('read too early');
    },
  }));
  const behaviour = inferBehaviour({ ...shop, operations });
  expect(Object.keys(behaviour.operations ?? {})).toHaveLength(operations.length);
});
