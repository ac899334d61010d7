import { getOrInsert } from '../../model/maps.js';
import { PROCESS_INDEXES, type IndexShare } from './index-budget.js';
import { MergedLists } from './merged-lists.js';
import { SortedList } from './sorted-list.js';

/** A stored item. Its value is frozen; a change replaces it. */
export interface StoredItem {
  readonly id: string;
  /** The position in the order of creation. */
  readonly sequence: number;
  value: unknown;
  version: number;
}

/** Reads the keys that a value has for one condition or one order. */
export type KeyReader = (value: unknown) => readonly unknown[];

/** What an index is for: items with equal keys in some members, in the order of other members. */
export interface IndexShape {
  /** Shapes with the same name are the same. */
  readonly name: string;
  /** The keys by which items are grouped. */
  readonly groups: readonly KeyReader[];
  /** The keys by which the items of a group are sorted. */
  readonly keysOf: KeyReader;
  readonly compare: (one: unknown, other: unknown) => number;
}

/** An item at one of its places in an index. */
export interface IndexEntry {
  readonly item: StoredItem;
  readonly key: unknown;
}

/** Several groups of an index, read as one. */
export interface FoundGroups {
  readonly merged: MergedLists<IndexEntry>;
  /** -1 for an item that is in none of them. */
  readonly positionOf: (item: StoredItem) => number;
}

/** The estimated bytes of an entry. */
export const ENTRY_BYTES = 80;
/** The estimated bytes of a group beside its entries: of a single one, and of a list. */
const SINGLE_BYTES = 100;
const LIST_BYTES = 400;
/** The most groups that one item may be in. */
const MOST_GROUPS = 64;

/** The items of a collection by the keys of a shape. It is kept by all writes, until it is dropped. */
export class ItemIndex {
  readonly #shape: IndexShape;
  readonly #share: IndexShare;
  /** A group of one item, such as one by a unique member, is its entry: a list would take five times the memory. */
  readonly #groups = new Map<string, SortedList<IndexEntry> | IndexEntry>();
  #several = 0;
  #shared = 0;
  #isDropped = false;
  #isRefused = false;

  constructor(shape: IndexShape, items: Iterable<StoredItem>, budget: typeof PROCESS_INDEXES = PROCESS_INDEXES) {
    this.#shape = shape;
    this.#share = budget.open(this);
    this.#fill(items);
  }

  /** Whether the index is not kept any more, because of its memory. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Whether the index cannot be made, because an item would be in too many groups. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether some item is at several places of a group. */
  get hasSeveral(): boolean {
    return this.#several > 0;
  }

  /** Whether some item is in several groups. */
  get hasShared(): boolean {
    return this.#shared > 0;
  }

  /** Empties the index. */
  drop(): void {
    this.#isDropped = true;
    this.#groups.clear();
  }

  /** Empties the index and returns its memory. */
  close(): void {
    this.#share.close();
    this.drop();
  }

  /** Returns the items with these keys, in order. */
  find(keys: readonly unknown[]): SortedList<IndexEntry> | undefined {
    this.#share.touch();
    return this.#listOf(groupName(keys));
  }

  #listOf(name: string): SortedList<IndexEntry> | undefined {
    const group = this.#groups.get(name);
    return group === undefined || group instanceof SortedList ? group : new SortedList(this.#compare, [group]);
  }

