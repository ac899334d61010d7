import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { expect, it } from 'vitest';

import { MemoryStore } from '../../server/stores/memory-store.js';
import { toMemberPath } from '../../server/stores/member-path.js';
import { growthOf } from '../support/growth.js';
import { describeStore } from './store-conformance.js';

describeStore('MemoryStore', () => new MemoryStore());

it('a name with any characters is one segment of a path', async () => {
  const store = new MemoryStore();
  const path = toMemberPath('Metadata', String.raw`a.b\c`);
  await store.put('cases', '1', { Metadata: { [String.raw`a.b\c`]: 'x' } });
  expect(await store.query('cases', { where: [{ path, test: 'equals', value: 'x' }] })).toMatchObject({ total: 1 });
});

it('a query takes about the same time on 64,000 items as on 8,000', async () => {
  const stores = new Map(await Promise.all([8_000, 64_000].map(async (size) => [size, await fill(size)] as const)));
  // Without an index it would be eight times.
  const bound = 3;
  const use = (size: number): Promise<void> => useStore(stores.get(size) ?? new MemoryStore());
  expect(await growthOf(use, 8_000, bound)).toBeLessThan(bound);
});

// In a process of its own: the objects of other tests decide which names V8 knows.
it('V8 makes no hash table of an item with 30 members, which would take four times the memory', () => {
  const script = `
    import { MemoryStore } from './dist/server/stores/memory-store.js';
    // As text, because other ways to make objects would show V8 the names.
    const members = (start) => Array.from({ length: 30 }, (_none, index) => '"' + start + index + '":' + index).join();
    const store = new MemoryStore();
    // Two shapes of the same length; the store knows a shape once it has seen it twice.
    for (const [id, start] of ['a', 'b', 'a', 'b', 'a', 'b'].entries())
      await store.put('cases', String(id), JSON.parse('{"inner":{' + members('c') + '},' + members(start) + '}'));
    const last = [...store.itemsOf('cases').values()].slice(3).map(({ value }) => value);
    console.log(last.flatMap((value) => [%HasFastProperties(value), %HasFastProperties(value.inner)]).join(' '));
  `;
  const args = ['--allow-natives-syntax', '--input-type=module', '--eval', script];
  const shown = execFileSync(process.execPath, args, {
    cwd: path.join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  expect(shown.trim()).toBe('true true true true true true');
});

async function fill(size: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (let index = 0; index < size; index += 1) {
    await store.put('cases', String(index), {
      owner: `o${Math.floor(index / 10)}`,
      status: 'Draft',
      parties: [{ name: 'x' }],
    });
  }
  return store;
}

/** A hundred rounds of find, list, update and put. */
async function useStore(store: MemoryStore): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    const where = [{ path: 'owner', test: 'equals' as const, value: `o${round}` }];
    expect((await store.query('cases', { where, order: [{ path: 'status' }], take: 5 })).total).toBe(10);
    expect((await store.query('cases', { skip: 10, take: 10 })).items).toHaveLength(10);
    await store.update('cases', String(round), (value) => ({ ...(value as object), note: round }));
    await store.put('cases', `new${round}`, { owner: 'new', status: 'Draft' });
  }
}
