import { getOrInsert } from '../../../model/maps.js';
import { copyFrozen, copyJson } from '../copy-json.js';
import type { StoredItem } from '../item-index.js';
import { createMatcher } from '../predicates.js';
import { type FoundItems, cutList, sortItems } from '../find-items.js';
import {
  type QueryResult,
  type Store,
  type StoreContents,
  type StoreQuery,
  type Stored,
  VersionConflictError,
  type VersionedItem,
} from '../store.js';
import type { StoredCollection } from '../stored-collection.js';

/** The copy of a sandbox that a transaction reads from. */
export interface TransactionBase {
  readonly collections: ReadonlyMap<string, StoredCollection>;
  /** Increases with each change of the copy. */
  readonly tick: number;
  /** Returns the tick at which a collection was last changed. */
  tickOf(collection: string): number;
}

/** A write of a transaction. For a deleted item, `value` and `version` mean nothing. */
export interface ItemWrite {
  readonly id: string;
  readonly isDeleted: boolean;
  readonly value: unknown;
  readonly version: number;
  /** The item before the transaction. */
  readonly base: StoredItem | undefined;
  /** The position among the items that the transaction creates; `undefined` for an existing item. */
  readonly order: number | undefined;
}

/** The values that a transaction has read, which must be unchanged when it commits. */
interface Reads {
  /** Sequence number and version by id; `undefined` if there was no item. */
  readonly items: Map<string, StoredVersion>;
  /** The tick at which the whole collection was searched. */
  searchedAt: number | undefined;
}

type StoredVersion = { readonly sequence: number; readonly version: number } | undefined;

/**
 * The reads and writes of one request on a copy of the state. Nothing is written before the commit, which succeeds only
 * if everything that was read is unchanged.
 */
export class Transaction implements Store {
  readonly #base: TransactionBase;
  readonly #reads = new Map<string, Reads>();
  readonly #writes = new Map<string, Map<string, ItemWrite>>();
  #created = 0;
  #isCleared = false;
  #isDiscarded = false;
  #allReadAt: number | undefined;

  constructor(base: TransactionBase) {
    this.#base = base;
  }

  /** Whether everything before is deleted. */
  get isCleared(): boolean {
    return this.#isCleared;
  }

  get hasWrites(): boolean {
    return this.#isCleared || this.#writes.size > 0;
  }

  /**
   * Whether the writes were discarded. Even then the transaction counts only if everything that it read is unchanged.
   */
  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** Discards all writes. */
  discard(): void {
    this.#isDiscarded = true;
    this.#isCleared = false;
    this.#writes.clear();
  }

  get writes(): ReadonlyMap<string, ReadonlyMap<string, ItemWrite>> {
    return this.#writes;
  }

