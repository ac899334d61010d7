import { describe, expect, test } from 'vitest';

import { tempFolder } from '../support/temp-folder.js';
import { runCaptured } from '../support/run-captured.js';
import { type TestCall, harOf } from './har-of.js';

type Json = Record<string, unknown>;

/** A spec with one operation, changed by `change`. */
function specOf(change: (operation: Json, document: Json) => void): string {
  const item = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 20 },
      size: { type: 'integer' },
      kind: { type: 'string', enum: ['a', 'b', 'c'] },
      tags: { type: 'array', items: { type: 'string' } },
      owner: { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'string' }] },
    },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };
  const operation: Json = {
    operationId: 'addItem',
    parameters: [
      { name: 'take', in: 'query', schema: { type: 'integer', maximum: 100 } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
    ],
    requestBody: { content },
    responses: { 200: { description: 'The item.', content, headers: { ETag: { schema: { type: 'string' } } } } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1.0.0' },
    paths: {
      '/items': { post: operation },
      '/others/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'readOther', responses: { 200: { description: 'One.' } } },
      },
    },
    components: {
      schemas: {
        Item: item,
        Person: {
          type: 'object',
          required: ['email'],
          properties: { email: { type: 'string' }, age: { type: 'integer' } },
        },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  };
  change(operation, document);
  return JSON.stringify(document);
}

/** Returns how many calls each change affects, by its kind. */
async function affected(
  change: (operation: Json, document: Json) => void,
  calls: readonly TestCall[],
): Promise<Record<string, number>> {
  const folder = tempFolder({ 'old.json': specOf(() => {}), 'new.json': specOf(change), 'a.har': harOf(calls) });
  const { out, err } = await runCaptured(folder, 'diff', 'old.json', 'new.json', '--traffic', 'a.har', '--json');
  expect(err).toBe('');
  const { changes } = JSON.parse(out) as { changes: { kind: string; traffic: { calls: number } }[] };
  return Object.fromEntries(changes.map(({ kind, traffic }) => [kind, traffic.calls]));
}

const post = (body: unknown, rest: Partial<TestCall> = {}): TestCall => ({
  method: 'POST',
  path: '/items',
  body,
  ...rest,
});
const schemaOf = (document: Json, name: string): Json =>
  (document['components'] as { schemas: Record<string, Json> }).schemas[name] ?? {};
const members = (document: Json, name: string): Record<string, Json> =>
  schemaOf(document, name)['properties'] as Record<string, Json>;

describe('the recorded calls that a change affects', () => {
  const long = 'x'.repeat(15);
  test.each<[string, (operation: Json, document: Json) => void, readonly TestCall[], Record<string, number>]>([
    [
      'all calls of a removed operation',
      (_operation, document) => delete (document['paths'] as Json)['/items'],
      [post({ name: 'x' }), post({}), { path: '/others/1' }],
      { 'operation-removed': 2 },
    ],
    [
      'the calls whose value breaks a tighter bound, not those that broke the old one',
      (_operation, document) => (members(document, 'Item')['name'] = { type: 'string', maxLength: 10 }),
      [post({ name: 'x' }), post({ name: long }), post({ name: long + long }), post({})],
      { 'length-tightened': 1 },
    ],
    [
      'the calls with a value that is not listed any more, in the request alone',
      (_operation, document) => (members(document, 'Item')['kind'] = { type: 'string', enum: ['a', 'b'] }),
      [post({ name: 'x', kind: 'c' }), post({ name: 'x', kind: 'a' }), post({ name: 'x', kind: 'z' })],
      { 'enum-value-removed': 1 },
    ],
    [
      'the responses that carry a member whose values are more',
      (_operation, document) => (members(document, 'Item')['kind'] = { type: 'string', enum: ['a', 'b', 'c', 'd'] }),
      [post({ name: 'x' }, { response: { name: 'x', kind: 'a' } }), post({ name: 'x' }, { response: { name: 'x' } })],
      { 'enum-value-added': 1 },
    ],
    [
      'the requests that lack a member which is required now',
      (_operation, document) => (schemaOf(document, 'Item')['required'] = ['name', 'size']),
      [post({ name: 'x' }), post({ name: 'x', size: 1 })],
      { 'member-became-required': 1 },
    ],
    [
      'the requests that lack a new required member',
      (_operation, document) => {
        schemaOf(document, 'Item')['required'] = ['name', 'price'];
        members(document, 'Item')['price'] = { type: 'number' };
      },
      [post({ name: 'x' }), post({ name: 'x', price: 1 }), post([])],
      { 'member-added': 1 },
    ],
    [
      'the messages that carry a removed member, in an alternative that they match',
      (_operation, document) => delete members(document, 'Person')['age'],
      [
        post({ name: 'x', owner: { email: 'a', age: 1 } }),
        post({ name: 'x' }, { response: { name: 'x', owner: { email: 'a', age: 2 } } }),
        post({ name: 'x', owner: { email: 'a' } }),
        post({ name: 'x', owner: 'age' }),
      ],
      { 'member-removed': 2 },
    ],
    [
      'the calls with an item of another type',
      (_operation, document) => (members(document, 'Item')['tags'] = { type: 'array', items: { type: 'integer' } }),
      [post({ name: 'x', tags: ['a'] }), post({ name: 'x', tags: [] }), post({ name: 'x' })],
      { 'type-changed': 1 },
    ],
    [
      'the calls whose parameter is beyond a bound',
      (operation) => {
        (operation['parameters'] as Json[])[0] = {
          name: 'take',
          in: 'query',
          schema: { type: 'integer', maximum: 50 },
        };
      },
      [
        post({}, { path: '/items?take=60' }),
        post({}, { path: '/items?take=200' }),
        post({}, { path: '/items?take=9' }),
      ],
      { 'range-tightened': 1 },
    ],
    [
      'the calls that send a removed parameter',
      (operation) => (operation['parameters'] as Json[]).pop(),
      [post({}, { headers: { 'x-trace': '1' } }), post({})],
      { 'parameter-removed': 1 },
    ],
    [
      'the calls without a parameter that is required now',
      (operation) => Object.assign((operation['parameters'] as Json[])[0] ?? {}, { required: true }),
      [post({}), post({}, { path: '/items?take=1' })],
      { 'parameter-became-required': 1 },
    ],
    [
      'the calls without a body that is required now',
      (operation) => Object.assign(operation['requestBody'] as Json, { required: true }),
      [{ method: 'POST', path: '/items' }, post({})],
      { 'body-became-required': 1 },
    ],
    [
      'the calls with a removed status or header',
      (operation) => (operation['responses'] = { 201: { description: 'Made.' } }),
      [post({}), post({}, { status: 201 }), post({}, { status: 500 })],
      { 'success-response-removed': 1, 'success-response-added': 1 },
    ],
    [
      'the calls without a credential that is demanded now',
      (operation) => (operation['security'] = [{ key: [] }]),
      [post({}), post({}, { headers: { 'X-Key': 'REDACTED' } })],
      { 'credential-demanded': 1 },
    ],
    [
      'the calls to a base path that is gone',
      (_operation, document) => (document['servers'] = [{ url: 'https://api.example.com/v2' }]),
      [post({}), { path: '/others/1' }],
      { 'base-path-changed': 2, 'server-added': 0 },
    ],
  ])('are %s', async (_name, change, calls, expected) => {
    expect(await affected(change, calls)).toEqual(expected);
  });
});

describe('specmill diff --traffic', () => {
  const change = (operation: Json, document: Json): void => {
    delete (document['paths'] as Json)['/others/{id}'];
    Object.assign((operation['parameters'] as Json[])[0] ?? {}, { required: true });
    members(document, 'Item')['name'] = { type: 'string', maxLength: 2 };
  };
  const basic = (pair: string): Record<string, string> => ({ Authorization: `Basic ${btoa(pair)}` });
  const calls: TestCall[] = [
    {
      path: '/others/1',
      headers: { 'User-Agent': 'shop/1 `@x`\u202e', ...basic('ana:secret') },
      at: '2026-02-01T10:00:00Z',
    },
    { path: '/others/2', headers: { 'User-Agent': 'shop/1 `@x`\u202e', ...basic('sk_live_2048192:') } },
    { path: '/others/3' },
    { path: '/elsewhere' },
  ];

  const run = (...rest: string[]): ReturnType<typeof runCaptured> => {
    const files = { 'old.json': specOf(() => {}), 'new.json': specOf(change), 'a.har': harOf(calls), 'b.json': '[]' };
    return runCaptured(tempFolder(files), 'diff', 'old.json', 'new.json', ...rest);
  };

  test('prints for each change the calls, the last one and the clients, and no credential', async () => {
    const { status, out } = await run('--traffic', 'a.har', '--traffic', 'b.json');
    expect(status).toBe(1);
    expect(out).toContain(
      'affects 3 recorded calls, the last on 2026-02-01 at 10:00:00 UTC, of "ana" with "shop/1 `@x`\\u202e" (1), "shop/1 `@x`\\u202e" (1), a client without a name (1)\n',
    );
    expect(out).toContain('affects no recorded call\n');
    expect(out).toContain('3 breaking changes; 1 affects 3 of 4 recorded calls. 1 of the calls match no operation');
    expect(out).not.toMatch(/sk_live|secret/);
  });

  test.each(['markdown', 'github', 'html', 'junit'])('prints the calls as %s', async (format) => {
    const { out } = await run('--traffic', 'a.har', '--format', format);
    expect(out).toContain('3 breaking changes; 1 affects 3 of 4 recorded calls.');
    expect(out).toContain('affects 3 recorded calls, the last on 2026-02-01 at 10:00:00 UTC');
    expect(out).not.toContain('\u202e');
    expect(out).not.toMatch(/sk_live|secret/);
  });

  test('with --affected, only changes that affect a call cause exit status 1', async () => {
    expect((await run('--traffic', 'a.har', '--affected')).status).toBe(1);
    expect((await run('--traffic', 'b.json', '--affected')).status).toBe(0);
    expect((await run('--traffic', 'b.json')).status).toBe(1);
    expect(await run('--affected')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--affected needs --traffic'),
    });
  });

  test('a recording that cannot be read is refused with one sentence', async () => {
    const { status, err } = await run('--traffic', 'none.har');
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringContaining('The recording cannot be read: there is no such file'),
    });
  });
});
