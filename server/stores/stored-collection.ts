import { getOrInsert } from '../../model/maps.js';
import type { Condition, StoreQuery } from './store.js';
import { compareValues, createTest } from './predicates.js';
import { createMemberReader, type MemberReader } from './member-path.js';
import { OrderedItems, type StoredItem } from './ordered-items.js';

export interface FoundItems {
  readonly items: readonly StoredItem[];
  readonly total: number;
}

/** A collection: its items by id and in the order of creation, and its indexes. */
export class StoredCollection {
  readonly items: Map<string, StoredItem> = new Map();
  readonly #ordered = new OrderedItems();
  readonly #indexes: ReadonlyMap<string, PostingIndex>;
  readonly #rising: ReadonlyMap<string, RisingMember>;
  #sequence = 0;

  constructor(indexedPaths: readonly string[], sortedPaths: readonly string[] = []) {
    this.#indexes = new Map(indexedPaths.map((path) => [path, new PostingIndex(path)]));
    this.#rising = new Map(sortedPaths.map((path) => [path, new RisingMember(path)]));
  }

  /** Writes a frozen value and returns its new version. A new item is placed by its sequence number, or else last. */
  write(id: string, value: unknown, version?: number, sequence?: number): number {
    const known = this.items.get(id);
    if (known === undefined) {
      this.#sequence = Math.max(this.#sequence + 1, sequence ?? 0);
      const item = { id, sequence: sequence ?? this.#sequence, value, version: version ?? 1 };
      this.items.set(id, item);
      this.#ordered.add(item);
      if (this.#rising.size > 0) for (const member of this.#rising.values()) member.add(value);
      if (this.#indexes.size > 0) for (const index of this.#indexes.values()) index.change(item, undefined, value);
      return item.version;
    }
    if (this.#indexes.size > 0) for (const index of this.#indexes.values()) index.change(known, known.value, value);
    if (this.#rising.size > 0) for (const member of this.#rising.values()) member.change(known.value, value);
    known.value = value;
    known.version = version ?? known.version + 1;
    return known.version;
  }

  delete(id: string): boolean {
    const known = this.items.get(id);
    if (known === undefined) return false;
    for (const index of this.#indexes.values()) index.change(known, known.value, undefined);
    this.#ordered.delete(known);
    return this.items.delete(id);
  }

  find({ where = [], order = [], skip = 0, take = Infinity, filter, countTotal = true }: StoreQuery): FoundItems {
    const candidates = this.#candidates(where);
    const start = Math.max(0, skip);
    const end = start + Math.max(0, take);
    const direction = this.#directionOf(order);
    if (where.length === 0 && filter === undefined && direction === 'forward') {
      return { items: candidates.slice(start, end), total: candidates.length };
    }
    const test = createTest(where);
    const matches = ({ value }: StoredItem): boolean => test(value) && (filter === undefined || filter(value));
    if (!countTotal && direction !== undefined) {
      const found = takeMatching(candidates, { direction, most: end, matches });
      return { items: found.slice(start), total: found.length };
    }
    const matching = candidates.filter(matches);
    return { items: sortItems(matching, order).slice(start, end), total: matching.length };
  }

  /** Returns the direction through the order of creation that equals this order, if there is one. */
  #directionOf(order: NonNullable<StoreQuery['order']>): Direction | undefined {
    const [first, ...others] = order;
    if (first === undefined) return 'forward';
    if (others.length > 0 || this.#rising.get(first.path)?.isRising !== true) return undefined;
    return first.descending === true ? 'backward' : 'forward';
  }

  /** Returns the smallest set of items that an index gives, or else all items, narrowed by the bounds. */
  #candidates(where: readonly Condition[]): readonly StoredItem[] {
    let best: readonly StoredItem[] | undefined;
    for (const { path, test, value } of where) {
      const index = test === 'equals' ? this.#indexes.get(path) : undefined;
      const found = index?.find(value);
      if (found !== undefined && (best === undefined || found.length < best.length)) best = found;
    }
    let items = best ?? this.#ordered.items;
    for (const condition of where) items = this.#rising.get(condition.path)?.narrow(items, condition) ?? items;
    return items;
  }
}

type Direction = 'forward' | 'backward';

interface Walk {
  readonly direction: Direction;
  readonly most: number;
  readonly matches: (item: StoredItem) => boolean;
}

/** Returns the first matching items in the given direction. */
function takeMatching(items: readonly StoredItem[], { direction, most, matches }: Walk): StoredItem[] {
  const found: StoredItem[] = [];
  for (let step = 0; step < items.length && found.length < most; step += 1) {
    const item = items[direction === 'forward' ? step : items.length - 1 - step];
    if (item !== undefined && matches(item)) found.push(item);
  }
  return found;
}

/** Sorts items that are in the order of creation. The sort is stable, so ties keep that order. */
export function sortItems(
  items: readonly StoredItem[],
  order: NonNullable<StoreQuery['order']>,
): readonly StoredItem[] {
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

/** Maps the values at a path to their items, so that `equals` need not test every item. */
class PostingIndex {
  readonly #read: MemberReader;
  readonly #postings = new Map<string, OrderedItems>();

  constructor(path: string) {
    this.#read = createMemberReader(path);
  }

  /** Updates the index for a changed item. `before` is `undefined` for a new item, `after` for a deleted one. */
  change(item: StoredItem, before: unknown, after: unknown): void {
    const [left, entered] = [this.#keys(before), this.#keys(after)];
    for (const key of left) if (!entered.has(key)) this.#remove(item, key);
    for (const key of entered) if (!left.has(key)) this.#add(item, key);
  }

  #remove(item: StoredItem, key: string): void {
    const posting = this.#postings.get(key);
    posting?.delete(item);
    if (posting?.size === 0) this.#postings.delete(key);
  }

  #add(item: StoredItem, key: string): void {
    const posting = getOrInsert(this.#postings, key, () => new OrderedItems());
    posting.add(item);
  }

  /** Returns all items with this value, in the order of creation, and possibly others whose value has the same key. */
  find(value: unknown): readonly StoredItem[] {
    return this.#postings.get(indexKey(value))?.items ?? [];
  }

  #keys(value: unknown): ReadonlySet<string> {
    return new Set(value === undefined ? [] : this.#read(value).map((one) => indexKey(one)));
  }
}

/** All objects share one key, and all lists another: queries for them are rare, and the condition is tested anyway. */
function indexKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'list' : 'object';
  // 0 and -0 share one key.
  return `${typeof value}${value === 0 ? '0' : String(value)}`;
}

/**
 * Tracks whether a member increases from each item to the next. If so, the order of creation is also the order by that
 * member, and items between two bounds are adjacent.
 */
class RisingMember {
  readonly #read: MemberReader;
  #last: unknown;
  #isRising = true;

  constructor(path: string) {
    this.#read = createMemberReader(path);
  }

  get isRising(): boolean {
    return this.#isRising;
  }

  /** Notes a new item at the end. */
  add(value: unknown): void {
    const [member, ...others] = this.#read(value);
    if (others.length > 0 || compareValues(member, this.#last) <= 0) this.#isRising = false;
    this.#last = member;
  }

  /** Notes an item that changes in place. */
  change(before: unknown, after: unknown): void {
    const [member, ...others] = this.#read(after);
    if (others.length > 0 || compareValues(this.#read(before)[0], member) !== 0) this.#isRising = false;
  }

  /** Returns the items within a bound of this member. `items` must be in the order of creation. */
  narrow(items: readonly StoredItem[], { test, value }: Pick<Condition, 'test' | 'value'>): readonly StoredItem[] {
    if (!this.#isRising) return items;
    if (test === 'from') return items.slice(this.#placeIn(items, (member) => compareValues(member, value) >= 0));
    if (test === 'to')
      return items.slice(
        0,
        this.#placeIn(items, (member) => compareValues(member, value) > 0),
      );
    return items;
  }

  /** Returns the first index from which all members are beyond. */
  #placeIn(items: readonly StoredItem[], isBeyond: (member: unknown) => boolean): number {
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBeyond(this.#read(items[middle]?.value)[0])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
