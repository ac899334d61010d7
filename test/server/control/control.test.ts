import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { isControlTarget } from '../../../http/routing/router.js';
import { defineMock } from '../../../server/define-mock.js';
import { ActionRefusedError } from '../../../server/handler-api.js';
import { startMock } from '../../../server/start-mock.js';
import type { Mock } from '../../../server/start/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { growthOf, LINEAR } from '../../support/growth.js';
import { rawGet } from '../../support/raw-get.js';

const control = await loadApi(path.resolve('specs/control/openapi.yaml'));
const content = { 'application/json': { examples: { some: { value: [{ name: 'Rex' }] } } } };
const pets = await loadDocument(
  documentWith({ '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok', content } } } } }),
);

async function controlMock(): Promise<Mock<object>> {
  const mock = await startMock(
    defineMock(pets, {
      seed: (context) => context.collection('pets').put('1', { name: 'Rex', photo: Uint8Array.of(1) }),
      actions: {
        rename: {
          description: 'Renames the pet.',
          input: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          run: async (context, { name }: { name: string }) => {
            if (name === 'no') throw new ActionRefusedError('It will not listen.');
            if (name === 'bug') throw new Error('oops');
            return context.collection<object>('pets').update('1', (pet) => ({ ...pet, name }));
          },
        },
        rest: { description: 'Nothing happens.', input: {}, run: () => undefined },
      },
    }),
  );
  onTestFinished(() => mock.close());
  return mock;
}

/** Calls a route, and checks the response against the spec of the control interface. */
async function call(
  mock: Mock<object>,
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await mock.fetch(`http://mock/__specmill${target}`, {
    method,
    ...(text === undefined ? {} : { body: text }),
  });
  const received = await response.text();
  const [route = ''] = `/__specmill${target.replace(/^\/actions\/.+/, '/actions/{name}')}`.split('?');
  const operation = control.operations.find((one) => one.path === route && one.method === method.toLowerCase());
  const documented = operation?.responses.find(({ status }) => status === String(response.status));
  const value: unknown = received === '' ? undefined : JSON.parse(received);
  const [media] = documented?.content ?? [];
  const violations = compileValidator(control, media?.schema ?? true, { direction: 'response' })(value);
  const isDocumented = operation === undefined || documented !== undefined;
  const type = operation === undefined ? undefined : response.headers.get('content-type');
  expect({ isDocumented, violations, type: type ?? undefined }).toEqual({
    isDocumented: true,
    violations: [],
    type: media?.mediaType,
  });
  return { status: response.status, body: value };
}

