/** A stored value: plain JSON data or bytes. It is copied in and out, so it is never shared with the caller. */
export type Stored = unknown;

/** A stored item with its version, for conditional writes. */
export interface VersionedItem<T = Stored> {
  readonly id: string;
  readonly value: T;
  /** Increases by 1 with each write. */
  readonly version: number;
}

/**
 * A condition on one member, by path: `Status`, or `Parties.EmailAddress` for any item of a list. A dot in a member's
 * name is escaped as `\.` (see `toMemberPath` in server/stores/member-path.ts).
 */
export interface Condition {
  readonly path: string;
  /** `equals`: same JSON. `contains`: a substring in any case. `from`, `to`: inclusive bounds of numbers or texts. */
  readonly test: 'equals' | 'contains' | 'from' | 'to';
  readonly value: unknown;
}

/** A key by which items are compared: numbers with numbers, texts with texts. */
export type Key = string | number;

/** A condition on keys that are read from each item. */
export interface KeyCondition {
  /** Conditions of one collection with the same name read the same keys. */
  readonly name: string;
  readonly keysOf: (value: Stored) => readonly Key[];
  /** Some key equals one of these values, or is not below or above it. */
  readonly test: 'equals' | 'from' | 'to';
  readonly values: readonly Key[];
  /** For a bound: a key that equals it does not match. */
  readonly isExclusive?: boolean;
}

/** A query. All conditions must hold. `order` sorts by members; ties keep the order of creation. */
export interface StoreQuery {
  readonly where?: readonly Condition[];
  readonly match?: readonly KeyCondition[];
  readonly order?: readonly { readonly path: string; readonly descending?: boolean }[];
  readonly skip?: number;
  readonly take?: number;
  /** A filter for conditions that cannot be expressed otherwise. Applied after them. It looks at each item. */
  readonly filter?: (value: Stored) => boolean;
  /** `false` allows a store to stop as soon as it has the items. Default: `true`. */
  readonly countTotal?: boolean;
  /** Ids of items whose positions among the matches are wanted. */
  readonly locate?: readonly string[];
}

export interface QueryResult<T = Stored> {
  readonly items: readonly VersionedItem<T>[];
  /** The number of matches before `skip` and `take`. With `countTotal: false`, only those that were found so far. */
  readonly total: number;
  /** The positions of the items of `locate` among the matches, before `skip` and `take`. */
  readonly positions?: ReadonlyMap<string, number>;
}

/** The expected version of a write is not the stored one. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
}

/**
 * Stores the state of one sandbox. It is asynchronous to allow remote stores. Every implementation passes one
 * conformance suite (test/server/store-conformance.ts). Parallel updates lose nothing.
 */
export interface Store {
  get(collection: string, id: string): Promise<VersionedItem | undefined>;
  /**
   * Writes an item and returns its new version.
   *
   * @throws VersionConflictError if the version is not `expected` (0: no item)
   */
  put(collection: string, id: string, value: Stored, expected?: number): Promise<number>;
  /** Deletes an item and returns whether it existed. */
  delete(collection: string, id: string): Promise<boolean>;
  query(collection: string, query: StoreQuery): Promise<QueryResult>;
  /**
   * Reads, changes and writes atomically. `change` reruns if another write came between; returning `undefined` deletes.
   */
  update(
    collection: string,
    id: string,
    change: (value: Stored | undefined) => Stored | undefined,
  ): Promise<Stored | undefined>;
  /** Returns the names of the non-empty collections. */
  collections(): Promise<readonly string[]>;
  clear(): Promise<void>;
  /** Returns everything atomically, with items in the order of creation. */
  dump(): Promise<StoreContents>;
  /** Replaces everything atomically by the result of `dump`, including versions. */
  load(contents: StoreContents): Promise<void>;
}

/** Creates a store that runs each call on another store through `run`. */
export function forwardStore(run: <T>(call: (store: Store) => Promise<T>) => Promise<T>): Store {
  return {
    get: (collection, id) => run((store) => store.get(collection, id)),
    put: (...write) => run((store) => store.put(...write)),
    delete: (collection, id) => run((store) => store.delete(collection, id)),
    query: (collection, query) => run((store) => store.query(collection, query)),
    update: (collection, id, change) => run((store) => store.update(collection, id, change)),
    collections: () => run((store) => store.collections()),
    clear: () => run((store) => store.clear()),
    dump: () => run((store) => store.dump()),
    load: (contents) => run((store) => store.load(contents)),
  };
}

/** The collections of a store with their items in the order of creation. */
export type StoreContents = readonly { readonly collection: string; readonly items: readonly VersionedItem[] }[];

/**
 * A member that queries compare by `equals`.
 *
 * @deprecated Stores make the indexes that queries need on first use.
 */
export interface StoreIndex {
  readonly collection: string;
  readonly path: string;
  /** Whether queries also sort by the member. */
  readonly sorted?: boolean;
}

/** Separates the name of a collection from its account. Names from specs never contain it. */
const SEPARATOR = '\u0000';

/** Returns the stored name of an account's collection, or of a collection that all accounts share. */
export function collectionOf(name: string, account: string | undefined): string {
  return account === undefined ? name : `${name}${SEPARATOR}${account}`;
}

/** Splits the stored name of a collection into its name and its account, if any. */
export function splitCollection(collection: string): { readonly name: string; readonly account?: string } {
  const place = collection.indexOf(SEPARATOR);
  if (place === -1) return { name: collection };
  return { name: collection.slice(0, place), account: collection.slice(place + 1) };
}
