import { expect, test } from 'vitest';

import { IndexBudget } from '../../server/stores/index-budget.js';
import { type IndexShape, ItemIndex, type StoredItem } from '../../server/stores/item-index.js';

const item = (sequence: number, group: unknown): StoredItem => ({
  id: String(sequence),
  sequence,
  value: { group },
  version: 1,
});

const groupOf = (value: unknown): unknown => (value as { readonly group: unknown }).group;

/** Groups items by their member `group`, in the order of creation. */
const SHAPE: IndexShape = {
  name: 'group',
  groups: [(value) => [groupOf(value)]],
  keysOf: () => [undefined],
  compare: () => 0,
};

const many = (count: number, groupAt: (index: number) => unknown): StoredItem[] =>
  Array.from({ length: count }, (_, index) => item(index, groupAt(index)));

test('an index by a unique member counts less than 200 bytes for each item', () => {
  const budget = new IndexBudget(1_000_000);
  const items = many(1_000, (index) => index);
  const index = new ItemIndex(SHAPE, items, budget);
  expect(budget.bytes / 1_000).toBeLessThan(200);
  expect(index.find([7])?.slice()).toMatchObject([{ item: { id: '7' } }]);
  expect(index.find([2_000])).toBeUndefined();
});

test('an index finds the items of a group that gets its second item and loses it, and counts their memory', () => {
  const budget = new IndexBudget(1_000_000);
  const [first, second] = [item(1, 'a'), item(2, 'a')];
  const index = new ItemIndex(SHAPE, [first], budget);
  const alone = budget.bytes;
  const idsOf = (): string[] => (index.find(['a'])?.slice() ?? []).map((entry) => entry.item.id);
  index.change(second, undefined, second.value);
  expect(idsOf()).toEqual(['1', '2']);
  expect(budget.bytes).toBeGreaterThan(alone);
  index.change(first, first.value, undefined);
  expect(idsOf()).toEqual(['2']);
  expect(index.positionOf(second, ['a'])).toBe(0);
  expect(budget.bytes).toBe(alone);
  index.change(second, second.value, undefined);
  expect(idsOf()).toEqual([]);
  expect(budget.bytes).toBe(0);
});

test('a full budget drops the least recently used index', () => {
  const budget = new IndexBudget(400_000);
  const made = [0, 1].map(
    () =>
      new ItemIndex(
        SHAPE,
        many(1_000, (index) => index),
        budget,
      ),
  );
  made[0]?.find([1]);
  const last = new ItemIndex(
    SHAPE,
    many(1_000, (index) => index),
    budget,
  );
  expect([...made, last].map(({ isDropped }) => isDropped)).toEqual([false, true, false]);
  expect(budget.bytes).toBeLessThanOrEqual(400_000);
});
