import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { startMock } from '../../server/start-mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const json = (schema: object, more: object = {}): { readonly content: object } => ({
  content: { 'application/json': { schema, ...more } },
});
const ok = (content?: object): object => ({
  200: { description: 'ok', ...(content === undefined ? {} : { content }) },
});
const TEXT = { type: 'string' };
const ID = { name: 'id', in: 'path', required: true, schema: TEXT };

/** Serves paths, and sends requests to them. */
async function serve(
  paths: object,
  more: object = {},
): Promise<
  (method: string, path: string, body?: unknown) => Promise<{ status: number; type: string | null; text: string }>
> {
  const mock = await startMock(await loadDocument(documentWith(paths, more)), { seed: 1 });
  onTestFinished(() => mock.close());
  return async (method, path, body) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await mock.fetch(`http://mock${path}`, { method, ...sent });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
}

describe('an operation that documents little', () => {
  test.each([
    ['application/octet-stream', /./s],
    ['application/json', /^\{\}$/],
    ['text/plain', /./],
    ['text/event-stream', /^data: .+\n\n$/],
  ])('an operation without a schema has a body of its media type %s', async (mediaType, body) => {
    const call = await serve({ '/a': { get: { responses: ok({ [mediaType]: {} }) } } });
    const { status, type, text } = await call('GET', '/a');
    expect({ status, type }).toEqual({ status: 200, type: mediaType });
    expect(text).toMatch(body);
  });

  test('an operation succeeds if it documents no response, or only errors', async () => {
    const call = await serve({
      '/a': {
        get: {},
        post: { responses: { 400: { description: 'bad' } } },
        delete: { responses: { 404: { description: 'none' } } },
      },
    });
    expect((await call('GET', '/a')).status).toBe(204);
    expect((await call('POST', '/a')).status).toBe(200);
    expect((await call('DELETE', '/a')).status).toBe(204);
  });
});

test('a made-up response writes nothing to stderr about schemas that are hard to merge', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const schema = {
    type: 'object',
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    anyOf: [{ properties: { a: TEXT } }, { properties: { b: TEXT } }],
    allOf: [{ properties: { c: { allOf: [{ type: ['string', 'null'] }, { type: 'string' }] } } }, { type: 'object' }],
  };
  const call = await serve({ '/a': { get: { responses: ok({ 'application/json': { schema } }) } } });
  expect((await call('GET', '/a')).status).toBe(200);
  expect(warn).not.toHaveBeenCalled();
});

describe('a refusal', () => {
  const refuse = async (content: object): Promise<{ status: number; type: string | null; text: string }> => {
    const parameters = [{ name: 'n', in: 'query', schema: { type: 'integer' } }];
    const responses = { ...ok(), 400: { description: 'bad', content } };
    const call = await serve({ '/a': { get: { parameters, responses } } });
    return call('GET', '/a?n=x');
  };

  test('a refusal in a documented text media type is its example', async () => {
    const content = { 'text/html': { schema: TEXT, example: '<b>Illegal</b>' } };
    expect(await refuse(content)).toEqual({ status: 400, type: 'text/html', text: '<b>Illegal</b>' });
  });

  test('a refusal in a text media type matches its schema', async () => {
    const { type, text } = await refuse({ 'text/plain': { schema: { type: 'string', maxLength: 10 } } });
    expect(type).toContain('text/plain');
    expect(text.length).toBeLessThanOrEqual(10);
  });

  test('a refusal is XML if XML is documented', async () => {
    const { type, text } = await refuse({ 'application/xml': { schema: { type: 'object' } } });
    expect(type).toBe('application/xml');
    expect(text).toContain('<status>400</status>');
  });

  test('a refusal matches a closed schema that requires more than a message', async () => {
    const schema = {
      type: 'object',
      required: ['code', 'at', 'tags'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', enum: ['A', 'B'] },
        at: { type: 'string', format: 'uuid' },
        tags: { type: 'array', items: TEXT, minItems: 1 },
      },
    };
    const { text } = await refuse({ 'application/json': { schema } });
    const body = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(['at', 'code', 'tags']);
    expect(body['at']).toMatch(/^[0-9a-f]{8}-/);
  });
});

