import path from 'node:path';

import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';

import { defineMock } from '../../server/define-mock.js';
import { PortBusyError } from '../../http/wire/port-busy-error.js';
import { type Action, ActionRefusedError, type HandlerContext } from '../../server/handler-api.js';
import { startMock } from '../../server/start-mock.js';
import type { MockOptions } from '../../server/start/mock-options.js';
import type { Mock } from '../../server/start/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

type PetTypes = {
  addPet: { request: { body: Pet }; response: { status: 201; data: Pet }; failure: { status: 409; body: unknown } };
  getPet: {
    request: { path: { id: string } };
    response: { status: 200; data: Pet };
    failure: { status: 404; body: unknown };
  };
};
interface Pet {
  readonly name: string;
  readonly id?: string;
  readonly age?: number;
}

const PET = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, id: { type: 'string' }, age: { type: 'integer' } },
};
const json = (schema: object): object => ({ 'application/json': { schema } });
const PETS = documentWith(
  {
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: json(PET) },
        responses: { 201: { description: 'x', content: json(PET) } },
      },
    },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'x', content: json(PET) }, 404: { description: 'x' } },
      },
    },
  },
  {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }, {}],
  },
);

const grow: Action<{ id: string }, Pet> = {
  description: 'Moves the clock by a year.',
  input: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  run: async (context, { id }) => {
    const pet = await context.collection<Pet>('pets').get(id);
    if (pet === undefined) throw new ActionRefusedError(`There is no pet ${id}.`, { isUnknown: true });
    if (pet.name === 'Rock') throw new ActionRefusedError('A rock does not grow.');
    const grown = { ...pet, age: (pet.age ?? 0) + 1 };
    await context.collection<Pet>('pets').put(id, grown);
    return grown;
  },
};

/** Pets that run away after a day. */
async function petMock(
  options: MockOptions = {},
  stateBy: 'account' | 'sandbox' = 'sandbox',
): Promise<Mock<{ grow: (input: { id: string }) => Promise<Pet> }>> {
  const defined = defineMock<PetTypes, { grow: typeof grow }>(await loadDocument(PETS), {
    stateBy,
    operations: {
      addPet: async (call) => {
        const pet = { ...call.input.body, id: call.random.uuid() };
        await call.collection<Pet>('pets').put(pet.id, pet);
        await call.clock.schedule({
          id: pet.id,
          name: 'runAway',
          dueAt: call.clock.now() + 86_400_000,
          payload: pet.id,
        });
        return call.respond(201, pet);
      },
      getPet: async (call) => {
        const pet = await call.collection<Pet>('pets').get(call.input.path.id);
        return pet === undefined ? call.refuse(404, 'There is no such pet.') : call.respond(200, pet);
      },
    },
    jobs: {
      runAway: async (context: HandlerContext, id: string) => void (await context.collection('pets').delete(id)),
    },
    actions: { grow },
  });
  const mock = await startMock(defined, options);
  onTestFinished(() => mock.close());
  return mock;
}

