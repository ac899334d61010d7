import type { Condition, StoreQuery } from '../seams/store.js';
import { compareValues, createTest } from './conditions.js';
import { createMemberReader } from './member-path.js';
import { PostingIndex, type StoredItem } from './posting-index.js';

/** The items that a query found, not yet copied. */
export interface FoundItems {
  readonly items: readonly StoredItem[];
  readonly total: number;
}

/** One collection: items by id in the order of creation, and its indexes. */
export class StoredCollection {
  readonly items: Map<string, StoredItem> = new Map();
  readonly #indexes: ReadonlyMap<string, PostingIndex>;
  #sequence = 0;

  constructor(indexedPaths: readonly string[]) {
    this.#indexes = new Map(indexedPaths.map((path) => [path, new PostingIndex(path)]));
  }

  /** Writes a value that is frozen already. Gives the new version. */
  write(id: string, value: unknown, version?: number): number {
    const known = this.items.get(id);
    if (known === undefined) {
      this.#sequence += 1;
      const item = { id, sequence: this.#sequence, value, version: version ?? 1 };
      this.items.set(id, item);
      for (const index of this.#indexes.values()) index.change(item, undefined, value);
      return item.version;
    }
    for (const index of this.#indexes.values()) index.change(known, known.value, value);
    known.value = value;
    known.version = version ?? known.version + 1;
    return known.version;
  }

  delete(id: string): boolean {
    const known = this.items.get(id);
    if (known === undefined) return false;
    for (const index of this.#indexes.values()) index.change(known, known.value, undefined);
    return this.items.delete(id);
  }

  find({ where = [], order = [], skip = 0, take = Infinity, filter }: StoreQuery): FoundItems {
    const candidates = this.#candidates(where);
    const start = Math.max(0, skip);
    const end = start + Math.max(0, take);
    if (where.length === 0 && filter === undefined && order.length === 0) {
      return { items: sliceOf(candidates, start, end), total: candidates.size };
    }
    const test = createTest(where);
    const matching: StoredItem[] = [];
    for (const item of candidates.values()) {
      if (test(item.value) && (filter === undefined || filter(item.value))) matching.push(item);
    }
    return { items: sortItems(matching, order).slice(start, end), total: matching.length };
  }

  /** The fewest items that an index leaves, else all of them. */
  #candidates(where: readonly Condition[]): { readonly size: number; values(): Iterable<StoredItem> } {
    let best: ReadonlySet<StoredItem> | undefined;
    for (const { path, test, value } of where) {
      const index = test === 'equals' ? this.#indexes.get(path) : undefined;
      const found = index?.find(value);
      if (found !== undefined && (best === undefined || found.size < best.size)) best = found;
    }
    return best ?? this.items;
  }
}

function sliceOf(items: { values(): Iterable<StoredItem> }, start: number, end: number): StoredItem[] {
  const slice: StoredItem[] = [];
  let position = 0;
  for (const item of items.values()) {
    if (position >= end) break;
    if (position >= start) slice.push(item);
    position += 1;
  }
  return slice;
}

/** Ties keep the order of creation, in which the items come and which a stable sort leaves alone. */
function sortItems(items: StoredItem[], order: NonNullable<StoreQuery['order']>): StoredItem[] {
  if (order.length === 0) return items;
  const readers = order.map(({ path }) => createMemberReader(path));
  const keyed = items.map((item) => ({ item, keys: readers.map((read) => read(item.value)[0]) }));
  keyed.sort((one, other) => {
    for (const [index, { descending }] of order.entries()) {
      const result = compareValues(one.keys[index], other.keys[index]);
      if (result !== 0) return descending === true ? -result : result;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}
