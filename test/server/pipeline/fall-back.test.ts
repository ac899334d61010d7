import { describe, expect, onTestFinished, test } from 'vitest';

import { formatCall, formatCallAsJson } from '../../../cli/mock-log.js';
import { type Mock, type MockCall, type MockDefinition, defineMock, startMock } from '../../../entry/mock.js';
import type { Schema, SchemaObject } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const json = (schema: object): object => ({ 'application/json': { schema } });
const ok = (schema: object, more: object = {}): object => ({ description: 'ok', content: json(schema), ...more });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const BOAT = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, masts: { type: 'integer' } },
};

/** An API of boats whose list has room for two. */
function harbour({ list = {}, created = {} }: { readonly list?: object; readonly created?: object } = {}): object {
  const id = { name: 'boatId', in: 'path', required: true, schema: { type: 'integer' } };
  return documentWith(
    {
      '/boats': {
        get: {
          operationId: 'listBoats',
          responses: { 200: ok({ type: 'array', maxItems: 2, items: ref('Boat'), ...list }) },
        },
        post: {
          operationId: 'launch',
          requestBody: { required: true, content: json(ref('NewBoat')) },
          responses: { 201: ok(ref('Boat'), created) },
        },
      },
      '/boats/{boatId}': {
        parameters: [id],
        get: { operationId: 'getBoat', responses: { 200: ok(ref('Boat')), 404: { description: 'none' } } },
        delete: { operationId: 'sink', responses: { 204: { description: 'gone' } } },
      },
    },
    { components: { schemas: { Boat: BOAT, NewBoat: { ...BOAT, required: ['name'] } } } },
  );
}

interface Harbour {
  readonly mock: Mock<object>;
  readonly calls: readonly MockCall[];
  readonly send: (method: string, path: string, body?: unknown) => Promise<Response>;
}

