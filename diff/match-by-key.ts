import { groupBy } from '../model/maps.js';

/** Which things of two lists belong together, and which are removed or new. */
export interface Match<Item> {
  readonly pairs: readonly (readonly [Item, Item])[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

type Key<Item> = (item: Item) => string | undefined;

/** Pairs the things of two lists that have the same key, in their order. Things without a key match no other. */
export function matchByKey<Item>(
  old: readonly Item[],
  next: readonly Item[],
  oldKey: Key<Item>,
  newKey: Key<Item> = oldKey,
): Match<Item> {
  const waiting = groupBy(next, newKey);
  const pairs: [Item, Item][] = [];
  const removed: Item[] = [];
  const matched = new Set<Item>();
  for (const was of old) {
    const key = oldKey(was);
    const is = key === undefined ? undefined : waiting.get(key)?.shift();
    if (is === undefined) removed.push(was);
    else {
      pairs.push([was, is]);
      matched.add(is);
    }
  }
  return { pairs, removed, added: next.filter((item) => !matched.has(item)) };
}
