interface Cache<Key, Value> {
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * The value of a key in a map, computed and stored at the first call, like `Map.prototype.getOrInsertComputed` of later
 * Node versions.
 */
export function getOrInsert<Key, Value>(map: Cache<Key, Value>, key: Key, compute: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const value = compute();
  map.set(key, value);
  return value;
}

/**
 * Remembers what a pure function returns for the first texts that it gets, at most `limit` of them, so that hostile ones
 * take limited memory.
 */
export function remember<Value>(compute: (text: string) => Value, limit = 5_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Value;
    const value = compute(text);
    if (known.size < limit) known.set(text, value);
    return value;
  };
}

/** Groups items by key, in their order, like `Map.groupBy` of later Node versions. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  return groupPairs(Array.from(items, (item) => [keyOf(item), item] as const));
}

/** Groups values by key, in the order of the pairs. */
export function groupPairs<Key, Value>(pairs: Iterable<readonly [Key, Value]>): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const [key, value] of pairs) getOrInsert(groups, key, () => []).push(value);
  return groups;
}