async function addPet(
  fetch: typeof globalThis.fetch,
  url: string,
  pet: Pet = { name: 'Rex' },
  key = 'k',
): Promise<Pet & { id: string }> {
  const response = await fetch(`${url}/pets`, {
    method: 'POST',
    body: JSON.stringify(pet),
    headers: { 'content-type': 'application/json', 'x-key': key },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Pet & { id: string };
}

describe.each([
  ['in process', {}],
  ['on a socket', { port: 0 }],
])('a mock %s', (_name, options) => {
  const open = (mock: Mock<object>): typeof fetch => ('port' in options ? fetch : mock.fetch);

  it('stores state, validates, and follows its clock', async () => {
    const mock = await petMock(options);
    const pet = await addPet(open(mock), mock.url);
    const get = async (): Promise<number> => (await open(mock)(`${mock.url}/pets/${pet.id}`)).status;
    expect(await get()).toBe(200);
    expect(
      (
        await open(mock)(`${mock.url}/pets`, {
          method: 'POST',
          body: '{"name":7}',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
    await mock.clock.advance('PT24H');
    expect(await get()).toBe(404);
    expect((await mock.requests()).map(({ status }) => status)).toEqual([201, 200, 400, 404]);
    expect(await mock.requests({ violations: true })).toMatchObject([
      { status: 400, operationId: 'addPet', violations: [{ in: 'body', pointer: '/name' }] },
    ]);
    await mock.requests.clear();
    expect(await mock.requests()).toEqual([]);
  });

  it('serves its control interface', async () => {
    const mock = await petMock(options);
    const health = await open(mock)(`${mock.url}/__specmill/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', api: 'test' }]);
    expect(health.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('separates sandboxes by their header', async () => {
    const mock = await petMock(options);
    const pet = await addPet(open(mock), mock.url);
    const get = async (sandbox: string): Promise<number> =>
      (await open(mock)(`${mock.url}/pets/${pet.id}`, { headers: { 'x-specmill-sandbox': sandbox } })).status;
    expect([await get('w1'), await get('default'), await get('not a name')]).toEqual([404, 200, 400]);
    await mock.sandbox('w1').clock.advance('P1D');
    expect(await get('default')).toBe(200);
  });
});

describe('the members of a mock', () => {
  it('the members of a mock act on the default sandbox, and those of a sandbox on that sandbox', async () => {
    const mock = await petMock();
    const worker = mock.sandbox('w1');
    const pet = await addPet(worker.fetch, mock.url);
    expect((await worker.requests()).length).toBe(1);
    expect((await mock.requests()).length).toBe(0);
    expect((await worker.actions.grow({ id: pet.id })).age).toBe(1);
    await expect(mock.actions.grow({ id: pet.id })).rejects.toMatchObject({
      status: 422,
      message: `There is no pet ${pet.id}.`,
    });
    expectTypeOf(mock.actions.grow).parameter(0).toEqualTypeOf<{ id: string }>();
    // @ts-expect-error -- there is no such action
    expect(mock.actions.shrink).toBeUndefined();
  });

  it('the members of a mock restore a state, and reset it', async () => {
    const mock = await petMock();
    const pet = await addPet(mock.fetch, mock.url);
    const snapshot = await mock.state.get();
    await mock.reset();
    const isThere = async (): Promise<boolean> => (await mock.fetch(`${mock.url}/pets/${pet.id}`)).status === 200;
    expect(await isThere()).toBe(false);
    await mock.state.put(snapshot);
    expect(await isThere()).toBe(true);
    await expect(mock.state.put({ collections: { pets: [{ id: 7, value: 1 } as never] } })).rejects.toMatchObject({
      status: 422,
    });
    expect(await isThere()).toBe(true);
    await mock.reset();
    // The same seed and the same calls give the same ids.
    expect((await addPet(mock.fetch, mock.url)).id).toBe(pet.id);
  });

  it('the members of a mock set, freeze and advance the clock', async () => {
    const { clock } = await petMock();
    expect(await clock.set('2026-01-01T00:00:00Z')).toMatchObject({ frozen: false });
    await clock.freeze();
    expect(await clock.set(new Date('2026-01-01T00:00:00Z'))).toEqual({
      now: '2026-01-01T00:00:00.000Z',
      frozen: true,
    });
    expect(await clock.advance('P1M')).toEqual({ now: '2026-02-01T00:00:00.000Z', frozen: true });
    expect(await clock.freeze(false)).toMatchObject({ frozen: false });
    await expect(clock.advance('soon')).rejects.toMatchObject({ status: 422, violations: [{ pointer: '/advance' }] });
  });

  it('the members of a mock set faults', async () => {
    const mock = await petMock();
    await mock.faults.put([
      { operationId: 'getPet', status: 503, body: { message: 'later' }, headers: { 'Retry-After': '2' }, times: 1 },
    ]);
    const get = (): Promise<Response> => mock.fetch(`${mock.url}/pets/1`);
    const first = await get();
    expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([
      503,
      '2',
      { message: 'later' },
    ]);
    expect((await get()).status).toBe(404);
    await expect(mock.faults.put([{ operationId: 'nope' }])).rejects.toMatchObject({ status: 422 });
    await mock.faults.put([{ abort: true }]);
    await expect(get()).rejects.toThrow('fetch failed');
    await mock.faults.clear();
    expect(await mock.faults.get()).toEqual([]);
  });

  it('an action finds its items in the accounts of all callers', async () => {
    const mock = await petMock({}, 'account');
    await addPet(mock.fetch, mock.url, { name: 'Rex' }, 'one');
    const pet = await addPet(mock.fetch, mock.url, { name: 'Max' }, 'two');
    const rock = await addPet(mock.fetch, mock.url, { name: 'Rock' }, 'three');
    expect((await mock.actions.grow({ id: pet.id })).name).toBe('Max');
    await expect(mock.actions.grow({ id: rock.id })).rejects.toThrow('A rock does not grow.');
    const { accounts } = await mock.state.get();
    expect(Object.keys(accounts ?? {})).toEqual(['one', 'two', 'three']);
  });
});

describe('starting', () => {
  it.each([
    [{ latency: 'long' }, 'The option latency must be a duration'],
    [{ port: 70_000 }, 'The option port must be'],
    [{ seed: 0.5 }, 'The option seed must be a whole number.'],
    [{ credentials: 'none.yaml' }, 'The credentials cannot be read: there is no such file.'],
    [{ config: 'none.ts' }, 'The configuration cannot be read: there is no such file.'],
  ])('refuses %j with a sentence', async (options, message) => {
    await expect(startMock('signing', { cwd: tempFolder(), ...options })).rejects.toThrow(message);
  });

  it('refuses unknown names, and names of APIs that another mock serves', async () => {
    const cwd = tempFolder();
    await expect(startMock('sining', { cwd })).rejects.toThrow(/no API named "sining".*signing/);
    await expect(startMock('rate-limits', { cwd })).rejects.toThrow('served and enforced by the mock of notifications');
  });

  it('the error for an unknown name lists the APIs of the configuration first, and says how to name a spec', async () => {
    const cwd = tempFolder({ 'specmill.config.yaml': 'apis: { shop: { spec: shop.yaml, output: out } }' });
    await expect(startMock('depot', { cwd })).rejects.toThrow(
      /^The configuration has no API named "depot"\. There is shop\. With specmill come signing, .*\. A spec is also named by its path or URL, such as \.\/openapi\.yaml\.$/,
    );
  });

  it('accepts the path of a spec, as the command line does', async () => {
    const cwd = tempFolder({
      'pets.yaml': sampleSpec({ title: 'Own pets' }),
      'specmill.config.yaml': 'apis: { signing: { spec: missing.yaml, output: out } }',
    });
    for (const source of ['pets.yaml', './pets.yaml', `${cwd}/pets.yaml`]) {
      await using mock = await startMock(source, { cwd });
      expect(mock.api.title).toBe('Own pets');
    }
    await expect(startMock('cats.yaml', { cwd })).rejects.toThrow('The spec cannot be read: there is no such file.');
  });

  it('serves an API of the user although another mock serves one with the same name', async () => {
    const config = 'apis: { rate-limits: { spec: pets.yaml, output: out } }';
    const cwd = tempFolder({ 'specmill.config.yaml': config, 'pets.yaml': sampleSpec({ title: 'Own limits' }) });
    await using mock = await startMock('rate-limits', { cwd });
    expect(mock.api.title).toBe('Own limits');
  });

  it.each(['signing', 'generation', 'dictionary', 'tables', 'notifications', 'engine'])(
    'serves %s from any folder',
    async (name) => {
      const mock = await startMock(name, { cwd: tempFolder() });
      onTestFinished(() => mock.close());
      expect(await (await mock.fetch(`${mock.url}/__specmill/health`)).json()).toMatchObject({
        status: 'ok',
        api: name,
      });
    },
  );

  it('the mock of notifications serves the operations of the rate limits too', async () => {
    const mock = await startMock('notifications', { cwd: tempFolder() });
    onTestFinished(() => mock.close());
    expect((await mock.fetch(`${mock.url}/rate_limit`)).status).toBe(200);
  });

  it('the error for a busy port names the port', async () => {
    const mock = await petMock({ port: 0 });
    await expect(petMock({ port: Number(new URL(mock.url).port) })).rejects.toThrow(PortBusyError);
  });

  it('frees its port when it is closed', async () => {
    const mock = await petMock({ port: 0 });
    await mock.close();
    const again = await petMock({ port: Number(new URL(mock.url).port) });
    expect(again.url).toBe(mock.url);
  });
});

describe('a behaviour of the user', () => {
  const behaviour = (name: string): string => `import { defineMock } from 'specmill/mock';
import { fallback } from './names.js';
export default defineMock('pets', {
  operations: { getPet: async (call) => call.respond(200, (await call.collection('pets').get(call.input.path.id)) ?? { name: ${name} ?? fallback }) },
});
`;

  it('a behaviour of the user is found by the configuration, and reloaded with the state kept', async () => {
    const cwd = tempFolder({
      'specmill.config.yaml': 'apis: { pets: { spec: pets.json, output: out, mock: pets.mock.ts } }\n',
      'pets.json': JSON.stringify(PETS),
      'pets.mock.ts': behaviour('"Rex"'),
      'names.ts': 'export const fallback: string = "none";\n',
    });
    const mock = await startMock('pets', { cwd });
    onTestFinished(() => mock.close());
    const get = async (id: string): Promise<unknown> => (await mock.fetch(`${mock.url}/pets/${id}`)).json();
    expect(await get('1')).toEqual({ name: 'Rex' });
    await mock.state.put({ collections: { pets: [{ id: '2', value: { name: 'kept' } }] } });
    expect(mock.files).toEqual(
      expect.arrayContaining(
        ['pets.json', 'pets.mock.ts', 'specmill.config.yaml', 'names.ts'].map((file) => path.join(cwd, file)),
      ),
    );
    writeTo(cwd, 'pets.mock.ts', behaviour('undefined'));
    await mock.reload();
    expect([await get('1'), await get('2')]).toEqual([{ name: 'none' }, { name: 'kept' }]);
    writeTo(cwd, 'pets.mock.ts', 'export default 1;');
    await expect(mock.reload()).rejects.toThrow('must export what defineMock gives');
    expect(await get('2')).toEqual({ name: 'kept' });
  });
});

it('a sandbox has the members of the mock', async () => {
  const api = await loadDocument(documentWith({ '/x': { get: { responses: { 200: { description: 'ok' } } } } }));
  const mock = await startMock(api, { port: 0 });
  onTestFinished(() => mock.close());
  const sandbox = mock.sandbox('one');
  expect([sandbox.url, sandbox.api, sandbox.files, sandbox.name]).toEqual([mock.url, mock.api, mock.files, 'one']);
  expect(sandbox.sandbox('two').name).toBe('two');
  expect(sandbox.webSocket).toBeTypeOf('function');
});
