interface Cache<Key, Value> {
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key in a map, computed and kept at the first call: `Map.prototype.getOrInsertComputed` of later Nodes. */
export function getOrInsert<Key, Value>(map: Cache<Key, Value>, key: Key, compute: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const value = compute();
  map.set(key, value);
  return value;
}

/** Items by key, in their order: `Map.groupBy` of later Nodes. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  return groupPairs(Array.from(items, (item) => [keyOf(item), item] as const));
}

/** The values of equal keys together, in the order of the pairs. */
export function groupPairs<Key, Value>(pairs: Iterable<readonly [Key, Value]>): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const [key, value] of pairs) getOrInsert(groups, key, () => []).push(value);
  return groups;
}