async function open(document: object, { over, ...rest }: MockDefinition & { over?: string } = {}): Promise<Harbour> {
  const api = await loadDocument(document);
  const calls: MockCall[] = [];
  const isSocket = over === 'a socket';
  const options = { seed: 1, onCall: (call: MockCall) => calls.push(call), ...(isSocket ? { port: 0 } : {}) };
  const mock = await startMock(defineMock(api, rest), options);
  onTestFinished(() => mock.close());
  const send: Harbour['send'] = (method, path, body) =>
    (isSocket ? fetch : mock.fetch)(`${mock.url}${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return { mock, calls, send };
}

/** Launches three boats, one more than the list has room for. */
async function launchThree({ send }: Harbour): Promise<void> {
  for (const name of ['Ada', 'Bea', 'Cleo']) expect((await send('POST', '/boats', { name })).status).toBe(201);
}

const NOTE =
  'listBoats sent a made-up 200, because the inferred response broke the spec: /body must NOT have more than 2 items. ' +
  'What is inferred is shown by "specmill explain" and corrected by "resources" in the configuration.';

describe.each(['a call in process', 'a socket'])('over %s', (over) => {
  test('an inferred response that breaks the spec is replaced by one of its schema, and the state is kept', async () => {
    const harbourMaster = await open(harbour(), { over });
    await launchThree(harbourMaster);
    const { mock, calls, send } = harbourMaster;
    const listed = await send('GET', '/boats');
    expect(listed.status).toBe(200);
    expect(((await listed.json()) as unknown[]).length).toBeLessThanOrEqual(2);
    expect(await (await send('GET', '/boats/3')).json()).toMatchObject({ id: 3, name: 'Cleo' });
    const entry = (await mock.requests()).find(({ operationId }) => operationId === 'listBoats');
    expect(entry).toMatchObject({ status: 200, violations: [], notes: [NOTE] });
    const [, , , call] = calls;
    if (call === undefined) throw new Error('The call was not logged.');
    expect(formatCall(call, false)).toContain(`GET /boats 200`);
    expect(formatCall(call, false)).toContain(NOTE);
    expect(JSON.parse(formatCallAsJson(call))).toMatchObject({ operationId: 'listBoats', notes: [NOTE] });
  });
});

test('a response that fits has no note', async () => {
  const { mock, send } = await open(harbour());
  await send('GET', '/boats');
  expect((await mock.requests())[0]).not.toHaveProperty('notes');
});

test('another documented success is sent if the schema of the inferred one accepts nothing', async () => {
  const document = harbour({ list: { minItems: 3 } });
  const paths = document as { paths: { '/boats': { get: { responses: Record<string, object> } } } };
  paths.paths['/boats'].get.responses['206'] = ok({ type: 'object', properties: { partial: { const: true } } });
  const { mock, send } = await open(document);
  expect((await send('GET', '/boats')).status).toBe(206);
  expect((await mock.requests())[0]?.notes?.[0]).toMatch(/^listBoats sent a made-up 206, because/);
});

test('a response is a 500 with its violations if nothing can be made for it', async () => {
  const { mock, send } = await open(harbour({ list: { minItems: 3 } }));
  expect((await send('GET', '/boats')).status).toBe(500);
  expect((await mock.requests())[0]?.violations[0]).toMatchObject({ in: 'response', pointer: '/body' });
});

test.each<[string, SchemaObject]>([
  ['of another kind of thing', { type: 'object', required: ['ticket'], properties: { ticket: { type: 'string' } } }],
  ['that is a text', { type: 'string', minLength: 3 }],
  ['that is a list of numbers', { type: 'array', minItems: 2, items: { type: 'integer' } }],
])('a creation whose response is documented with a body %s responds with it and keeps the item', async (_, schema) => {
  const { mock, send } = await open(harbour({ created: { content: json(schema) } }));
  const created = await send('POST', '/boats', { name: 'Ada' });
  expect(created.status).toBe(201);
  expect(compileValidator(mock.api, schema, { direction: 'response' })(await created.json())).toEqual([]);
  expect((await mock.requests())[0]).toMatchObject({ operationId: 'launch', status: 201, violations: [] });
  expect(await (await send('GET', '/boats')).json()).toMatchObject([{ name: 'Ada' }]);
});

test('a creation whose response has a member of another type than the item responds with that type and keeps the item', async () => {
  const schema: Schema = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'integer' } },
  };
  const { mock, send } = await open(harbour({ created: { content: json(schema) } }));
  const created = await send('POST', '/boats', { name: 'Ada', masts: 2 });
  expect(created.status).toBe(201);
  expect(compileValidator(mock.api, schema, { direction: 'response' })(await created.json())).toEqual([]);
  expect(await (await send('GET', '/boats')).json()).toMatchObject([{ name: 'Ada', masts: 2 }]);
});

test('headers that inference does not know are made up, and the item is kept', async () => {
  const headers = {
    'X-Berth': { required: true, schema: { type: 'integer', minimum: 4, maximum: 4 } },
    Location: { schema: { type: 'string', pattern: '^boat:[0-9]+$' } },
  };
  const { mock, send } = await open(harbour({ created: { headers } }));
  const launched = await send('POST', '/boats', { name: 'Dora' });
  expect(launched.status).toBe(201);
  expect(launched.headers.get('x-berth')).toBe('4');
  expect(launched.headers.get('location')).toMatch(/^boat:\d+$/);
  expect(await launched.json()).toMatchObject({ id: 1, name: 'Dora' });
  expect((await mock.requests())[0]?.notes?.[0]).toMatch(/^launch sent made-up headers, because .* \/headers/);
});

test('a required header that inference does not know needs no note', async () => {
  const headers = { 'X-Berth': { required: true, schema: { type: 'boolean' } } };
  const { mock, send } = await open(harbour({ created: { headers } }));
  const launched = await send('POST', '/boats', { name: 'Dora' });
  expect([launched.status, launched.headers.get('x-berth')]).toEqual([201, expect.stringMatching(/true|false/)]);
  expect((await mock.requests())[0]).not.toHaveProperty('notes');
});

test.each<[string, MockDefinition]>([
  ['a handler that adds to the inferred response', { operations: { listBoats: (call) => call.default() } }],
  ['a handler that responds itself', { operations: { listBoats: (call) => call.respond(200, [{}, {}, {}]) } }],
  ['hooks of the resource', { resources: { Boat: {} } }],
])('hand-written behaviour stays strict: %s', async (_, definition) => {
  const harbourMaster = await open(harbour(), definition);
  await launchThree(harbourMaster);
  expect((await harbourMaster.send('GET', '/boats')).status).toBe(500);
});