  /** Returns the items that have one of these lists of keys, in order. No item may be in several groups. */
  findAny(lists: readonly (readonly unknown[])[]): FoundGroups {
    const names = new Set(lists.map(groupName));
    this.#share.touch();
    const groups = [...names].flatMap((name) => this.#listOf(name) ?? []);
    const merged = new MergedLists(groups, this.#compare);
    const positionOf = (item: StoredItem): number => {
      const places = this.#placesOf(item.value);
      if (places === undefined || !places.groups.some((name) => names.has(name))) return -1;
      return merged.positionOf({ item, key: places.keys[0] });
    };
    return { merged, positionOf };
  }

  /** The position of an item among those with these keys; -1 if it is not among them. */
  positionOf(item: StoredItem, keys: readonly unknown[]): number {
    const list = this.find(keys);
    const [key] = this.#shape.keysOf(item.value);
    const position = list?.positionOf({ item, key }) ?? -1;
    return list?.slice(position, position + 1)[0]?.item === item ? position : -1;
  }

  /** Follows a write. `before` is `undefined` for a new item, `after` for a deleted one. */
  change(item: StoredItem, before: unknown, after: unknown): void {
    if (this.#isDropped) return;
    const [left, entered] = [this.#placesOf(before), this.#placesOf(after)];
    if (left === undefined || entered === undefined) return this.#refuse();
    if (isSamePlace(left, entered)) return;
    if (left.keys.length > 1) this.#several -= 1;
    if (entered.keys.length > 1) this.#several += 1;
    if (left.groups.length > 1) this.#shared -= 1;
    if (entered.groups.length > 1) this.#shared += 1;
    for (const group of left.groups) for (const key of left.keys) this.#remove(group, { item, key });
    for (const group of entered.groups) for (const key of entered.keys) this.#add(group, { item, key });
  }

  #fill(items: Iterable<StoredItem>): void {
    const found = new Map<string, IndexEntry[]>();
    for (const item of items) {
      const places = this.#placesOf(item.value);
      if (places === undefined) return this.#refuse();
      if (places.keys.length > 1) this.#several += 1;
      if (places.groups.length > 1) this.#shared += 1;
      for (const group of places.groups)
        for (const key of places.keys) getOrInsert(found, group, () => []).push({ item, key });
    }
    let bytes = 0;
    for (const [name, entries] of found) {
      const group = this.#groupOf(entries.toSorted(this.#compare));
      this.#groups.set(name, group);
      bytes += bytesOf(group);
    }
    this.#share.grow(bytes);
  }

  readonly #compare = (one: IndexEntry, other: IndexEntry): number =>
    this.#shape.compare(one.key, other.key) || one.item.sequence - other.item.sequence;

  #refuse(): void {
    this.#isRefused = true;
    this.close();
  }

  #groupOf(entries: readonly IndexEntry[]): SortedList<IndexEntry> | IndexEntry {
    const [only] = entries;
    return only === undefined || entries.length > 1 ? new SortedList(this.#compare, entries) : only;
  }

  #add(name: string, entry: IndexEntry): void {
    const known = this.#groups.get(name);
    if (known instanceof SortedList) {
      known.add(entry);
      this.#share.grow(ENTRY_BYTES);
      return;
    }
    const group = this.#groupOf(known === undefined ? [entry] : [known, entry].toSorted(this.#compare));
    this.#groups.set(name, group);
    this.#share.grow(bytesOf(group) - bytesOf(known));
  }

  #remove(name: string, entry: IndexEntry): void {
    const known = this.#groups.get(name);
    if (known === undefined) return;
    const before = bytesOf(known);
    if (known instanceof SortedList) known.delete(entry);
    const left = known instanceof SortedList && known.size > 0 ? known : undefined;
    const group = left?.size === 1 ? this.#groupOf(left.slice()) : left;
    if (group === undefined) this.#groups.delete(name);
    else if (group !== left) this.#groups.set(name, group);
    this.#share.grow(bytesOf(group) - before);
  }

  /** The places of a value: each group with each key. `undefined` if there are too many. */
  #placesOf(value: unknown): Places | undefined {
    if (value === undefined) return NOWHERE;
    const { groups, keysOf } = this.#shape;
    let names: readonly string[] = [''];
    for (const read of groups) {
      const own = [...new Set(read(value).map((key) => groupKey(key)))];
      names = names.flatMap((name) => own.map((key) => joinGroup(name, key)));
      if (names.length > MOST_GROUPS) return undefined;
    }
    return { groups: names, keys: names.length === 0 ? [] : keysOf(value) };
  }
}

function bytesOf(group: SortedList<IndexEntry> | IndexEntry | undefined): number {
  if (group === undefined) return 0;
  return group instanceof SortedList ? LIST_BYTES + group.size * ENTRY_BYTES : SINGLE_BYTES + ENTRY_BYTES;
}

interface Places {
  readonly groups: readonly string[];
  readonly keys: readonly unknown[];
}

const NOWHERE: Places = { groups: [], keys: [] };

function isSamePlace(one: Places, other: Places): boolean {
  return isSameList(one.groups, other.groups) && isSameList(one.keys, other.keys);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((entry, index) => isSameKey(entry, other[index]));
}

function isSameKey(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) ? isSameList(one, other) : one === other;
}

/** A text that only equal scalars share. */
function groupKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  // 0 and -0 are equal.
  return `${typeof value} ${value === 0 ? '0' : String(value)}`;
}

function groupName(keys: readonly unknown[]): string {
  return keys.reduce<string>((name, key) => joinGroup(name, groupKey(key)), '');
}

function joinGroup(name: string, key: string): string {
  return name === '' ? key : `${name.length} ${name}${key}`;
}
