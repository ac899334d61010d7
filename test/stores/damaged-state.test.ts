import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';

const PET = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const content = { 'application/json': { schema: PET } };
const list = { 'application/json': { schema: { type: 'array', items: PET } } };
const PATHS = {
  '/pets': {
    get: { operationId: 'listPets', responses: { 200: { description: 'ok', content: list } } },
    post: {
      operationId: 'addPet',
      requestBody: { required: true, content },
      responses: { 201: { description: 'ok', content } },
    },
  },
};

let redis: RedisServer;
let count = 0;

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

async function serve(store: string): Promise<Mock> {
  const mock = await startMock(await loadDocument(documentWith(PATHS)), { seed: 1, store });
  onTestFinished(() => mock.close());
  return mock;
}

async function send(command: readonly string[]): Promise<unknown> {
  const client = createClient({ url: `${redis.url}/2`, RESP: 2 });
  await client.connect();
  try {
    return await client.sendCommand([...command]);
  } finally {
    client.destroy();
  }
}

async function addPet(mock: Mock, headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify({ id: 7, name: 'Tom' });
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
  return (await mock.fetch(`${mock.url}/pets`, init)).status;
}

const read = (mock: Mock, headers: Record<string, string> = {}): Promise<Response> =>
  mock.fetch(`${mock.url}/pets`, { headers });

describe.skipIf(!hasRedis)('a shared state that others have changed', () => {
  test.each([
    ['bytes of an impossible size', '["pets","7",1,{"$bytes":{"first":0,"size":1e15}}]'],
    ['bytes of no size', '["pets","7",1,{"$bytes":{"first":-1,"size":"x"}}]'],
    ['many references to bytes', `["pets","7",1,[${'{"$bytes":{"first":0,"size":5e8}},'.repeat(50)}0]]`],
    ['bytes that are not there', '["pets","7",1,{"$bytes":{"first":0,"size":9}}]'],
    ['no JSON', '["pets'],
    ['no item', '{"a":1}'],
    ['names of other types', '[1,2,"x",{}]'],
    ['an item without a value', '["pets","7",1]'],
    ['a very deep value', `["pets","7",1,${'['.repeat(20_000)}${']'.repeat(20_000)}]`],
  ])('one sandbox with %s responds 503, and a reset empties it', async (_what, value) => {
    count += 1;
    const store = `${redis.url}/2?prefix=damaged-${count}`;
    const mock = await serve(store);
    const other = { 'x-specmill-sandbox': 'other' };
    expect(await addPet(mock, other)).toBe(201);
    const keys = (await send(['KEYS', `damaged-${count}:*other*:head`])) as readonly string[];
    const start = (keys[0] ?? '').replace('{other}:head', '{default}:');
    await send(['HSET', `${start}items`, '99', value]);
    await send(['SET', `${start}head`, 'zz.1']);

    const refused = await read(mock);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('The state of this sandbox is damaged');
    expect((await read(mock, other)).status).toBe(200);
    expect((await mock.fetch(`${mock.url}/__specmill/reset`, { method: 'POST' })).status).toBe(204);
    expect((await read(mock)).status).toBe(200);
    expect(await addPet(mock)).toBe(201);
    expect((await read(mock, other)).status).toBe(200);
  });

  test('a journal with other texts shows the calls that it has', async () => {
    count += 1;
    const mock = await serve(`${redis.url}/2?prefix=damaged-${count}`);
    expect(await addPet(mock)).toBe(201);
    const [journal = ''] = (await send(['KEYS', `damaged-${count}:*:journal`])) as readonly string[];
    await send(['RPUSH', journal, '{"a":', '7', '{"status":"x"}']);
    await send(['INCRBY', `${journal}-count`, '3']);
    const response = await mock.fetch(`${mock.url}/__specmill/requests`);
    expect([response.status, (await response.json()) as unknown[]]).toEqual([
      200,
      [expect.objectContaining({ operationId: 'addPet' })],
    ]);
  });

  test('the password of Redis comes from the environment', async () => {
    await send(['CONFIG', 'SET', 'requirepass', 'a/b c']);
    try {
      const store = `${redis.url}/3`;
      await expect(serve(store)).rejects.toThrow('There is no Redis at');
      vi.stubEnv('SPECMILL_REDIS_PASSWORD', 'a-wrong-word');
      const refused = await serve(store).catch((error: unknown) => String(error));
      expect(refused).toMatch(/There is no Redis at (?!.*a-wrong-word)/);
      vi.stubEnv('SPECMILL_REDIS_PASSWORD', 'a/b c');
      expect(await addPet(await serve(store))).toBe(201);
    } finally {
      const client = createClient({ url: redis.url, password: 'a/b c', RESP: 2 });
      await client.connect();
      await client.sendCommand(['CONFIG', 'SET', 'requirepass', '']);
      client.destroy();
    }
  });

  test('writes go on when another program deletes all keys between them', async () => {
    count += 1;
    const mock = await serve(`${redis.url}/2?prefix=damaged-${count}`);
    for (let round = 0; round < 10; round += 1) {
      const statuses = await Promise.all([addPet(mock), send(['FLUSHDB']).then(() => 201), addPet(mock)]);
      expect(statuses).toEqual([201, 201, 201]);
    }
    expect((await read(mock)).status).toBe(200);
  });

  test('reads go on when Redis has no room, and a write responds 507 without the words of a script', async () => {
    count += 1;
    const mock = await serve(`${redis.url}/2?prefix=damaged-${count}`);
    expect(await addPet(mock)).toBe(201);
    await send(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']);
    await send(['CONFIG', 'SET', 'maxmemory', '1']);
    try {
      expect((await read(mock)).status).toBe(200);
      const body = JSON.stringify({ id: 8, name: 'Ann' });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      const refused = await mock.fetch(`${mock.url}/pets`, init);
      expect(refused.status).toBe(507);
      expect(await refused.text()).not.toMatch(/script/);
    } finally {
      await send(['CONFIG', 'SET', 'maxmemory', '0']);
    }
  });
});

test('files of a state can be read by their owner alone', async () => {
  const state = path.join(tempFolder(), 'state');
  await using mock = await startMock(await loadDocument(documentWith(PATHS)), { seed: 1, state });
  expect(await addPet(mock)).toBe(201);
  const [folder = ''] = readdirSync(state);
  const modes = ['', 'state.mdb', 'state.mdb-lock'].map(
    (name) => statSync(path.join(state, folder, name)).mode & 0o777,
  );
  expect([statSync(state).mode & 0o777, ...modes]).toEqual([0o700, 0o700, 0o600, 0o600]);
});