describe('the control interface', () => {
  it.each<[string, string, unknown, number]>([
    ['GET', '/health', undefined, 200],
    ['POST', '/reset', undefined, 204],
    ['GET', '/state', undefined, 200],
    ['PUT', '/state', { collections: {} }, 204],
    [
      'PUT',
      '/state',
      { collections: { a: [{ id: '1', value: null }] }, clock: { now: '2026-01-01T00:00:00Z' }, random: [1, 2, 3, 4] },
      204,
    ],
    ['PUT', '/state', {}, 422],
    ['PUT', '/state', [], 422],
    ['PUT', '/state', '{broken', 422],
    ['PUT', '/state', undefined, 422],
    ['PUT', '/state', { collections: { a: {} } }, 422],
    [
      'PUT',
      '/state',
      {
        collections: {
          a: [
            { id: '1', value: 1 },
            { id: '1', value: 1 },
          ],
        },
      },
      422,
    ],
    ['PUT', '/state', { collections: {}, clock: { now: 'yesterday' } }, 422],
    ['PUT', '/state', `{"collections":${'['.repeat(2000)}${']'.repeat(2000)}}`, 422],
    ['GET', '/clock', undefined, 200],
    ['PUT', '/clock', { now: '2026-01-01T00:00:00Z' }, 200],
    ['PUT', '/clock', { now: '2026-01-01T00:00:00+02:00', frozen: true }, 200],
    ['PUT', '/clock', { advance: 'PT24H' }, 200],
    ['PUT', '/clock', { advance: 'P1Y2M3DT4H5M6.7S' }, 200],
    ['PUT', '/clock', { frozen: false }, 200],
    ['PUT', '/clock', {}, 422],
    ['PUT', '/clock', { now: '2026-01-01' }, 422],
    ['PUT', '/clock', { advance: '24h' }, 422],
    ['PUT', '/clock', { advance: '-PT1H' }, 422],
    ['PUT', '/clock', { advance: 'P9999999999D' }, 422],
    ['PUT', '/clock', { advance: `P${'9'.repeat(21)}D` }, 422],
    ['PUT', '/clock', { advance: 'P250000Y' }, 422],
    ['PUT', '/clock', { advance: 'P7900Y' }, 200],
    ['PUT', '/clock', { now: '2026-01-01T00:00:00Z', advance: 'PT1H' }, 422],
    ['PUT', '/clock', { frozen: 'yes' }, 422],
    ['GET', '/requests', undefined, 200],
    ['GET', '/requests?violations=true', undefined, 200],
    ['GET', '/requests?violations=maybe', undefined, 422],
    ['DELETE', '/requests', undefined, 204],
    ['GET', '/faults', undefined, 200],
    [
      'PUT',
      '/faults',
      [{ operationId: 'listPets', status: 503, headers: { 'Retry-After': '1' }, body: {}, times: 2 }, { latencyMs: 5 }],
      204,
    ],
    ['PUT', '/faults', [], 204],
    ['PUT', '/faults', {}, 422],
    ['PUT', '/faults', [{ operationId: 'nope' }], 422],
    ['PUT', '/faults', [{ example: 'nope' }], 422],
    ['PUT', '/faults', [{ operationId: 'listPets', example: 'some' }], 204],
    ['PUT', '/faults', [{ example: 'some', status: 200 }], 204],
    ['PUT', '/faults', [{ example: 'some', status: 404 }], 422],
    ['PUT', '/faults', [{ status: 99 }], 422],
    ['PUT', '/faults', [{ headers: { 'a b': 'x' } }], 422],
    ['PUT', '/faults', [{ headers: { a: 'x\r\ny: z' } }], 422],
    ['PUT', '/faults', [{ times: 0 }], 422],
    ['DELETE', '/faults', undefined, 204],
    ['GET', '/actions', undefined, 200],
    ['POST', '/actions/rename', { name: 'Max' }, 200],
    ['POST', '/actions/rename', {}, 422],
    ['POST', '/actions/rename', '{', 422],
    ['POST', '/actions/rename', { name: 'no' }, 422],
    ['POST', '/actions/rest', undefined, 200],
    ['POST', '/actions/%2e', {}, 404],
    ['POST', '/actions/constructor', {}, 404],
    ['POST', '/actions/__proto__', {}, 404],
    ['GET', '/nothing', undefined, 404],
    ['GET', '', undefined, 404],
    ['GET', '/nope', undefined, 404],
    ['GET', '/actions/a/b', undefined, 404],
    ['POST', '/health', undefined, 405],
    ['PATCH', '/state', {}, 405],
    ['OPTIONS', '/clock', undefined, 405],
  ])('the control interface: %s %s %j responds %i', async (method, target, body, status) => {
    expect((await call(await controlMock(), method, target, body)).status).toBe(status);
  });

  it('the control interface shows the state with bytes as size and hash, and acts on it', async () => {
    const mock = await controlMock();
    const { body } = await call(mock, 'GET', '/state');
    expect(body).toMatchObject({
      collections: { pets: [{ id: '1', version: 1, value: { name: 'Rex', photo: { $bytes: { size: 1 } } } }] },
    });
    expect((await call(mock, 'POST', '/actions/rename', { name: 'Max' })).body).toMatchObject({ name: 'Max' });
    expect((await call(mock, 'POST', '/actions/rest')).body).toBeNull();
    expect((await call(mock, 'POST', '/actions/rename', { name: 'no' })).body).toMatchObject({
      status: 422,
      detail: 'It will not listen.',
    });
    expect(await call(mock, 'PUT', '/state', body)).toMatchObject({ status: 204 });
    expect(((await call(mock, 'GET', '/state')).body as { collections: unknown }).collections).toEqual(
      (body as { collections: unknown }).collections,
    );
  });

  it('the control interface reports errors with their pointer', async () => {
    const mock = await controlMock();
    expect((await call(mock, 'PUT', '/faults', [{ latencyMs: -1 }])).body).toMatchObject({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      violations: [{ in: 'body', pointer: '/0/latencyMs', message: 'must be >= 0' }],
    });
    expect((await call(mock, 'POST', '/actions/rename', { name: 1 })).body).toMatchObject({
      violations: [{ pointer: '/name' }],
    });
    expect((await call(mock, 'POST', '/actions/nope', {})).body).toMatchObject({
      detail: 'There is no action "nope"; there are rename, rest.',
    });
  });

  it('the control interface responds 500 to a bug of an action, and keeps running', async () => {
    const mock = await controlMock();
    const response = await mock.fetch('http://mock/__specmill/actions/rename', {
      method: 'POST',
      body: '{"name":"bug"}',
    });
    expect([response.status, await response.json()]).toMatchObject([500, { detail: 'The mock failed: oops' }]);
    // In the same process it is thrown as it is, so that its stack leads to the line.
    const { rename } = mock.actions as unknown as Record<string, (input: object) => Promise<unknown>>;
    const thrown: unknown = await rename?.({ name: 'bug' }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'Error', message: 'oops' });
    expect((thrown as Error).stack).toContain('control.test.ts');
    expect((await call(mock, 'GET', '/health')).status).toBe(200);
  });

  it('the control interface refuses an invalid name of a sandbox, and creates none for a health check', async () => {
    const mock = await controlMock();
    const headers = { 'x-specmill-sandbox': 'not/a/name' };
    expect((await mock.fetch('http://mock/__specmill/state', { headers })).status).toBe(400);
    const health = await mock.fetch('http://mock/__specmill/health', { headers });
    expect(await health.json()).toMatchObject({ sandboxes: 0 });
  });

  it.each([
    ['/__specmill', true],
    ['/__specmill/', true],
    ['/__specmill?a', true],
    ['/__specmillx', false],
    ['/x/__specmill', false],
  ])('whether %s is a path of the control interface: %s', (target, want) => expect(isControlTarget(target)).toBe(want));
});

