import type { Collection } from '../handler-api.js';
import type { QueryResult, Store, StoreQuery, VersionedItem } from '../stores/store.js';

/**
 * A collection as behaviour sees it. Its values are what behaviour put into it: the type is its promise to itself. A
 * class, since most calls look at two and need one method of each.
 */
export class StateCollection<T> implements Collection<T> {
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get(id: string): Promise<T | undefined> {
    return this.#store.get(this.#name, id).then(valueOf) as Promise<T | undefined>;
  }

  getVersioned(id: string): Promise<VersionedItem<T> | undefined> {
    return this.#store.get(this.#name, id) as Promise<VersionedItem<T> | undefined>;
  }

  put(id: string, value: T): Promise<void> {
    return this.#store.put(this.#name, id, value).then(ignore);
  }

  delete(id: string): Promise<boolean> {
    return this.#store.delete(this.#name, id);
  }

  update(id: string, change: (value: T | undefined) => T | undefined): Promise<T | undefined> {
    return this.#store.update(this.#name, id, (value) => change(value as T | undefined)) as Promise<T | undefined>;
  }

  query(query: StoreQuery = {}): Promise<QueryResult<T>> {
    return this.#store.query(this.#name, query) as Promise<QueryResult<T>>;
  }
}

function valueOf(item: VersionedItem | undefined): unknown {
  return item?.value;
}

function ignore(): void {
  // The version of a write is only for conditional requests.
}
