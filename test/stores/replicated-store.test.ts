import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Replica, storeOf } from '../../server/stores/replicated/replica.js';
import { openLmdbBackend } from '../../server/stores/replicated/lmdb-backend.js';
import { openRedisBackend } from '../../server/stores/replicated/redis-backend.js';
import { parseRedisUrl } from '../../server/stores/replicated/redis-connection.js';
import type { StateBackend } from '../../server/stores/replicated/state-backend.js';
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
