import { getOrInsert } from '../../model/maps.js';
import type { Condition, StoreQuery } from './store.js';
import { compareValues, createTest } from './predicates.js';
import { createMemberReader, type MemberReader } from './member-path.js';
import { OrderedItems, type StoredItem } from './ordered-items.js';

export interface FoundItems {
  readonly items: readonly StoredItem[];
  readonly total: number;
}

/** One collection: items by id in the order of creation, and its indexes. */
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

  /** Writes a value that is frozen already. Gives the new version. A new item comes last, or where its sequence number says. */
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

  /** The way through the items in the order of creation that gives this order, if there is one. */
  #directionOf(order: NonNullable<StoreQuery['order']>): Direction | undefined {
    const [first, ...others] = order;
    if (first === undefined) return 'forward';
    if (others.length > 0 || this.#rising.get(first.path)?.isRising !== true) return undefined;
    return first.descending === true ? 'backward' : 'forward';
  }

  /** The fewest items that an index leaves, else all of them; of these, what lies between bounds. */
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

/** The first items that match, from one end or the other. */
function takeMatching(items: readonly StoredItem[], { direction, most, matches }: Walk): StoredItem[] {
  const found: StoredItem[] = [];
  for (let step = 0; step < items.length && found.length < most; step += 1) {
    const item = items[direction === 'forward' ? step : items.length - 1 - step];
    if (item !== undefined && matches(item)) found.push(item);
  }
  return found;
}

/** Ties keep the order of creation, in which the items come and which a stable sort leaves alone. */
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

/** Which items have which value at a path, so that `equals` need not look at every item. */
class PostingIndex {
  readonly #read: MemberReader;
  readonly #postings = new Map<string, OrderedItems>();

  constructor(path: string) {
    this.#read = createMemberReader(path);
  }

  /** The value of an item changes; `undefined`: the item is not there before, or not after. */
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

  /** The items with this value, in the order of creation. There may be too many (other values with the same key), never too few. */
  find(value: unknown): readonly StoredItem[] {
    return this.#postings.get(indexKey(value))?.items ?? [];
  }

  #keys(value: unknown): ReadonlySet<string> {
    return new Set(value === undefined ? [] : this.#read(value).map((one) => indexKey(one)));
  }
}

/** Objects and lists share one key each: they are rarely asked for, and the condition is tested anyway. */
function indexKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'list' : 'object';
  // A zero has one key, whatever its sign.
  return `${typeof value}${value === 0 ? '0' : String(value)}`;
}

/**
 * Watches whether a member grows from each item to the next: then the order of creation is the order by that member, and
 * items between two bounds are adjacent.
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

  /** A new item, at the end. */
  add(value: unknown): void {
    const [member, ...others] = this.#read(value);
    if (others.length > 0 || compareValues(member, this.#last) <= 0) this.#isRising = false;
    this.#last = member;
  }

  /** An item changes where it is. */
  change(before: unknown, after: unknown): void {
    const [member, ...others] = this.#read(after);
    if (others.length > 0 || compareValues(this.#read(before)[0], member) !== 0) this.#isRising = false;
  }

  /** The items that a bound of this member leaves, of some that are in the order of creation. */
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

  /** The first place from which on all members are beyond. */
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
