import { describe, expect, it } from 'vitest';

import { SandboxRegistry, isSandboxName } from '../../../server/sandbox/sandbox-registry.js';
import type { HandlerContext } from '../../../server/handler-api.js';
import type { MockDefinition } from '../../../server/mock-definition.js';
import type { JournalDraft } from '../../../server/sandbox/sandbox.js';
import { PROCESS_STATE } from '../../../server/sandbox/state-budget.js';
import { sandboxHost, testSandbox } from '../../support/sandbox-host.js';

const ANYBODY = { account: 'x' };

const SEEDED: MockDefinition = {
  seed: async (context: HandlerContext) => {
    const id = context.random.uuid();
    await context.collection('pets').put(String(await context.next('pet')), { name: 'Rex', id });
  },
};

function call(more: Partial<JournalDraft> = {}): JournalDraft {
  return {
    at: '',
    method: 'GET',
    path: '/pets',
    status: 200,
    request: { headers: {} },
    response: { headers: {} },
    violations: [],
    ...more,
  };
}

describe('the seed', () => {
  it('the seed fills the state once, even for concurrent calls', async () => {
    let runs = 0;
    const sandbox = testSandbox({
      seed: async (context) => {
        runs += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        await context.collection('pets').put('1', 'Rex');
      },
    });
    const contexts = await Promise.all(Array.from({ length: 10 }, async () => sandbox.contextFor(ANYBODY)));
    for (const context of contexts) expect(await context.collection('pets').get('1')).toBe('Rex');
    expect(runs).toBe(1);
  });

  it('the seed fills each account if state is kept by account', async () => {
    const sandbox = testSandbox({ ...SEEDED, stateBy: 'account' });
    const one = await sandbox.contextFor({ account: 'one' });
    await one.collection('pets').delete('1');
    expect((await (await sandbox.contextFor({ account: 'two' })).collection('pets').query()).total).toBe(1);
    expect((await one.collection('pets').query()).total).toBe(0);
    expect(await sandbox.transact((one) => one.accounts())).toEqual(['one', 'two']);
  });

  it('the seed is tried again if it failed', async () => {
    let runs = 0;
    const sandbox = testSandbox({
      seed: () => {
        runs += 1;
        if (runs === 1) throw new Error('no');
      },
    });
    await expect(sandbox.contextFor(ANYBODY)).rejects.toThrow('no');
    await sandbox.contextFor(ANYBODY);
    await sandbox.contextFor(ANYBODY);
    expect(runs).toBe(2);
  });
});

describe('reset', () => {
  it('reset restores the initial state, random numbers included', async () => {
    const sandbox = testSandbox(SEEDED);
    const first = await (await sandbox.contextFor(ANYBODY)).collection('pets').get('1');
    const context = await sandbox.contextFor(ANYBODY);
    const memory = context.memory('limits', () => ({ count: 0 }));
    memory.count = 5;
    await context.collection('pets').put('2', {});
    await context.clock.schedule({ id: 'a', name: 'none', dueAt: 8e14, payload: null });
    await sandbox.clock.freeze(true);
    sandbox.journal.add(call());
    sandbox.faults.replace([{ abort: true }]);
    await sandbox.reset();
    const after = await sandbox.contextFor(ANYBODY);
    expect((await after.collection('pets').query()).items.map(({ value }) => value)).toEqual([first]);
    expect(after.memory('limits', () => ({ count: 0 })).count).toBe(0);
    expect([sandbox.clock.isFrozen, sandbox.journal.entries(), sandbox.faults.list()]).toEqual([false, [], []]);
    expect((await sandbox.snapshot()).collections).not.toHaveProperty('#jobs');
    // What an old handler still writes goes nowhere.
    await context.collection('pets').put('3', {});
    expect((await after.collection('pets').query()).total).toBe(1);
  });
});

