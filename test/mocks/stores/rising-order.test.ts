import { expect, test } from 'vitest';

import type { StoreQuery } from '../../../mocks/seams/store.js';
import { MemoryStore } from '../../../mocks/stores/memory-store.js';

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

/** Each store is given the same changes; only one of them has indexes, and may stop early. */
test.each([
  ['times that grow', 0],
  ['times that go back now and then', 5],
])('an early end gives the same items: %s', async (_name, back) => {
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
      for (const where of [[], [{ path: 'state', test: 'equals' as const, value: 'sent' }]]) {
        const query: StoreQuery = { where, order: [{ path: 'time', descending }], skip, take };
        const { items } = await indexed.query('items', { ...query, countTotal: false });
        expect(items).toEqual((await plain.query('items', query)).items);
      }
    }
  }
});
