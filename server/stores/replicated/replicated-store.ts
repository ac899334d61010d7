import type { QueryResult, Store, StoreContents, StoreQuery, Stored, VersionedItem } from '../store.js';
import type { Replica } from './replica.js';

/** A store where each call is its own transaction. */
export class ReplicatedStore implements Store {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  get(collection: string, id: string): Promise<VersionedItem | undefined> {
    return this.#replica.transact((transaction) => transaction.get(collection, id));
  }

  put(collection: string, id: string, value: Stored, expected?: number): Promise<number> {
    return this.#replica.transact((transaction) => transaction.put(collection, id, value, expected));
  }

  delete(collection: string, id: string): Promise<boolean> {
    return this.#replica.transact((transaction) => transaction.delete(collection, id));
  }

  query(collection: string, query: StoreQuery): Promise<QueryResult> {
    return this.#replica.transact((transaction) => transaction.query(collection, query));
  }

  update(collection: string, id: string, change: (value: Stored) => Stored): Promise<Stored> {
    return this.#replica.transact((transaction) => transaction.update(collection, id, change));
  }

  collections(): Promise<readonly string[]> {
    return this.#replica.transact((transaction) => transaction.collections());
  }

  clear(): Promise<void> {
    return this.#replica.transact((transaction) => transaction.clear());
  }

  dump(): Promise<StoreContents> {
    return this.#replica.transact((transaction) => transaction.dump());
  }

  load(contents: StoreContents): Promise<void> {
    return this.#replica.transact((transaction) => transaction.load(contents));
  }
}
