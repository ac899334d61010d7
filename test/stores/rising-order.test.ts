import { expect, test } from 'vitest';

import type { Condition, StoreQuery } from '../../server/stores/store.js';
import { MemoryStore } from '../../server/stores/memory-store.js';

interface Item {
  readonly time: number;
  readonly state: string;
}

/** A small generator of numbers, the same in each run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    return state % below;
  };
}

const SENT: Condition = { path: 'state', test: 'equals', value: 'sent' };
const CONDITIONS: readonly (readonly Condition[])[] = [
  [],
  [SENT],
  ...[-1, 0, 200, 300.5, 900, 5_000].flatMap((value) => [
    [{ path: 'time', test: 'from', value } as const],
    [{ path: 'time', test: 'to', value } as const, SENT],
    [{ path: 'time', test: 'from', value } as const, { path: 'time', test: 'to', value: value + 150 } as const],
  ]),
  [{ path: 'time', test: 'from', value: '2026' }],
  [{ path: 'time', test: 'to', value: null }],
];

/** Each store is given the same changes; only one of them has indexes, and may stop early. */
test.each([
  ['times that grow', 0],
  ['times that go back now and then', 5],
])('a query with an index gives the same items as one without: %s', async (_name, back) => {
  const [plain, indexed] = [
    new MemoryStore(),
    new MemoryStore([
      { collection: 'items', path: 'state' },
      { collection: 'items', path: 'time', sorted: true },
    ]),
  ];
  const next = createNumbers(7);
  let time = 0;
  for (let step = 0; step < 600; step += 1) {
    time += 1 + next(3) - (back > 0 && next(40) === 0 ? back : 0);
    const id = String(next(120));
    const item: Item = { time, state: ['draft', 'sent'][next(2)] ?? '' };
    const known = (await plain.get('items', id))?.value as Item | undefined;
    const isDeleted = next(4) === 0;
    for (const store of [plain, indexed]) {
      if (isDeleted) await store.delete('items', id);
      else await store.put('items', id, known === undefined ? item : { ...known, state: item.state });
    }
  }
  for (const descending of [false, true]) {
    for (const [skip, take] of [
      [0, 5],
      [7, 10],
      [0, 500],
    ] as const) {
      for (const where of CONDITIONS) {
        const query: StoreQuery = { where, order: [{ path: 'time', descending }], skip, take };
        const { items } = await indexed.query('items', { ...query, countTotal: false });
        expect(items).toEqual((await plain.query('items', query)).items);
      }
    }
  }
});

test('bounds of a member with several values compare all of them', async () => {
  const store = new MemoryStore([{ collection: 'items', path: 'times', sorted: true }]);
  for (const [id, times] of [
    ['a', [1, 9]],
    ['b', [2, 3]],
    ['c', [4]],
  ] as const)
    await store.put('items', id, { times });
  const { items } = await store.query('items', { where: [{ path: 'times', test: 'from', value: 4 }] });
  expect(items.map(({ id }) => id)).toEqual(['a', 'c']);
});