describe('a snapshot', () => {
  it('a snapshot restores data, versions, clock, jobs, counters and random numbers', async () => {
    const happened: string[] = [];
    const sandbox = testSandbox({
      ...SEEDED,
      stateBy: 'account',
      jobs: {
        expire: async (context: HandlerContext) => {
          happened.push('x');
          await context.collection('pets').delete('1');
        },
      },
    });
    await sandbox.clock.set(Date.parse('2026-01-01T00:00:00Z'));
    await sandbox.clock.freeze(true);
    const context = await sandbox.contextFor({ account: '__proto__' });
    await context.collection('pets').update('1', (pet) => ({ ...(pet as object), age: 3 }));
    await context.clock.schedule({ id: 'e', name: 'expire', dueAt: Date.parse('2026-01-02T00:00:00Z'), payload: null });
    const snapshot = JSON.parse(JSON.stringify(await sandbox.snapshot()));
    const numbers = [context.random.number(), context.random.uuid()];
    for (let turn = 0; turn < 2; turn += 1) {
      await sandbox.clock.advance({ months: 1, milliseconds: 0 });
      expect((await context.collection('pets').query()).total).toBe(0);
      await context.next('pet');
      await sandbox.restore(snapshot);
      expect(JSON.parse(JSON.stringify(await sandbox.snapshot()))).toEqual(snapshot);
      const again = await sandbox.contextFor({ account: '__proto__' });
      expect([again.random.number(), again.random.uuid()]).toEqual(numbers);
      expect((await again.collection('pets').getVersioned('1'))?.version).toBe(2);
      expect(await again.next('pet')).toBe(2);
    }
    expect(happened).toEqual(['x', 'x']);
  });

  it('a snapshot shows bytes as size and hash, and restores them while they are known', async () => {
    const host = sandboxHost();
    const sandbox = testSandbox({}, host);
    const context = await sandbox.contextFor(ANYBODY);
    await context.collection('files').put('1', { data: Uint8Array.of(1, 2, 3) });
    const snapshot = await sandbox.snapshot();
    const described = {
      $bytes: { size: 3, sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81' },
    };
    expect(snapshot.collections['files']).toEqual([{ id: '1', version: 1, value: { data: described } }]);
    await sandbox.reset();
    await sandbox.restore(snapshot);
    const files = (await sandbox.contextFor(ANYBODY)).collection('files');
    expect(await files.get('1')).toEqual({ data: Uint8Array.of(1, 2, 3) });
    const other = testSandbox();
    await other.restore(snapshot);
    expect(await (await other.contextFor(ANYBODY)).collection('files').get('1')).toEqual({ data: described });
  });

  it.each([
    [
      'an id twice',
      {
        pets: [
          { id: '1', value: 1 },
          { id: '1', value: 2 },
        ],
      },
      '/collections/pets/1/id',
    ],
    ['an invalid job', { '#jobs': [{ id: '1', value: { id: '1' } }] }, '/collections/#jobs/0/value'],
    ['an invalid callback', { '#callbacks': [{ id: '1', value: null }] }, '/collections/#callbacks/0/value'],
  ])('a snapshot with %s is refused and changes nothing', async (_name, collections, pointer) => {
    const sandbox = testSandbox(SEEDED);
    const before = await sandbox.snapshot();
    await expect(sandbox.restore({ collections })).rejects.toMatchObject({ name: 'BadSnapshotError', pointer });
    expect({ ...(await sandbox.snapshot()), clock: null }).toEqual({ ...before, clock: null });
  });
});

describe('another behaviour', () => {
  it('a new behaviour keeps the state, clock, journal and faults', async () => {
    const sandbox = testSandbox(SEEDED);
    await (await sandbox.contextFor(ANYBODY)).collection('pets').put('2', {});
    // Frozen first: a flowing clock goes on between the two.
    await sandbox.clock.freeze(true);
    await sandbox.clock.set(0);
    sandbox.journal.add(call());
    sandbox.faults.replace([{ times: 2 }]);
    await sandbox.adopt(sandboxHost({ seed: () => expect.unreachable() }));
    expect((await (await sandbox.contextFor(ANYBODY)).collection('pets').query()).total).toBe(2);
    expect([sandbox.clock.now(), sandbox.journal.entries().length, sandbox.faults.list().length]).toEqual([0, 1, 1]);
  });

  it('a new behaviour runs the jobs of a call that is still running', async () => {
    const sandbox = testSandbox();
    const running = await sandbox.contextFor(ANYBODY);
    const jobs: unknown[] = [];
    await sandbox.adopt(sandboxHost({ jobs: { note: async (_context, payload) => void jobs.push(payload) } }));
    await running.clock.schedule({ id: '1', name: 'note', dueAt: running.clock.now() + 1_000, payload: 'late' });
    await sandbox.clock.advance({ months: 0, milliseconds: 2_000 });
    expect(jobs).toEqual(['late']);
  });

  it('a concurrent change of behaviour and reset leave a state whose memory is counted and released', async () => {
    const before = PROCESS_STATE.bytes;
    const sandbox = testSandbox();
    await Promise.all([sandbox.reset(), sandbox.adopt(sandboxHost())]);
    await (await sandbox.contextFor(ANYBODY)).collection('pets').put('1', { name: 'Rex' });
    expect(PROCESS_STATE.bytes).toBeGreaterThan(before);
    await sandbox.close();
    expect(PROCESS_STATE.bytes).toBe(before);
  });

  it('a new behaviour keeps the writes of a call that is still running', async () => {
    const sandbox = testSandbox(SEEDED);
    const running = await sandbox.contextFor(ANYBODY);
    await sandbox.adopt(sandboxHost());
    await running.collection('pets').put('2', { name: 'Ida' });
    const pets = (await sandbox.contextFor(ANYBODY)).collection('pets');
    const where = [{ path: 'name', test: 'equals', value: 'Ida' }] as const;
    expect((await pets.query({ where })).items.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('the journal', () => {
  it('the journal keeps the last 1,000 calls, the oldest first', () => {
    const { journal } = testSandbox();
    for (let index = 1; index <= 1_500; index += 1) journal.add(call());
    const ids = journal.entries().map(({ id }) => Number(id));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 501, 1_500]);
    journal.clear();
    journal.add(call({ violations: [{ in: 'body', pointer: '', message: 'x' }] }));
    expect(journal.entries().map(({ id }) => id)).toEqual(['1501']);
    expect(journal.entries({ violations: true })).toHaveLength(1);
  });

  it('the journal redacts credentials in the usual headers and in the keys of the API', () => {
    const { journal } = testSandbox();
    const headers = { authorization: 'Basic c2VjcmV0', 'x-key': 'secret', cookie: 'a=secret', accept: '*/*' };
    journal.add(call({ path: '/pets?key=secret&a=1&k%65y=secret&KEY=s4', request: { headers } }));
    const [entry] = journal.entries();
    expect(JSON.stringify(entry)).not.toMatch(/secret|c2VjcmV0/);
    expect(entry?.path).toBe('/pets?key=REDACTED&a=1&k%65y=REDACTED&KEY=REDACTED');
    expect(entry?.request.headers).toEqual({
      authorization: 'Basic REDACTED',
      'x-key': 'REDACTED',
      cookie: 'REDACTED',
      accept: '*/*',
    });
  });

  it.each([
    ['small JSON', { a: [1] }, { a: [1] }],
    ['short text', 'hello', 'hello'],
    ['bytes', new Uint8Array(10), { $bytes: { size: 10 } }],
  ])('the journal keeps %s', (_name, body, want) => {
    const { journal } = testSandbox();
    journal.add(call({ response: { headers: {}, body } }));
    expect(journal.entries()[0]?.response.body).toEqual(want);
  });

  it('the journal parses JSON bodies when they are read, and truncates them like others', () => {
    const { journal } = testSandbox();
    const text = JSON.stringify({ ['__proto__']: [1], long: 'z'.repeat(70_000) });
    journal.add(call({ request: { headers: {}, json: '{"__proto__":[1]}' }, response: { headers: {}, json: 'null' } }));
    journal.add(call({ response: { headers: {}, json: text } }));
    const [short, long] = journal.entries();
    expect(JSON.stringify([short?.request.body, short?.response.body])).toBe('[{"__proto__":[1]},null]');
    expect(long?.response.body).toBe(text.slice(0, 65_536));
    expect(JSON.stringify([short, long])).not.toContain('"json"');
  });

  it.each([
    ['x'.repeat(100_000)],
    [Array.from({ length: 50_000 }, (_, index) => index)],
    [{ deep: { text: 'y'.repeat(100_000) } }],
  ])('the journal truncates bodies at 64 kB', (body) => {
    const { journal } = testSandbox();
    journal.add(call({ request: { headers: {}, body } }));
    expect(String(journal.entries()[0]?.request.body)).toHaveLength(65_536);
  });
});

describe('faults', () => {
  it('the first matching fault is applied, its times count down, and a used fault is removed', () => {
    const { faults } = testSandbox();
    const take = (id?: string): unknown =>
      faults.take({
        scenario: undefined,
        happens: ({ operationId }) => operationId === undefined || operationId === id,
      });
    faults.replace([{ operationId: 'other', status: 500 }, { status: 503, times: 2 }, { latencyMs: 5 }]);
    expect(take('listPets')).toMatchObject({ fault: { status: 503 } });
    expect(faults.list()[1]).toEqual({ status: 503, times: 1 });
    expect(take()).toMatchObject({ fault: { status: 503 } });
    expect(take('listPets')).toEqual({ fault: { latencyMs: 5 } });
    expect(take('other')).toMatchObject({ fault: { status: 500 } });
    expect(faults.list()).toHaveLength(2);
  });
});

describe('the registry', () => {
  it.each(['default', 'worker-1', 'a', 'A.b_c:d', 'x'.repeat(128)])('the registry accepts the name %s', (name) =>
    expect(isSandboxName(name)).toBe(true),
  );
  it.each(['', '-a', 'a b', 'a/b', '__proto__', 'ä', 'x'.repeat(129), '../x'])('refuses the name %j', (name) =>
    expect(isSandboxName(name)).toBe(false),
  );

  it('the registry keeps a thousand sandboxes separate', async () => {
    const registry = new SandboxRegistry(sandboxHost(SEEDED));
    const names = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
    await Promise.all(
      names.map(async (name) => (await registry.get(name).contextFor(ANYBODY)).collection('own').put('1', name)),
    );
    for (const name of names)
      expect(await (await registry.get(name).contextFor(ANYBODY)).collection('own').get('1')).toBe(name);
    await registry.close();
  });

  it('beyond 10,000 sandboxes the least recently used one is dropped, and never the default', async () => {
    const registry = new SandboxRegistry(sandboxHost());
    const first = ['default', 'a', 'b'].map((name) => registry.get(name));
    for (let index = 0; index < 9_997; index += 1) registry.get(`w${index}`);
    expect(['default', 'a'].map((name) => registry.get(name))).toEqual([first[0], first[1]]);
    registry.get('last');
    expect(registry.size).toBe(10_000);
    expect(['default', 'a', 'b'].map((name) => registry.get(name) === first.shift())).toEqual([true, true, false]);
    await registry.close();
  });

  it('sandboxes without a request for an hour are dropped, except the default', async () => {
    const registry = new SandboxRegistry(sandboxHost());
    const [kept, dropped] = [registry.get('default'), registry.get('w')];
    registry.sweep(Date.now() + 30 * 60_000);
    expect(registry.get('w')).toBe(dropped);
    registry.sweep(Date.now() + 2 * 3_600_000);
    expect(registry.get('default')).toBe(kept);
    expect(registry.get('w')).not.toBe(dropped);
    await registry.close();
    expect(() => registry.get('late')).toThrow('closed');
  });
});

describe('random numbers', () => {
  it('random numbers are the same for the same seed, and uuids are valid', async () => {
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => testSandbox({}, { seed }).contextFor(ANYBODY)),
    );
    const draw = (context: HandlerContext | undefined): unknown => [
      context?.random.uuid(),
      context?.random.integer(1, 6),
      context?.random.bytes(3),
    ];
    const drawn = draw(one);
    expect(draw(same)).toEqual(drawn);
    expect(draw(other)).not.toEqual(drawn);
    expect(one?.random.uuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