describe('a response without state', () => {
  const USER = {
    type: 'object',
    required: ['login', 'email'],
    properties: { login: TEXT, email: { type: 'string', format: 'email' } },
  };

  test('a response without state is realistic if it is made from a schema, and the same for the same request', async () => {
    const call = await serve({ '/me': { get: { responses: ok((json(USER) as { content: object }).content) } } });
    const [first, second] = [await call('GET', '/me'), await call('GET', '/me')];
    const { login, email } = JSON.parse(first.text) as Record<string, string>;
    expect(email).toMatch(/@/);
    expect([login, email]).not.toContain('string');
    expect(second.text).toBe(first.text);
  });

  test('a response without state is the documented example, with only its invalid parts replaced', async () => {
    const example = { login: 'octocat', email: 'none', site: { name: 'octo' } };
    const { content } = json(USER, { example }) as { content: object };
    const call = await serve({ '/users/{id}': { get: { parameters: [ID], responses: ok(content) } } });
    const body = JSON.parse((await call('GET', '/users/octocat')).text) as Record<string, unknown>;
    expect(body).toMatchObject({ login: 'octocat', site: { name: 'octo' } });
    expect(body['email']).toMatch(/@/);
  });

  test('a response without state is 500 if the schema has no valid value', async () => {
    const more = {
      components: {
        schemas: {
          Node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } },
        },
      },
    };
    const { content } = json({ $ref: '#/components/schemas/Node' }) as { content: object };
    const call = await serve({ '/a': { get: { operationId: 'getNode', responses: ok(content) } } }, more);
    const { status, text } = await call('GET', '/a');
    expect(status).toBe(500);
    expect(text).toContain('No response can be made for getNode');
  });

  test('the pages of a generated list have the items and counts of the whole list', async () => {
    const trips = {
      type: 'array',
      items: { type: 'object', required: ['uuid'], properties: { uuid: { type: 'string', format: 'uuid' } } },
    };
    const integer = { type: 'integer' };
    const page = {
      type: 'object',
      required: ['offset', 'count', 'history'],
      properties: { offset: integer, limit: integer, count: integer, history: trips },
    };
    const parameters = ['offset', 'limit'].map((name) => ({ name, in: 'query', schema: integer }));
    const { content } = json(page) as { content: object };
    const call = await serve({ '/history': { get: { parameters, responses: ok(content) } } });
    const read = async (query: string): Promise<{ offset: number; count: number; history: unknown[] }> =>
      JSON.parse((await call('GET', `/history${query}`)).text) as never;
    const whole = await read('');
    const pages = [];
    for (let offset = 0; offset < whole.history.length + 1; offset += 1)
      pages.push(await read(`?offset=${offset}&limit=1`));
    expect(whole.history.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ history }) => history)).toEqual(whole.history);
    expect(pages.at(-1)?.history).toEqual([]);
    expect(pages.map(({ offset }) => offset)).toEqual(pages.map((_, index) => index));
  });
});

