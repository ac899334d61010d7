import {
  type QueryResult,
  type Store,
  type StoreContents,
  type StoreIndex,
  type StoreQuery,
  type Stored,
  VersionConflictError,
  type VersionedItem,
} from './store.js';
import { splitCollection } from './collection-names.js';
import { copyFrozen, copyJson } from './copy-json.js';
import type { StoredItem } from './ordered-items.js';
import { StoredCollection } from './stored-collection.js';

/**
 * Stores state in the memory of this process. Each call does its work synchronously, so parallel calls never see
 * half-finished changes.
 *
 * @example
 * const store = new MemoryStore([{ collection: 'cases', path: 'Status' }]);
 * await store.put('cases', '1', { Status: 'Draft' });
 * await store.query('cases', { where: [{ path: 'Status', test: 'equals', value: 'Draft' }] });
 */
export class MemoryStore implements Store {
  readonly #indexes: readonly StoreIndex[];
  #collections = new Map<string, StoredCollection>();

  constructor(indexes: readonly StoreIndex[] = []) {
    this.#indexes = indexes;
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
    return { items: found.items.map((item) => copyItem(item)), total: found.total };
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

  async clear(): Promise<void> {
    this.#collections = new Map();
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
      const target = collections.get(collection) ?? this.#create(collection);
      for (const { id, value, version } of items) target.write(id, copyFrozen(value), version);
      if (target.items.size > 0) collections.set(collection, target);
    }
    this.#collections = collections;
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
    if (known !== undefined) return known.write(id, frozen);
    const target = this.#create(collection);
    this.#collections.set(collection, target);
    return target.write(id, frozen);
  }

  #delete(collection: string, id: string): boolean {
    const target = this.#collections.get(collection);
    const wasThere = target?.delete(id) ?? false;
    if (target?.items.size === 0) this.#collections.delete(collection);
    return wasThere;
  }

  #create(collection: string): StoredCollection {
    const { name } = splitCollection(collection);
    const own = this.#indexes.filter((index) => index.collection === name);
    return new StoredCollection(
      own.map(({ path }) => path),
      own.filter(({ sorted }) => sorted === true).map(({ path }) => path),
    );
  }
}

function copyItem({ id, value, version }: StoredItem): VersionedItem {
  return { id, version, value: copyJson(value) };
}
