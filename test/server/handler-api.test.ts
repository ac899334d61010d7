import { describe, expect, test } from 'vitest';

import {
  ActionRefusedError,
  HttpError,
  type Mock,
  type MockDefinition,
  compileSchema,
  cutPage,
  defineMock,
  isNotModifiedSince,
  makeEtag,
  matchesEtag,
  numberOf,
  parseHttpDate,
  startMock,
  toHttpDate,
  toIsoTime,
} from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, size: { type: 'integer' } } };
const json = (schema: object): object => ({ 'application/json': { schema } });

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const OK = { description: 'ok', content: json(ITEM) };
const DOCUMENT = documentWith({
  '/items': {
    get: { operationId: 'listItems', responses: { 200: { ...OK, content: json({ type: 'array', items: ITEM }) } } },
  },
  '/items/{id}': {
    get: { operationId: 'getItem', parameters: [ID], responses: { 200: OK, 404: { description: 'gone' } } },
    put: {
      operationId: 'putItem',
      parameters: [ID],
      requestBody: { content: json(ITEM) },
      responses: { 200: OK, 201: OK },
    },
  },
  '/now': { get: { operationId: 'getNow', responses: { 200: { description: 'ok', content: json({ const: 7 }) } } } },
});

async function openItems(definition: MockDefinition): Promise<Mock<object>> {
  return startMock(defineMock(await loadDocument(DOCUMENT), definition));
}

const put = (mock: Mock<object>, id: string): Promise<Response> =>
  mock.fetch(`${mock.url}/items/${id}`, {
    method: 'PUT',
    body: JSON.stringify({ id, size: 1 }),
    headers: { 'content-type': 'application/json' },
  });

describe('the default of a handler', () => {
  test('call.default runs the inferred behaviour, which shares its state with operations without a handler', async () => {
    await using mock = await openItems({
      operations: {
        getItem: async (call) => {
          const response = await call.default();
          return { ...response, headers: { ...response.headers, 'x-mine': 'yes' } };
        },
      },
    });
    expect((await mock.fetch(`${mock.url}/items/a`)).status).toBe(404);
    await put(mock, 'a');
    const response = await mock.fetch(`${mock.url}/items/a`);
    expect([response.status, response.headers.get('x-mine'), await response.json()]).toEqual([
      200,
      'yes',
      { id: 'a', size: 1 },
    ]);
  });

  test('call.default gives a response of the spec if nothing is inferred', async () => {
    await using mock = await openItems({ operations: { getNow: (call) => call.default() } });
    expect(await (await mock.fetch(`${mock.url}/now`)).json()).toBe(7);
  });
});

test('an HttpError of a helper is rendered with its details and headers', async () => {
  await using mock = await openItems({
    operations: {
      getItem: () => {
        throw new HttpError(409, 'Busy.', { details: { code: 'busy' }, headers: { 'retry-after': '3' } });
      },
    },
  });
  const response = await mock.fetch(`${mock.url}/items/a`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([409, '3']);
  expect(await response.json()).toMatchObject({ detail: 'Busy.', code: 'busy' });
});

test.each([
  ['nothing', undefined],
  ['an object without headers', { status: 200, body: { id: 'a' } }],
])('a handler that returns %s fails with a message that says how to respond', async (_what, returned) => {
  await using mock = await openItems({ operations: { getItem: () => returned as never } });
  const response = await mock.fetch(`${mock.url}/items/a`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('The handler of getItem returned no response; call.respond, ');
});

test('an action that throws any HttpError is refused with 422', async () => {
  const input = { type: 'object' };
  await using mock = await openItems({
    actions: {
      unknown: { description: '', input, run: () => Promise.reject(new HttpError(404, 'Unknown.')) },
      refused: { description: '', input, run: () => Promise.reject(new ActionRefusedError('Refused.')) },
    },
  });
  const actions = mock.actions as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>;
  await expect(actions['unknown']?.({})).rejects.toMatchObject({ status: 422, message: 'Unknown.' });
  await expect(actions['refused']?.({})).rejects.toMatchObject({ status: 422, message: 'Refused.' });
});

test('call.schema of a schema in the handler validates and parses', async () => {
  const seen: unknown[] = [];
  await using mock = await openItems({
    operations: {
      getNow: (call) => {
        const schema = call.schema({ ...ITEM, properties: { id: { type: 'string', readOnly: true } } });
        seen.push(schema.validate({}, 'response').map(({ message }) => message));
        seen.push([...schema.readOnlyMembers], schema.parse('{"id":"a"}'));
        return call.respond(200, { kind: 'json', value: 7 });
      },
    },
  });
  await mock.fetch(`${mock.url}/now`);
  expect(seen).toEqual([["must have required property 'id'"], ['id'], { id: 'a' }]);
});

test('a schema outside of the API is compiled with its definitions', () => {
  const schema = compileSchema({ type: 'array', items: { $ref: '#/$defs/Even' } }, { Even: { multipleOf: 2 } });
  expect(schema.validate([2, 3]).map(({ pointer }) => pointer)).toEqual(['/1']);
  expect(() => schema.parse('[2')).toThrow(HttpError);
});

describe('pages', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
  const page = (token?: string, list = 'items', size = 2): ReturnType<typeof cutPage<{ id: string }, string>> =>
    cutPage(items, { size, token, list, keyOf: ({ id }) => id });

  test('pages follow each other by their tokens, and the last has none', () => {
    const first = page();
    const second = page(first?.nextToken);
    const third = page(second?.nextToken);
    expect([first, second, third].map((one) => one?.items.map(({ id }) => id))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(third?.nextToken).toBeUndefined();
  });

  test.each([
    ['of another list', page(undefined, 'others')?.nextToken],
    ['that was changed', `${page()?.nextToken}x`],
    ['that is not a token', 'nonsense'],
  ])('no page is returned for a token %s', (_what, token) => {
    expect(page(token)).toBeUndefined();
  });

  test('pages lose no item if another item is deleted between them', () => {
    const { nextToken } = page() ?? {};
    const rest = items.filter(({ id }) => id !== 'b');
    expect(cutPage(rest, { size: 2, token: nextToken, list: 'items', keyOf: ({ id }) => id })?.items).toEqual([
      { id: 'c' },
      { id: 'd' },
    ]);
  });
});

test('times and entity tags are written and read in the formats of HTTP', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  expect([toIsoTime(time), toIsoTime(time + 5)]).toEqual(['1994-11-06T08:49:37Z', '1994-11-06T08:49:37.005Z']);
  expect(toHttpDate(time)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  for (const text of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
    expect(parseHttpDate(text)).toBe(time);
  expect(parseHttpDate('1994-11-06T08:49:37Z')).toBeUndefined();
  expect(isNotModifiedSince({ headers: { 'if-modified-since': toHttpDate(time) } }, time)).toBe(true);
  expect(isNotModifiedSince({ headers: { 'if-modified-since': toHttpDate(time) } }, time + 1_000)).toBe(false);
  const etag = makeEtag({ a: 1 });
  expect(matchesEtag({ headers: { 'if-match': `"other", W/"${etag}"` } }, 'if-match', etag)).toBe(true);
  expect(matchesEtag({ headers: { 'if-match': '"other"' } }, 'if-match', etag)).toBe(false);
  expect(matchesEtag({ headers: {} }, 'if-match', etag)).toBeUndefined();
  expect(numberOf(1, 'a')).toBe(numberOf(1, 'a'));
  expect(numberOf(1, 'a')).not.toBe(numberOf(2, 'a'));
});