describe('access over HTTP', () => {
  it.each<[string, Record<string, string>, number]>([
    ['its own address', {}, 200],
    ['localhost', { host: 'localhost:1' }, 200],
    ['another loopback address', { host: '[::1]:80' }, 200],
    ['a name that was made to point here', { host: 'evil.example.com' }, 403],
    ['a name that looks like an address', { host: '127.0.0.1.evil.example.com' }, 403],
    ['another address', { host: '192.0.2.7' }, 403],
    ['a value that is not a host', { host: 'a/b' }, 400],
    ['a foreign origin', { origin: 'https://evil.example.com' }, 403],
    ['a page of a file', { origin: 'null' }, 403],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    [
      'a form or an event source of a foreign page',
      { origin: 'http://evil.example', 'content-type': 'text/plain' },
      403,
    ],
    // The page cannot read it: the response allows no origin.
    ['an image or a script of a foreign page', { 'sec-fetch-site': 'cross-site' }, 200],
    ['its own origin', { host: 'localhost:7', origin: 'http://localhost:7' }, 200],
  ])('a request from %s gets the expected access: %j', async (_name, headers, want) => {
    const mock = await startMock(pets, { port: 0 });
    onTestFinished(() => mock.close());
    const { status, allowed } = await rawGet(`${mock.url}/__specmill/health`, headers);
    expect([status, allowed]).toEqual([want, undefined]);
  });

  it('a mock that listens on all interfaces accepts any IP address as Host, and no name', async () => {
    const mock = await startMock(pets, { port: 0, host: '0.0.0.0' });
    onTestFinished(() => mock.close());
    const url = mock.url.replace('0.0.0.0', '127.0.0.1');
    expect((await rawGet(`${url}/__specmill/health`, { host: '192.0.2.7:80' })).status).toBe(200);
    expect((await rawGet(`${url}/__specmill/health`, { host: 'evil.example.com' })).status).toBe(403);
  });
});

it('many faults take time in proportion to their number', async () => {
  const mock = await controlMock();
  const put = async (count: number): Promise<void> => {
    const faults = Array.from({ length: count }, () => ({ operationId: 'listPets', status: 503, times: 1 }));
    const body = JSON.stringify(faults);
    expect((await mock.fetch('http://mock/__specmill/faults', { method: 'PUT', body })).status).toBe(204);
    expect((await mock.fetch('http://mock/pets')).status).toBe(503);
  };
  expect(await growthOf(put, 4_000)).toBeLessThan(LINEAR);
});

it.each([
  [{ operationId: 'listPet', status: 503 }, '/0/operationId', 'Did you mean listPets?'],
  [{ operation: 'listPets', status: 503 }, '/0/operation', 'Did you mean operationId?'],
])('refuses the fault %j with a suggestion', async (fault, pointer, suggestion) => {
  const mock = await startMock(pets);
  onTestFinished(() => mock.close());
  const response = await mock.fetch(`${mock.url}/__specmill/faults`, {
    method: 'PUT',
    body: JSON.stringify([fault]),
  });
  const { detail, violations } = (await response.json()) as { detail: string; violations: { pointer: string }[] };
  expect([response.status, violations[0]?.pointer]).toEqual([422, pointer]);
  expect(detail).toContain(suggestion);
  expect(await mock.faults.get()).toEqual([]);
});
