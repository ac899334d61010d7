import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Replica, storeOf } from '../../server/stores/replicated/replica.js';
import { openLmdbBackend } from '../../server/stores/replicated/lmdb-backend.js';
import { openRedisBackend } from '../../server/stores/replicated/redis-backend.js';
import { parseRedisUrl } from '../../server/stores/replicated/redis-connection.js';
import {
  type StateBackend,
  StateFullError,
  StateUnavailableError,
} from '../../server/stores/replicated/state-backend.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';
import { tempFolder } from '../support/temp-folder.js';
import { describeStore } from './store-conformance.js';

const ENGINES: readonly (readonly [string, () => Promise<StateBackend>])[] = [
  ['LMDB', () => openLmdbBackend(tempFolder())],
  ['Redis', openRedis],
];

let redis: RedisServer | undefined;
let count = 0;

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

async function openRedis(): Promise<StateBackend> {
  count += 1;
  return openRedisBackend(parseRedisUrl(`${redis?.url ?? ''}?prefix=test-${count}`), 'api');
}

function openReplica(backend: StateBackend): Replica {
  return new Replica({ sandbox: 'default', backend, onChange: () => {} });
}

function countPushes(backend: StateBackend): { readonly counted: StateBackend; readonly pushes: () => number } {
  let pushes = 0;
  const push: StateBackend['push'] = (...call) => {
    pushes += 1;
    return backend.push(...call);
  };
  return { counted: { ...methodsOf(backend), push }, pushes: () => pushes };
}

function methodsOf(backend: StateBackend): StateBackend {
  const { pull, push, readChunks, list, drop, dropUnused, findDue, journals, close } = backend;
  return { pull, push, readChunks, list, drop, dropUnused, findDue, journals, close };
}

function makeGate(): readonly [opened: Promise<void>, open: () => void] {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return [opened, open];
}

async function openBackend(open: () => Promise<StateBackend>): Promise<StateBackend> {
  const backend = await open();
  onTestFinished(() => backend.close());
  return backend;
}

