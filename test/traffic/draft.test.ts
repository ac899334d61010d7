import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { parse } from 'yaml';

import { parseJsonText } from '../../model/document/json-text.js';
import { KINDS, type Sent } from '../support/secret-kinds.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';
import { type TestCall, harOf } from './har-of.js';

/** A parsed document, whose members a test knows. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;

/** Drafts a document from calls, and checks that our reader accepts it without a word. */
async function draft(
  calls: readonly TestCall[],
  ...rest: string[]
): Promise<{ document: Json; text: string; err: string }> {
  const folder = tempFolder({ 'a.har': harOf(calls) });
  const { status, err } = await runCaptured(folder, 'draft', 'a.har', '--out', 'draft.yaml', ...rest);
  expect({ status, err }).toMatchObject({ status: 0 });
  const text = readFileSync(path.join(folder, 'draft.yaml'), 'utf8');
  const explained = await runCaptured(folder, 'explain', 'draft.yaml');
  expect(explained).toMatchObject({ status: 0, err: '' });
  return { document: parse(text) as Json, text, err };
}

const templatesOf = ({ paths }: Json): string[] =>
  Object.entries(paths as Json).flatMap(([template, item]) =>
    Object.keys(item as object)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method} ${template}`),
  );

const get = (target: string, response?: unknown, rest: Partial<TestCall> = {}): TestCall => ({
  path: target,
  response,
  ...rest,
});

describe('the paths of a draft', () => {
  test.each<[string, readonly TestCall[], readonly string[]]>([
    [
      'have a parameter for numbers, UUIDs, prefixed ids, dates and hexadecimal numbers',
      ['7', '0f8fad5b-d9cb-469f-a165-70867728950e', 'cus_9s6XKzkNRiz8', '2026-01-31', '5f0c8e1b2a3d4c5e6f708192'].map(
        (id) => get(`/v1/things/${id}/parts`, []),
      ),
      ['get /v1/things/{thingId}/parts'],
    ],
    [
      'have a parameter for a word that the response names as its item',
      [
        get('/repos/octo/cat', { name: 'cat', owner: { login: 'octo' } }),
        get('/repos/acme/dog', { name: 'dog', owner: { login: 'acme' } }),
      ],
      ['get /repos/{repoId}/{id}'],
    ],
    [
      'have a parameter for a single named item, also with many calls below it that do not name it',
      [
        get('/api/files/report', { path: 'report', size: 7 }),
        ...[1, 2, 3].map(() => get('/api/files/report/versions', [{ size: 7 }])),
        get('/api/files/report/versions/latest', { size: 7 }),
      ],
      ['get /api/files/{fileId}', 'get /api/files/{fileId}/versions', 'get /api/files/{fileId}/versions/latest'],
    ],
    [
      'have a parameter for a word that the item has as its own path',
      [get('/contents/notes', { name: 'Notes', path: 'notes' }), get('/status', { name: 'x', path: '/a/status' })],
      ['get /contents/{contentId}', 'get /status'],
    ],
    [
      'have a parameter for a word that the list above names',
      [
        get('/models', { data: [{ id: 'big' }, { id: 'small' }] }),
        get('/models/big', undefined, { method: 'DELETE', status: 204 }),
      ],
      ['get /models', 'delete /models/{modelId}'],
    ],
    [
      'keep words that are parts of the API, beside ids',
      [
        get('/users/7', { id: 7 }),
        get('/users/me', { id: 7 }),
        get('/users', [{ id: 7 }]),
        get('/orders', [{ id: 8 }]),
      ],
      ['get /orders', 'get /users', 'get /users/me', 'get /users/{userId}'],
    ],
    [
      'keep collections whose responses have a member for their own type',
      [get('/articles', { type: 'articles', data: [] }), get('/people', { type: 'people', data: [] })],
      ['get /articles', 'get /people'],
    ],
    [
      'have a verb after a colon',
      [get('/jobs/12:cancel', {}, { method: 'POST' }), get('/jobs/13:cancel', {}, { method: 'POST' })],
      ['post /jobs/{jobId}:cancel'],
    ],
    [
      'keep a version that is a number, and encode braces',
      [get('/2/tweets', []), get('/2/%7Bx/{y}', [])],
      ['get /2/%7Bx/%7By%7D', 'get /2/tweets'],
    ],
    [
      'leave out what no response shows to exist',
      [
        get('/favicon', undefined, { status: 404 }),
        get('/users/7', { id: 7 }),
        get('/users/none', {}, { status: 404 }),
      ],
      ['get /users/{userId}'],
    ],
  ])('%s', async (_name, calls, expected) => {
    const { document } = await draft(calls);
    expect(templatesOf(document)).toEqual(expected);
  });
});

describe('the schemas of a draft', () => {
  const many = Array.from({ length: 24 }, (_, index) =>
    get(
      `/v1/orders/${index}?limit=${index}&state=${index % 2 ? 'open' : 'sent'}`,
      {
        id: index,
        state: index % 2 ? 'open' : 'sent',
        made: `2026-01-${String(index + 1).padStart(2, '0')}T10:00:00Z`,
        note: index % 3 ? null : 'x y',
        total: index % 4 ? index : 1.5,
        ...(index % 2 ? { extra: true } : {}),
        password: index % 2 ? 'open' : 'sent',
      },
      { headers: { 'X-Tenant': 'acme', 'User-Agent': 'x', Authorization: 'Bearer abc' } },
    ),
  );

  test('have types, required members, null, formats and enums, with the reason of each guess', async () => {
    const { document, text } = await draft(many);
    const { parameters, responses, security } = document['paths']['/v1/orders/{orderId}'].get;
    const { schema } = responses['200'].content['application/json'];
    expect(schema).toMatchObject({
      type: 'object',
      required: ['id', 'state', 'made', 'note', 'total', 'password'],
      'x-guess': 'Required: in all 24 objects.',
      properties: {
        id: { type: 'integer' },
        state: { type: 'string', enum: ['open', 'sent'], 'x-guess': 'The enum has all 2 values of 24 texts.' },
        made: { type: 'string', format: 'date-time', 'x-guess': 'All 24 texts have the format date-time.' },
        note: { type: ['string', 'null'] },
        total: { type: 'number' },
        extra: { type: 'boolean' },
      },
    });
    expect(schema.properties.password).toEqual({ type: 'string' });
    expect(parameters).toMatchObject([
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'state', in: 'query', schema: { type: 'string', enum: ['open', 'sent'] } },
      { name: 'x-tenant', in: 'header' },
    ]);
    expect(security).toEqual([{ bearerAuth: [] }, {}]);
    expect(document).toMatchObject({
      servers: [{ url: 'https://api.example.com' }],
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    });
    expect(text).not.toContain('abc');
  });

  test('need a credential only if a call without one was refused', async () => {
    const headers = { Authorization: 'Bearer abc' };
    const { document } = await draft([
      get('/health', { up: true }, { headers }),
      get('/orders', [], { headers }),
      get('/orders', { message: 'Who are you?' }, { status: 401 }),
      get('/news', [], { headers }),
      get('/news', []),
    ]);
    const securityOf = (template: string): unknown => document['paths'][template].get.security;
    expect(securityOf('/health')).toEqual([{ bearerAuth: [] }, {}]);
    expect(document['paths']['/health'].get['x-guess']).toContain('it is not known whether one is needed');
    expect(securityOf('/orders')).toEqual([{ bearerAuth: [] }]);
    expect(securityOf('/news')).toEqual([{}, { bearerAuth: [] }]);
  });

  test('have no format and no enum before enough values were seen', async () => {
    const { document } = await draft(many.slice(0, 4));
    const { schema } = document['paths']['/v1/orders/{orderId}'].get.responses['200'].content['application/json'];
    expect([schema.properties.made, schema.properties.state]).toEqual([{ type: 'string' }, { type: 'string' }]);
  });

  test('are shared if several operations have the same shape', async () => {
    const pet = { id: 1, name: 'Rex', owner: { id: 2, email: 'a@b.c' } };
    const { document } = await draft([
      get('/pets', { data: [pet, { ...pet, tag: 'x' }] }),
      get('/pets/1', pet),
      { ...get('/pets', pet, { method: 'POST', status: 201 }), body: { name: 'Rex' } },
      get('/pets/9', { code: 'gone', message: 'x' }, { status: 410 }),
      { ...get('/pets', { code: 'bad', message: 'x' }, { method: 'POST', status: 400 }), body: { nam: 1 } },
    ]);
    const ref = { $ref: '#/components/schemas/Pet' };
    const contentOf = (operation: Json, status: string): Json =>
      operation['responses'][status].content['application/json'].schema;
    expect(contentOf(document['paths']['/pets/{petId}'].get, '200')).toEqual(ref);
    expect(contentOf(document['paths']['/pets'].get, '200').properties.data.items).toEqual(ref);
    expect(contentOf(document['paths']['/pets'].post, '400')).toEqual({ $ref: '#/components/schemas/Error' });
    expect(document['components'].schemas.Pet.required).toEqual(['id', 'name', 'owner']);
    expect(document['paths']['/pets'].post.requestBody.content['application/json'].schema.properties).toEqual({
      name: { type: 'string' },
    });
  });

  test('describe objects with ids as names as maps', async () => {
    const { document } = await draft([get('/prices', { 1001: { eur: 1 }, 1002: { eur: 2 } })]);
    const { schema } = document['paths']['/prices'].get.responses['200'].content['application/json'];
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: { properties: { eur: { type: 'integer' } } },
    });
  });
});

/** The names of what the spec of the table marks as a credential. */
const BY_SPEC = /\b(?:mine|own|linked|list|deep|flat)|zip|X-(?:Own|List|Linked)|-x\b|(?:s|%73)ecret\//i;

const NESTED: readonly Sent[] = [
  { body: '{"a":{"b":[{"token":{"value":"@"}}]}}' },
  { body: '{"a":{"secret":["@"]}}' },
  { body: '{"0123456789abcdef0":{"token":"@"},"0123456789abcdef1":{"token":"@"}}' },
  { body: '{"a":"{\\"b\\":{\\"token\\":\\"tok_0123456789_@\\"}}"}' },
  { body: '[[{"refresh_token":"@"}]]' },
  { type: 'application/x-www-form-urlencoded', body: 'a%5Btoken%5D=@&b=1' },
  { type: 'application/x-www-form-urlencoded', body: 'a=%7B%22client_secret%22%3A%22@%22%7D' },
  { target: '/nested?filter[secret]=@&a=1' },
  { target: '/nested?back=https%3A%2F%2Fx.example%2F%3Fsig%3D@' },
];

describe('a draft of hostile traffic', () => {
  test('has no credential of any kind, even if the recording has them', async () => {
    // A recording does not say what only a spec marks.
    const all: readonly Sent[] = [
      ...Object.values(KINDS).filter((kind) => !BY_SPEC.test(JSON.stringify(kind))),
      // Deeper than the kinds, each at a path of its own.
      ...NESTED.map((one, index) => ({ target: `/nested${index}`, ...one })),
    ];
    const calls = Array.from({ length: 24 }, (_, round) =>
      all.map(({ target = '/things', headers = {}, type = 'application/json', body = '{}' }, index): TestCall => {
        const fill = (text: string): string => text.replaceAll(/@(?!x\.)/g, `HIDE${index}ME${round % 2 ? '' : 'TOO'}`);
        const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
        return {
          method: 'POST',
          path: fill(target),
          headers: { ...filled, 'Content-Type': type },
          body: fill(body),
          response: parseJsonText(fill(body)) ?? fill(body),
        };
      }),
    ).flat();
    const { text } = await draft(calls);
    expect(text.split('\n').filter((line) => /HIDE\d+ME/.test(line))).toEqual([]);
  });

  test('escapes names and texts, and keeps __proto__ as a name', async () => {
    const name = '\u202e\u001b[31m"\n- x: y';
    const body = JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(name)}:1}`) as object;
    const calls = [get(`/a/${encodeURIComponent(name)}?${encodeURIComponent(name)}=1`, body)];
    const { document, text } = await draft(calls);
    expect(text).not.toMatch(/[\u202e\u001b]/);
    const { schema } = (Object.values(document['paths'] as Json)[0] as Json)['get'].responses['200'].content[
      'application/json'
    ];
    expect(Object.keys(schema.properties as object)).toContain(name);
    expect(schema.required).toEqual(['__proto__', name]);
  });
});

