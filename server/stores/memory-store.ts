import {
  type QueryResult,
  type Store,
  type StoreContents,
  type StoreQuery,
  type Stored,
  VersionConflictError,
  type VersionedItem,
} from './store.js';
import { copyFrozen, copyJson } from './copy-json.js';
import type { StoredItem } from './item-index.js';
import { StoredCollection } from './stored-collection.js';

/** The memory that a store may take, in estimated bytes. */
export interface MemoryLimit {
  /** Notes a write before it happens. @throws to refuse it */
  grow(bytes: number): void;
  /** Notes that the store is replaced by one of this size. @throws to refuse it */
  set(bytes: number): void;
}

export interface MemoryStoreOptions {
  readonly limit?: MemoryLimit;
  /** Called after each write, with the item; without one if everything was replaced. */
  readonly onWrite?: (collection?: string, id?: string) => void;
}

/**
 * Stores state in the memory of this process. Each call does its work synchronously, so parallel calls never see
 * half-finished changes.
 *
 * @example
 * const store = new MemoryStore();
 * await store.put('cases', '1', { Status: 'Draft' });
 * await store.query('cases', { where: [{ path: 'Status', test: 'equals', value: 'Draft' }] });
 */
export class MemoryStore implements Store {
  readonly #limit: MemoryLimit | undefined;
  readonly #onWrite: MemoryStoreOptions['onWrite'];
  #collections = new Map<string, StoredCollection>();

  constructor({ limit, onWrite }: MemoryStoreOptions = {}) {
    this.#limit = limit;
    this.#onWrite = onWrite;
  }

  get(collection: string, id: string): Promise<VersionedItem | undefined> {
    const item = this.#collections.get(collection)?.items.get(id);
    return Promise.resolve(item === undefined ? undefined : copyItem(item));
  }

  async put(collection: string, id: string, value: Stored, expected?: number): Promise<number> {
    if (expected !== undefined) this.#checkVersion(collection, id, expected);
    return this.#write(collection, id, value);
  }

  async delete(collection: string, id: string): Promise<boolean> {
    return this.#delete(collection, id);
  }

  async query(collection: string, query: StoreQuery): Promise<QueryResult> {
    const found = this.#collections.get(collection)?.find(query) ?? { items: [], total: 0 };
    return { ...found, items: found.items.map((item) => copyItem(item)) };
  }

  async update(collection: string, id: string, change: (value: Stored) => Stored): Promise<Stored> {
    const item = this.#collections.get(collection)?.items.get(id);
    const changed = change(item === undefined ? undefined : copyJson(item.value));
    if (changed === undefined) {
      this.#delete(collection, id);
      return undefined;
    }
    this.#write(collection, id, changed);
    return copyJson(changed);
  }

  async collections(): Promise<readonly string[]> {
    return [...this.#collections.keys()];
  }

  /** Returns the items of a collection themselves, whose values are frozen. */
  itemsOf(collection: string): ReadonlyMap<string, StoredItem> | undefined {
    return this.#collections.get(collection)?.items;
  }

  async clear(): Promise<void> {
    this.#limit?.set(0);
    this.#replace(new Map());
  }

  async dump(): Promise<StoreContents> {
    return [...this.#collections].map(([collection, { items }]) => ({
      collection,
      items: [...items.values()].map((item) => copyItem(item)),
    }));
  }

  async load(contents: StoreContents): Promise<void> {
    const collections = new Map<string, StoredCollection>();
    for (const { collection, items } of contents) {
      const target = collections.get(collection) ?? new StoredCollection();
      for (const { id, value, version } of items) target.write(id, copyFrozen(value), version);
      if (target.items.size > 0) collections.set(collection, target);
    }
    // Counted after the copy, which can fail and leaves out members that are undefined.
    this.#limit?.set(estimateAll(collections.values()));
    this.#replace(collections);
  }

  #replace(collections: Map<string, StoredCollection>): void {
    this.#collections = collections;
    this.#onWrite?.();
  }

  #checkVersion(collection: string, id: string, expected: number): void {
    const version = this.#collections.get(collection)?.items.get(id)?.version ?? 0;
    if (expected === version) return;
    throw new VersionConflictError(`The item has version ${version}, and version ${expected} was expected.`);
  }

  #write(collection: string, id: string, value: Stored): number {
    // Copied first, because a value that cannot be stored must not leave an empty collection behind.
    const frozen = copyFrozen(value);
    const known = this.#collections.get(collection);
    this.#limit?.grow(estimateBytes(frozen) - estimateItem(known?.items.get(id)));
    const target = known ?? new StoredCollection();
    if (known === undefined) this.#collections.set(collection, target);
    const version = target.write(id, frozen);
    this.#onWrite?.(collection, id);
    return version;
  }

  #delete(collection: string, id: string): boolean {
    const target = this.#collections.get(collection);
    const item = target?.items.get(id);
    if (target === undefined || item === undefined) return false;
    this.#limit?.grow(-estimateItem(item));
    target.delete(id);
    if (target.items.size === 0) this.#collections.delete(collection);
    this.#onWrite?.(collection, id);
    return true;
  }
}

function copyItem({ id, value, version }: StoredItem): VersionedItem {
  return { id, version, value: copyJson(value) };
}

/** The estimated bytes of an item without its value: its record, its place in two lists, and its id. */
const ITEM_BYTES = 140;

function estimateItem(item: StoredItem | undefined): number {
  return item === undefined ? 0 : estimateBytes(item.value);
}

function estimateAll(collections: Iterable<StoredCollection>): number {
  let bytes = 0;
  for (const { items } of collections) for (const { value } of items.values()) bytes += estimateBytes(value);
  return bytes;
}

/** Estimates the bytes of an item from its value. */
function estimateBytes(value: Stored): number {
  return ITEM_BYTES + sizeOf(value);
}

/** Shorter texts count one byte for each character, whatever they have. */
const SHORT_TEXT = 32;
const BEYOND_LATIN = /[^\u0000-\u00FF]/;

/**
 * Estimates the bytes of a value as V8 stores it: 16 and one or two for each character of a text, 8 for a member or an item,
 * 32 for an object or a list, 16 for a number that is not small and whole.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') {
    const isWide = value.length > SHORT_TEXT && BEYOND_LATIN.test(value);
    return 16 + (isWide ? 2 * value.length : value.length);
  }
  if (typeof value === 'number') return (value | 0) === value ? 0 : 16;
  if (typeof value === 'bigint') return 32;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Uint8Array) return value.byteLength + 100;
  let size = 32;
  if (Array.isArray(value)) for (const item of value) size += 8 + sizeOf(item);
  else for (const name of Object.keys(value)) size += 8 + sizeOf((value as Readonly<Record<string, unknown>>)[name]);
  return size;
}
