import { beforeAll, afterAll, describe, expect, expectTypeOf, it } from 'vitest';

import { connectMock } from '../../entry/mock.js';
import { defineMock } from '../../server/define-mock.js';
import { type Action, ActionRefusedError } from '../../server/handler-api.js';
import { startMock } from '../../server/start-mock.js';
import type { Mock } from '../../server/start/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const DOCUMENT = documentWith({
  '/pets/{id}': {
    get: {
      operationId: 'getPet',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: { description: 'x', content: { 'application/json': { schema: { type: 'object' } } } },
        404: { description: 'x' },
      },
    },
  },
});

const addPet: Action<{ id: string; name: string }, { name: string }> = {
  description: 'A pet moves in.',
  input: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  run: async (context, { id, name }) => {
    if (name === 'Rock') throw new ActionRefusedError('A rock is no pet.');
    await context.collection('pets').put(id, { name });
    return { name };
  },
};

let served: Mock<object>;

beforeAll(async () => {
  const defined = defineMock(await loadDocument(DOCUMENT), {
    operations: {
      getPet: async (call) => {
        const { path } = call.input as unknown as { path: { id: string } };
        const pet = await call.collection('pets').get(path.id);
        return pet === undefined ? call.refuse(404, 'No such pet.') : call.respond(200, { kind: 'json', value: pet });
      },
    },
    actions: { addPet, 'add-nothing': { description: 'Nothing.', input: true as never, run: () => undefined } },
  });
  served = await startMock(defined, { port: 0 });
});
afterAll(() => served.close());

describe('connectMock', () => {
  it('acts on a mock in another process', async () => {
    const mock = connectMock(served.url);
    await mock.actions['addPet']?.({ id: '1', name: 'Rex' });
    expect(await (await mock.fetch(`${mock.url}/pets/1`)).json()).toEqual({ name: 'Rex' });
    const state = await mock.state.get();
    expect(state).toMatchObject({ collections: { pets: [{ id: '1', value: { name: 'Rex' } }] } });
    expect(await mock.requests()).toMatchObject([{ method: 'GET', path: '/pets/1', status: 200 }]);
    expect(await mock.requests({ violations: true })).toEqual([]);
    await mock.requests.clear();
    expect(await served.requests()).toEqual([]);
    await mock.reset();
    expect((await mock.fetch(`${mock.url}/pets/1`)).status).toBe(404);
    await mock.state.put(state);
    expect((await mock.fetch(`${mock.url}/pets/1`)).status).toBe(200);
  });

  it('moves the clock of the mock', async () => {
    const { clock } = connectMock(`${served.url}/`, { sandbox: 'clock' });
    const frozen = { now: '2026-01-01T00:00:00.000Z', frozen: true };
    await clock.freeze();
    expect(await clock.set(new Date(frozen.now))).toEqual(frozen);
    expect(await clock.advance('PT24H')).toEqual({ now: '2026-01-02T00:00:00.000Z', frozen: true });
    expect(await clock.get()).toMatchObject({ frozen: true });
    expect(await clock.freeze(false)).toMatchObject({ frozen: false });
  });

  it('sets, lists and clears faults', async () => {
    const { faults, fetch, url } = connectMock(served.url);
    await faults.put([{ operationId: 'getPet', status: 503, times: 2 }]);
    expect((await fetch(`${url}/pets/1`)).status).toBe(503);
    expect(await faults.get()).toEqual([{ operationId: 'getPet', status: 503, times: 1 }]);
    await faults.clear();
    expect(await faults.get()).toEqual([]);
  });

  it('uses the named sandbox, and opens others', async () => {
    const one = connectMock(served.url, { sandbox: 'one' });
    const two = one.sandbox('two');
    await one.actions['addPet']?.({ id: '7', name: 'Tom' });
    expect((await one.fetch(`${one.url}/pets/7`)).status).toBe(200);
    expect((await two.fetch(`${one.url}/pets/7`)).status).toBe(404);
    expect([one.name, two.name]).toEqual(['one', 'two']);
  });

  it('an action without a result returns null, and an action may be called without input', async () => {
    const { actions } = connectMock(served.url);
    expect(await actions['add-nothing']?.(undefined)).toBe(null);
    expect(await Promise.resolve(actions)).toBe(actions);
  });

  it.each([
    ['an unknown action', (mock) => mock.actions['sing']?.({}), { status: 404 }],
    [
      'a refused transition',
      (mock) => mock.actions['addPet']?.({ id: '1', name: 'Rock' }),
      { status: 422, message: 'A rock is no pet.' },
    ],
    [
      'bad input',
      (mock) => mock.actions['addPet']?.({}),
      { status: 422, violations: [{ in: 'body', pointer: '', message: expect.any(String) }] },
    ],
    ['an operation that does not exist', (mock) => mock.faults.put([{ operationId: 'no' }]), { status: 422 }],
    ['a bad name', (mock) => mock.sandbox('a/b').reset(), { status: 400 }],
  ] satisfies [string, (mock: ReturnType<typeof connectMock>) => unknown, object][])(
    'refuses %s as the mock itself does',
    async (_what, act, expected) => {
      await expect(act(connectMock(served.url))).rejects.toMatchObject({ name: 'ControlError', ...expected });
    },
  );

  it('the error says whether no server responds, or one that is not a mock', async () => {
    await expect(connectMock('http://127.0.0.1:1').reset()).rejects.toThrow('resetSandbox got no complete response.');
    await expect(connectMock(`${served.url}/pets`).reset()).rejects.toThrow('There is no operation');
    expect(() => connectMock('not an address')).toThrow('The baseUrl is not an address.');
  });

  it('connectMock has the actions of a built-in API in its type', () => {
    const mock = connectMock<'signing'>('http://127.0.0.1:4010');
    expectTypeOf(mock.actions.approve).parameter(0).toEqualTypeOf<{ readonly caseId: string }>();
  });
});