describe('specmill draft', () => {
  const other = { path: 'https://cdn.example.net/x/1', response: {} };

  test('takes the host with most calls, says what it leaves out, and --host takes others', async () => {
    const calls = [get('/a', {}), get('/b', {}), other, get('/logo', '<html>', { responseHeaders: {} })];
    const { document, err } = await draft(calls);
    expect(templatesOf(document)).toEqual(['get /a', 'get /b', 'get /logo']);
    expect(err).toContain('Drafted 3 operations from 3 calls to https://api.example.com in draft.yaml.\n');
    expect(err).toContain('Left out: 1 call to https://cdn.example.net; --host takes them.\n');
    const both = await draft(calls, '--host', 'cdn.example.net', '--host', 'api.example.com');
    expect(templatesOf(both.document)).toContain('get /x/{xId}');
  });

  test('prints YAML, or JSON with --json, and reads several recordings', async () => {
    const folder = tempFolder({ 'a.har': harOf([get('/a', {})]), 'b.har': harOf([get('/b', {})]) });
    const yaml = await runCaptured(folder, 'draft', 'a.har', 'b.har');
    const json = await runCaptured(folder, 'draft', 'a.har', 'b.har', '--json');
    expect(templatesOf(parse(yaml.out) as Json)).toEqual(['get /a', 'get /b']);
    expect(JSON.parse(json.out)).toEqual(parse(yaml.out));
    await runCaptured(folder, 'draft', 'a.har', '--out', 'new/a.json');
    expect(JSON.parse(readFileSync(path.join(folder, 'new/a.json'), 'utf8'))).toMatchObject({ openapi: '3.1.0' });
  });

  test.each([
    [['none.har'], 'The recording cannot be read: there is no such file.'],
    [['empty.har'], 'No recorded call shows an operation'],
    [
      ['a.har', '--host', 'api.example.co'],
      'No recorded call went to the host api.example.co. Did you mean api.example.com?',
    ],
    [['a.har', '--out', 'a.har/x'], 'The draft cannot be written:'],
  ])('exits 2 for %j', async (argv, message) => {
    const folder = tempFolder({ 'a.har': harOf([get('/a', {})]), 'empty.har': harOf([]) });
    const { status, err } = await runCaptured(folder, 'draft', ...argv);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  });
});