describe.each(ENGINES.filter(([name]) => name !== 'Redis' || hasRedis))('state in %s', (name, open) => {
  describeStore(name, async () => storeOf(openReplica(await openBackend(open))));

  it('each process sees the writes of the others, and those before its start', async () => {
    const backend = await openBackend(open);
    const [one, other] = [storeOf(openReplica(backend)), storeOf(openReplica(backend))];
    await one.put('pets', '1', { name: 'Rex' });
    expect((await other.get('pets', '1'))?.value).toEqual({ name: 'Rex' });
    await other.update('pets', '1', () => ({ name: 'Max' }));
    await other.put('pets', '2', { name: 'Ann' });
    expect((await one.query('pets', {})).items.map(({ value }) => value)).toEqual([{ name: 'Max' }, { name: 'Ann' }]);
    await one.clear();
    expect(await other.collections()).toEqual([]);
    expect(await storeOf(openReplica(backend)).collections()).toEqual([]);
  });

  it('several processes lose no update, and get no number twice', async () => {
    const backend = await openBackend(open);
    const stores = [1, 2, 3].map(() => storeOf(openReplica(backend)));
    const numbers = await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 30 }, () => store.update('counters', 'n', (value) => Number(value ?? 0) + 1)),
      ),
    );
    expect(numbers.map(Number).toSorted((one, two) => one - two)).toEqual(
      Array.from({ length: 90 }, (_, index) => index + 1),
    );
  });

  it('a transaction writes all or nothing, and is repeated after a conflict', async () => {
    const backend = await openBackend(open);
    const [one, other] = [openReplica(backend), openReplica(backend)];
    let attempts = 0;
    await one.transact(async (transaction) => {
      attempts += 1;
      const { total } = transaction.find('pets', {});
      transaction.write('pets', `first-${total}`, total);
      if (attempts === 1) await other.transact(async (inner) => void inner.write('pets', 'between', true));
      transaction.write('pets', `second-${total}`, total);
    });
    expect(attempts).toBe(2);
    const { items } = await storeOf(openReplica(backend)).query('pets', {});
    expect(items.map(({ id }) => id)).toEqual(['between', 'first-1', 'second-1']);
    await expect(
      one.transact(async (transaction) => {
        transaction.write('pets', 'never', true);
        throw new Error('a bug');
      }),
    ).rejects.toThrow('a bug');
    expect(await storeOf(other).get('pets', 'never')).toBeUndefined();
  });

  it('transactions that run together are one commit, and each of them is there for the next process', async () => {
    const backend = await openBackend(open);
    const { counted, pushes } = countPushes(backend);
    const replica = openReplica(counted);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        replica.transact(async (transaction) => void transaction.write('pets', String(index), index)),
      ),
    );
    expect(pushes()).toBe(1);
    const { items } = await storeOf(openReplica(backend)).query('pets', {});
    expect(items.map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  it('a transaction that ends while another one is committed is committed after it', async () => {
    const backend = await openBackend(open);
    const { counted, pushes } = countPushes(backend);
    const [asked, ask] = makeGate();
    const [opened, openGate] = makeGate();
    const push: StateBackend['push'] = async (...commit) => {
      ask();
      await opened;
      return counted.push(...commit);
    };
    const replica = openReplica({ ...counted, push });
    const first = replica.transact(async (transaction) => void transaction.write('pets', '1', 1));
    await asked;
    const second = replica.transact(async (transaction) => void transaction.write('pets', '2', 2));
    await nextTurn();
    openGate();
    await Promise.all([first, second]);
    expect(pushes()).toBe(2);
    expect((await storeOf(openReplica(backend)).query('pets', {})).total).toBe(2);
  });

  it('a commit of several transactions has the last state of an item and of its bytes', async () => {
    const backend = await openBackend(open);
    const replica = openReplica(backend);
    const write = (id: string, value: unknown): Promise<void> =>
      replica.transact(async (transaction) => void transaction.write('files', id, value));
    const stored = async (): Promise<unknown> =>
      (await storeOf(openReplica(backend)).query('files', {})).items.map(({ id, value }) => [id, value]);
    await write('old', new Uint8Array([1]));
    await Promise.all([write('old', new Uint8Array([2])), write('new', new Uint8Array([3])), write('gone', 4)]);
    await Promise.all([
      replica.transact(async (transaction) => void transaction.remove('files', 'gone')),
      write('new', new Uint8Array([5])),
      write('new', new Uint8Array([6, 7])),
    ]);
    expect(await stored()).toEqual([
      ['old', new Uint8Array([2])],
      ['new', new Uint8Array([6, 7])],
    ]);
    expect(await backend.readChunks('default', ['1.1.0', '2.1.0', '2.2.0'])).toEqual([undefined, undefined, undefined]);
    await Promise.all([
      write('before', 1),
      replica.transact((transaction) => transaction.clear()),
      write('last', new Uint8Array([8])),
    ]);
    expect(await stored()).toEqual([['last', new Uint8Array([8])]]);
  });

  it('a transaction that fails, or has no room, does not fail those that run with it', async () => {
    const backend = await openBackend(open);
    const full: StateBackend = {
      ...methodsOf(backend),
      push: async (sandbox, since, commit) => {
        if (commit.puts.some(([, text]) => text.includes('large'))) throw new StateFullError('there is no room.');
        return backend.push(sandbox, since, commit);
      },
    };
    const replica = openReplica(full);
    const results = await Promise.allSettled(
      ['one', 'large', 'two', 'bug', 'three'].map((id) =>
        replica.transact(async (transaction) => {
          transaction.write('pets', id, id);
          if (id === 'bug') throw new Error('a bug');
        }),
      ),
    );
    expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'ok'))).toEqual([
      'ok',
      'StateFullError: there is no room.',
      'ok',
      'Error: a bug',
      'ok',
    ]);
    for (const one of [replica, openReplica(backend)]) {
      const { items } = await storeOf(one).query('pets', {});
      expect(items.map(({ id }) => id).toSorted()).toEqual(['one', 'three', 'two']);
    }
  });

  it('a read waits for the commit that it has seen, and runs again if the engine refuses it', async () => {
    const backend = await openBackend(open);
    const [asked, ask] = makeGate();
    const [gate, openGate] = makeGate();
    const failing: StateBackend = {
      ...methodsOf(backend),
      push: async () => {
        ask();
        await gate;
        throw new StateUnavailableError('it is gone.');
      },
    };
    const changed: unknown[] = [];
    const replica = new Replica({ sandbox: 'default', backend: failing, onChange: (ids) => changed.push(ids) });
    const written = replica.transact(async (transaction) => void transaction.write('pets', '1', 'never'));
    const seen: unknown[] = [];
    await asked;
    const read = replica.transact(async (transaction) => {
      seen.push(transaction.read('pets', '1')?.value);
      return seen.at(-1);
    });
    await nextTurn();
    expect([seen, changed]).toEqual([['never'], []]);
    openGate();
    await expect(written).rejects.toThrow('it is gone.');
    expect(await read).toBeUndefined();
    expect(seen).toEqual(['never', undefined]);
  });

  it('a process that is far behind catches up by a full copy', async () => {
    const backend = await openBackend(open);
    const [one, other] = [storeOf(openReplica(backend)), storeOf(openReplica(backend))];
    await one.put('pets', '0', 0);
    await other.get('pets', '0');
    for (let id = 1; id < 600; id += 1) await one.put('pets', String(id % 20), id);
    expect((await other.query('pets', {})).total).toBe(20);
    expect((await other.get('pets', '19'))?.value).toBe(599);
  });

  it('the store keeps bytes of any size, and members that look like its own markers', async () => {
    const backend = await openBackend(open);
    const one = storeOf(openReplica(backend));
    const bytes = new Uint8Array(1_300_000).map((_, index) => index % 251);
    const value = { bytes, empty: new Uint8Array(), mark: { $bytes: { first: 0, size: 4 } }, list: [{ $bytes: 1 }] };
    await one.put('files', '1', value);
    await one.put('files', '2', { $bytes: { plain: { a: 1 } } });
    const other = storeOf(openReplica(backend));
    // `toEqual` takes seconds for a million bytes.
    expect(isDeepStrictEqual((await other.get('files', '1'))?.value, value)).toBe(true);
    expect((await other.get('files', '2'))?.value).toEqual({ $bytes: { plain: { a: 1 } } });
    await one.put('files', '1', { bytes: bytes.slice(0, 10) });
    expect((await other.get('files', '1'))?.value).toEqual({ bytes: bytes.slice(0, 10) });
    expect(await backend.readChunks('default', ['1.1.0'])).toEqual([undefined]);
  });

  it('a dropped sandbox starts empty, also for a process that used it', async () => {
    const backend = await openBackend(open);
    const [one, other] = [storeOf(openReplica(backend)), storeOf(openReplica(backend))];
    await one.put('pets', '1', 'old');
    await other.get('pets', '1');
    expect(await backend.drop('default')).toBe(true);
    expect(await backend.drop('default')).toBe(false);
    await one.put('pets', '2', 'new');
    expect(await other.get('pets', '1')).toBeUndefined();
    expect((await other.get('pets', '2'))?.value).toBe('new');
  });
});
