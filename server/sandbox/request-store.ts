import type { QueryResult, Store, StoreContents, StoreQuery, Stored, VersionedItem } from '../stores/store.js';

/** The store of a request: its transaction, and after the commit the store itself, for streams that go on. */
export class RequestStore implements Store {
  #current: Store;
  #isGone = false;

  constructor(transaction: Store) {
    this.#current = transaction;
  }

  /** From now on each call is its own transaction. */
  continueWith(store: Store): void {
    this.#current = store;
  }

  /** Work that is still running belongs to a failed attempt. */
  drop(): void {
    this.#isGone = true;
  }

  async get(collection: string, id: string): Promise<VersionedItem | undefined> {
    return this.#open().get(collection, id);
  }

  async put(collection: string, id: string, value: Stored, expected?: number): Promise<number> {
    return this.#open().put(collection, id, value, expected);
  }

  async delete(collection: string, id: string): Promise<boolean> {
    return this.#open().delete(collection, id);
  }

  async query(collection: string, query: StoreQuery): Promise<QueryResult> {
    return this.#open().query(collection, query);
  }

  async update(collection: string, id: string, change: (value: Stored) => Stored): Promise<Stored> {
    return this.#open().update(collection, id, change);
  }

  async collections(): Promise<readonly string[]> {
    return this.#open().collections();
  }

  async clear(): Promise<void> {
    return this.#open().clear();
  }

  async dump(): Promise<StoreContents> {
    return this.#open().dump();
  }

  async load(contents: StoreContents): Promise<void> {
    return this.#open().load(contents);
  }

  #open(): Store {
    if (this.#isGone) throw new Error('The request was begun again: this attempt does not count.');
    return this.#current;
  }
}