  /** Whether everything that was read is unchanged. */
  isCurrent(): boolean {
    if (this.#allReadAt !== undefined && this.#allReadAt !== this.#base.tick) return false;
    for (const [collection, { items, searchedAt }] of this.#reads) {
      if (searchedAt !== undefined && this.#base.tickOf(collection) > searchedAt) return false;
      const known = this.#base.collections.get(collection)?.items;
      for (const [id, seen] of items) if (!isSame(known?.get(id), seen)) return false;
    }
    return true;
  }

  /** Reads an item without copying it. The value must not be changed. */
  read(collection: string, id: string): Omit<VersionedItem, 'id'> | undefined {
    const written = this.#writes.get(collection)?.get(id);
    if (written !== undefined) return written.isDeleted ? undefined : written;
    return this.#readBase(collection, id);
  }

  write(collection: string, id: string, value: Stored): number {
    const frozen = copyFrozen(value ?? null);
    const before = this.read(collection, id);
    const written = this.#writes.get(collection)?.get(id);
    const base = written === undefined ? this.#readBase(collection, id) : written.base;
    const isNew = before === undefined;
    if (isNew) this.#created += 1;
    const version = (before?.version ?? 0) + 1;
    const order = isNew ? this.#created : written?.order;
    this.#keep(collection, { id, isDeleted: false, value: frozen, version, base, order });
    return version;
  }

  remove(collection: string, id: string): boolean {
    if (this.read(collection, id) === undefined) return false;
    const written = this.#writes.get(collection)?.get(id);
    const base = written === undefined ? this.#readBase(collection, id) : written.base;
    this.#keep(collection, { id, isDeleted: true, value: undefined, version: 0, base, order: undefined });
    return true;
  }

  /** Runs a query without copying the items. Their values are frozen. */
  find(collection: string, query: StoreQuery): FoundItems {
    const base = this.#search(collection);
    const written = this.#writes.get(collection);
    if (written === undefined) return base?.find(query) ?? { items: [], total: 0 };
    const { where = [], match = [], order = [], filter } = query;
    const test = createMatcher(query);
    const conditions = { where, match, ...(filter === undefined ? {} : { filter }) };
    const unchanged = base?.find(conditions).items ?? [];
    const changed = toItems(written).filter(({ value }) => test(value));
    const all = [...unchanged.filter(({ id }) => !written.has(id)), ...changed];
    all.sort((one, other) => one.sequence - other.sequence);
    return cutList(sortItems(all, order), query);
  }

  async get(collection: string, id: string): Promise<VersionedItem | undefined> {
    const item = this.read(collection, id);
    return item === undefined ? undefined : { id, version: item.version, value: copyJson(item.value) };
  }

  async put(collection: string, id: string, value: Stored, expected?: number): Promise<number> {
    const version = this.read(collection, id)?.version ?? 0;
    if (expected !== undefined && expected !== version)
      throw new VersionConflictError(`The item has version ${version}, and version ${expected} was expected.`);
    return this.write(collection, id, value);
  }

  async delete(collection: string, id: string): Promise<boolean> {
    return this.remove(collection, id);
  }

  async query(collection: string, query: StoreQuery): Promise<QueryResult> {
    const found = this.find(collection, query);
    return { ...found, items: found.items.map((item) => copyItem(item)) };
  }

  async update(collection: string, id: string, change: (value: Stored) => Stored): Promise<Stored> {
    const known = this.read(collection, id);
    const changed = change(known === undefined ? undefined : copyJson(known.value));
    if (changed === undefined) this.remove(collection, id);
    else this.write(collection, id, changed);
    return changed === undefined ? undefined : copyJson(changed);
  }

  async collections(): Promise<readonly string[]> {
    return this.#names().filter((name) => this.find(name, { take: 0 }).total > 0);
  }

  async clear(): Promise<void> {
    this.#isCleared = true;
    this.#writes.clear();
    this.#reads.clear();
    this.#allReadAt = undefined;
  }

  async dump(): Promise<StoreContents> {
    return (await this.collections()).map((collection) => ({
      collection,
      items: this.find(collection, {}).items.map((item) => copyItem(item)),
    }));
  }

  async load(contents: StoreContents): Promise<void> {
    await this.clear();
    for (const { collection, items } of contents) {
      for (const { id, value, version } of items) {
        this.#created += 1;
        const order = this.#created;
        this.#keep(collection, { id, isDeleted: false, value: copyFrozen(value), version, base: undefined, order });
      }
    }
  }

  #keep(collection: string, write: ItemWrite): void {
    const known = getOrInsert(this.#writes, collection, () => new Map<string, ItemWrite>());
    known.set(write.id, write);
  }

  #names(): readonly string[] {
    if (this.#isCleared) return [...this.#writes.keys()];
    this.#allReadAt ??= this.#base.tick;
    return [...new Set([...this.#base.collections.keys(), ...this.#writes.keys()])];
  }

  #readBase(collection: string, id: string): StoredItem | undefined {
    if (this.#isCleared) return undefined;
    const item = this.#base.collections.get(collection)?.items.get(id);
    const { items } = this.#readsOf(collection);
    // Keeps the first version: a transaction that has read two versions of an item must not commit.
    if (!items.has(id))
      items.set(id, item === undefined ? undefined : { sequence: item.sequence, version: item.version });
    return item;
  }

  #search(collection: string): StoredCollection | undefined {
    if (this.#isCleared) return undefined;
    const reads = this.#readsOf(collection);
    reads.searchedAt ??= this.#base.tick;
    return this.#base.collections.get(collection);
  }

  #readsOf(collection: string): Reads {
    return getOrInsert(this.#reads, collection, () => ({ items: new Map(), searchedAt: undefined }));
  }
}

function isSame(item: StoredItem | undefined, seen: StoredVersion): boolean {
  return item?.sequence === seen?.sequence && item?.version === seen?.version;
}

/** Places new items after all existing ones. */
function toItems(written: ReadonlyMap<string, ItemWrite>): StoredItem[] {
  return [...written.values()].flatMap(({ id, isDeleted, value, version, base, order }) => {
    if (isDeleted) return [];
    return [{ id, value, version, sequence: order === undefined ? (base?.sequence ?? 0) : AFTER_ALL + order }];
  });
}

/** Greater than the sequence number of any stored item. */
const AFTER_ALL: number = 2 ** 52;

function copyItem({ id, value, version }: VersionedItem): VersionedItem {
  return { id, version, value: copyJson(value) };
}
