import path from 'node:path';
import { createRequire } from 'node:module';

import { describe, expect, it, test } from 'vitest';

import { startMock, stringifyExactJson } from '../../entry/mock.js';
import { isRecord } from '../../model/document/records.js';
import { runContract } from '../../entry/contract.js';

const examples = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const APIS = ['signing', 'generation', 'engine', 'tables', 'notifications', 'petstore', 'train-travel'] as const;

async function startFilled(name: (typeof APIS)[number]) {
  const spec: Readonly<Record<string, string>> = {
    petstore: '3.0/json/petstore.json',
    'train-travel': '3.1/json/train-travel.json',
  };
  const file = spec[name];
  const mock = await startMock(name, {
    noRateLimit: true,
    ...(file === undefined ? {} : { spec: path.join(examples, file) }),
  });
  if (name === 'notifications') {
    const notify = (mock.actions as Readonly<Record<string, (input: object) => Promise<unknown>>>)['notify'];
    await notify?.({ owner: 'o', repo: 'r', title: 't', type: 'Issue', reason: 'mention' });
  }
  // Calls of all kinds leave items in all collections.
  await runContract({
    api: mock.api,
    url: mock.url,
    fetch: mock.fetch,
    maxExamples: 20,
    phases: ['examples', 'stateful'],
    maxTime: '20s',
  });
  return mock;
}

/** Every item of a snapshot, with a place to put something else. */
function itemsOf(snapshot: object): { readonly collection: string; readonly item: { value: unknown } }[] {
  const { collections, accounts } = snapshot as {
    collections: Record<string, { value: unknown }[]>;
    accounts: Record<string, Record<string, { value: unknown }[]>>;
  };
  return [collections, ...Object.values(accounts)].flatMap((byName) =>
    Object.entries(byName).flatMap(([collection, items]) => items.slice(0, 2).map((item) => ({ collection, item }))),
  );
}

describe('a state', () => {
  test.each(APIS)('a snapshot of %s can be restored, and one with a broken item is refused', async (name) => {
    await using mock = await startFilled(name);
    await mock.clock.freeze();
    const snapshot = await mock.state.get();
    const items = itemsOf(snapshot);
    expect(items.length).toBeGreaterThan(0);
    await mock.state.put(snapshot);
    const before = stringifyExactJson(await mock.state.get());
    for (const { collection, item } of items.filter((one) => !/^#(?:callbacks|jobs)/.test(one.collection))) {
      const { value } = item;
      for (const broken of brokenValues(value)) {
        item.value = broken;
        const result = await mock.state.put(snapshot).then(
          () => 'restored',
          (error: { status?: number }) => error.status,
        );
        if (result === 'restored' && broken !== null && isRecord(value)) continue;
        expect([collection, broken, result]).toEqual([collection, broken, 422]);
      }
      item.value = value;
    }
    expect(stringifyExactJson(await mock.state.get()) === before).toBe(true);
  });
});

/** Nothing, and something of another type. */
function brokenValues(value: unknown): unknown[] {
  return isRecord(value) ? [null, 'x', []] : [null, {}];
}

it('a state with a member of the wrong type is refused and changes nothing', async () => {
  await using mock = await startFilled('notifications');
  const snapshot = await mock.state.get();
  const thread = itemsOf(snapshot).find(({ collection }) => collection === 'threads');
  expect(thread).toBeDefined();
  if (thread !== undefined) thread.item.value = { ...(thread.item.value as object), unread: 'x' };
  await expect(mock.state.put(snapshot)).rejects.toMatchObject({ status: 422 });
  const response = await mock.fetch('http://mock/notifications', { headers: { authorization: 'Bearer t' } });
  expect(response.status).toBe(200);
});