describe('inferred state', () => {
  const thing = (id: object): object => ({
    components: {
      schemas: { Thing: { type: 'object', required: ['id', 'name'], properties: { id, name: TEXT, note: TEXT } } },
    },
  });
  const THING = { $ref: '#/components/schemas/Thing' };
  const INPUT = { type: 'object', properties: { name: TEXT, note: TEXT } };
  const PATHS = {
    '/things': { post: { requestBody: json(INPUT), responses: { 201: { description: 'made', ...json(THING) } } } },
    '/things/{id}': {
      parameters: [ID],
      get: { responses: { 200: { description: 'ok', ...json(THING) } } },
      put: { requestBody: json(INPUT), responses: { 200: { description: 'ok', ...json(THING) } } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/things/{id}/sign': {
      post: { parameters: [ID], responses: { 200: { description: 'ok', ...json({ type: 'object' }) } } },
    },
  };

  test('gives each item its own id, although a pattern names only the beginning', async () => {
    const call = await serve(PATHS, thing({ type: 'string', pattern: '^thg_' }));
    const ids = new Set<string>();
    for (let count = 0; count < 3; count += 1)
      ids.add((JSON.parse((await call('POST', '/things', { name: 'x' })).text) as { id: string }).id);
    expect(ids.size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^thg_./);
  });

  test('PUT removes omitted members, also if responses require them', async () => {
    const call = await serve(PATHS, thing(TEXT));
    const made = JSON.parse((await call('POST', '/things', { name: 'one', note: 'two' })).text) as { id: string };
    const put = JSON.parse((await call('PUT', `/things/${made.id}`, {})).text) as Record<string, unknown>;
    expect(put['id']).toBe(made.id);
    expect(put['name']).not.toBe('one');
    expect(put).not.toHaveProperty('note');
  });

  test('refuses calls below an item that does not exist', async () => {
    const call = await serve(PATHS, thing(TEXT));
    const { id } = JSON.parse((await call('POST', '/things', { name: 'one' })).text) as { id: string };
    expect((await call('POST', `/things/${id}/sign`)).status).toBe(200);
    await call('DELETE', `/things/${id}`);
    expect((await call('POST', `/things/${id}/sign`)).status).toBe(404);
  });
});

describe('the total of a list without paging', () => {
  const LIST = {
    type: 'object',
    required: ['total', 'data'],
    properties: {
      total: { type: 'number' },
      data: { type: 'array', minItems: 3, items: { type: 'object', required: ['slug'], properties: { slug: TEXT } } },
    },
  };

  test('the total of a generated list without paging is the number of its items', async () => {
    const call = await serve({ '/roles': { get: { responses: ok(json(LIST).content) } } });
    const { total, data } = JSON.parse((await call('GET', '/roles')).text);
    expect([total, data.length >= 3]).toEqual([data.length, true]);
  });

  test('the total of a list in an example is not changed', async () => {
    const example = { total: 120, data: ['a', 'b', 'c'].map((slug) => ({ slug })) };
    const call = await serve({ '/roles': { get: { responses: ok(json(LIST, { example }).content) } } });
    expect(JSON.parse((await call('GET', '/roles')).text)).toEqual(example);
  });
});

describe('a creation whose items cannot be stored', () => {
  const state = json({ type: 'object', required: ['user'], properties: { user: TEXT } });
  const result = { type: 'object', required: ['token', 'url'], properties: { token: TEXT, url: TEXT } };
  const made = json({ type: 'object', required: ['code', 'result'], properties: { code: { enum: [2000] }, result } });
  const PATHS = {
    '/tickets': { post: { operationId: 'mint', responses: ok(made.content) } },
    '/tickets/{token}': {
      get: { parameters: [{ ...ID, name: 'token' }], responses: ok(state.content) },
    },
    '/search': { post: { operationId: 'search', responses: ok(made.content) } },
  };
  const mint = async (count: number, headers: Readonly<Record<string, string>> = {}): Promise<string[]> => {
    const mock = await startMock(await loadDocument(documentWith(PATHS)), { seed: 1 });
    onTestFinished(() => mock.close());
    const texts: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = await mock.fetch('http://mock/tickets', { method: 'POST', headers });
      texts.push(await response.text());
    }
    return texts;
  };

  test('a creation whose items cannot be stored has another id each time, and the same ids for the same seed', async () => {
    const texts = await mint(3);
    expect(new Set(texts).size).toBe(3);
    expect(await mint(3)).toEqual(texts);
  });

  test('a creation whose items cannot be stored is the same for the same idempotency key', async () => {
    const [one, other] = await mint(2, { 'idempotency-key': 'k' });
    expect(other).toBe(one);
  });

  test('a POST that creates nothing has the same response each time', async () => {
    const call = await serve(PATHS);
    expect((await call('POST', '/search')).text).toBe((await call('POST', '/search')).text);
  });
});

describe('a made-up response repeats what the request said', () => {
  const object = (properties: object): object => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  });
  const map = { type: 'object', additionalProperties: TEXT };
  const fees = json(object({ fee: object({ kind: { type: 'integer' }, words: TEXT, more: object({ note: TEXT }) }) }));
  const sent = object({ fee: object({ kind: TEXT, words: TEXT, more: object({ note: TEXT }) }) });
  const PATHS = {
    '/rooms/{room_ref}/view': {
      parameters: [{ name: 'room_ref', in: 'path', required: true, schema: TEXT }],
      get: { responses: ok(json(object({ view: object({ room_ref: TEXT, text: TEXT }) })).content) },
    },
    '/labels': {
      post: { requestBody: json(object({ labels: map })), responses: ok(json(object({ labels: map })).content) },
    },
    '/fees/change': { post: { requestBody: json(sent), responses: ok(fees.content) } },
  };

  test('a member with the name of a path parameter has its value', async () => {
    const call = await serve(PATHS);
    expect(JSON.parse((await call('GET', '/rooms/r7/view')).text)).toMatchObject({ view: { room_ref: 'r7' } });
  });

  test('a map has the sent members and no others', async () => {
    const call = await serve(PATHS);
    const body = { labels: { color: 'red' } };
    expect(JSON.parse((await call('POST', '/labels', body)).text)).toEqual(body);
  });

  test('a member that the response cannot show does not keep the others beside it from being shown', async () => {
    const call = await serve(PATHS);
    const fee = { kind: 'late', words: 'Too late.', more: { note: 'x' } };
    const { text } = await call('POST', '/fees/change', { fee });
    expect(JSON.parse(text)).toMatchObject({ fee: { words: 'Too late.', more: { note: 'x' } } });
  });
});
