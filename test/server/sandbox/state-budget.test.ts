import { describe, expect, it } from 'vitest';

import { StateBudget } from '../../../server/sandbox/memory-state.js';
import { MemoryStore } from '../../../server/stores/memory-store.js';

const open = (budget: StateBudget) => {
  const share = budget.open();
  return { store: new MemoryStore([], { limit: share }), close: () => share.close() };
};
const text = (length: number): object => ({ text: 'x'.repeat(length) });

describe('the memory for state', () => {
  it('a write beyond the limit of a sandbox gets 507, and the state is unchanged', async () => {
    const { store } = open(new StateBudget(10_000, 100_000));
    await store.put('a', '1', text(2_000));
    await expect(store.put('a', '2', text(4_000))).rejects.toMatchObject({ status: 507 });
    await expect(store.update('a', '1', () => text(6_000))).rejects.toMatchObject({ status: 507 });
    expect((await store.get('a', '1'))?.value).toEqual(text(2_000));
    expect(await store.get('a', '2')).toBeUndefined();
  });

  it('the memory for state is shared by all sandboxes, and released by a delete, a reset or the end of a sandbox', async () => {
    const budget = new StateBudget(10_000, 15_000);
    const [one, other] = [open(budget), open(budget)];
    await one.store.put('a', '1', text(4_000));
    await expect(other.store.put('a', '1', text(4_000))).rejects.toMatchObject({ status: 507 });
    await one.store.delete('a', '1');
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '1', text(4_000));
    await other.store.clear();
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '1', text(4_000));
    other.close();
    expect(budget.bytes).toBe(0);
    await other.store.put('a', '2', text(1_000));
    expect(budget.bytes).toBe(0);
  });

  it('a restored state is counted once, and one that is too large is refused and changes nothing', async () => {
    const budget = new StateBudget(10_000, 100_000);
    const { store } = open(budget);
    await store.put('a', '1', text(1_000));
    const contents = await store.dump();
    await store.load(contents);
    const before = budget.bytes;
    await store.load(contents);
    expect(budget.bytes).toBe(before);
    const large = [{ collection: 'a', items: [{ id: '1', version: 1, value: text(20_000) }] }];
    await expect(store.load(large)).rejects.toMatchObject({ status: 507 });
    expect((await store.get('a', '1'))?.value).toEqual(text(1_000));
  });

  it('a state that cannot be restored leaves the counted memory unchanged', async () => {
    const budget = new StateBudget(10_000, 100_000);
    const { store } = open(budget);
    await store.put('a', '1', text(1_000));
    const before = budget.bytes;
    const wrong = { ...text(2_000), at: new Date(0) };
    await expect(store.load([{ collection: 'a', items: [{ id: '1', version: 1, value: wrong }] }])).rejects.toThrow(
      'The state cannot hold an instance of Date',
    );
    expect(budget.bytes).toBe(before);
  });

  it('an undefined member of a restored state is not counted', async () => {
    const budget = new StateBudget(10_000, 100_000);
    const { store } = open(budget);
    await store.load([{ collection: 'a', items: [{ id: '1', version: 1, value: { text: 'a', more: undefined } }] }]);
    await store.delete('a', '1');
    expect(budget.bytes).toBe(0);
  });
});
