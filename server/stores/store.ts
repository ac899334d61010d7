/** A value of a store: plain JSON data, or bytes. Copied on the way in and out, so never shared with the caller. */
export type Stored = unknown;

/** A stored item with the version that a conditional write names. */
export interface VersionedItem<T = Stored> {
  readonly id: string;
  readonly value: T;
  /** Grows by one with each write. */
  readonly version: number;
}

/**
 * A condition on one member, by path: `Status`, `Parties.EmailAddress` (any item of a list). A dot that is part of a
 * member's name is written `\\.` (`toMemberPath` in server/stores/member-path.ts does it).
 */
export interface Condition {
  readonly path: string;
  /** `equals`: the same JSON value. `contains`: a text in a text, letter case ignored. `from`, `to`: inclusive bounds of numbers or texts. */
  readonly test: 'equals' | 'contains' | 'from' | 'to';
  readonly value: unknown;
}

/** A query. All conditions must hold; `order` sorts by members, ties by the order of creation. */
export interface StoreQuery {
  readonly where?: readonly Condition[];
  readonly order?: readonly { readonly path: string; readonly descending?: boolean }[];
  readonly skip?: number;
  readonly take?: number;
  /** For conditions that the table above cannot say; applied after them. */
  readonly filter?: (value: Stored) => boolean;
  /** `false`: the total is not needed, so a store may stop when it has the items. Default: true. */
  readonly countTotal?: boolean;
}

export interface QueryResult<T = Stored> {
  readonly items: readonly VersionedItem<T>[];
  /** How many match before `skip` and `take`. Without `countTotal` only those that were looked at. */
  readonly total: number;
}

/** The write was made for another version of the item than the stored one. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
}

/**
 * Where the state of one sandbox lives. Asynchronous, so that remote stores fit. Every implementation passes one
 * conformance suite (test/server/store-conformance.ts); nothing is lost under parallel updates.
 */
export interface Store {
  get(collection: string, id: string): Promise<VersionedItem | undefined>;
  /** Writes an item and gives its new version. With `expected`, only if the stored version is that one (0: not there yet). @throws VersionConflictError */
  put(collection: string, id: string, value: Stored, expected?: number): Promise<number>;
  /** Whether there was something to delete. */
  delete(collection: string, id: string): Promise<boolean>;
  query(collection: string, query: StoreQuery): Promise<QueryResult>;
  /** Reads, changes and writes in one step. The change may be called again if another write came between; `undefined` deletes. */
  update(
    collection: string,
    id: string,
    change: (value: Stored | undefined) => Stored | undefined,
  ): Promise<Stored | undefined>;
  /** Names of the collections that hold something. */
  collections(): Promise<readonly string[]>;
  clear(): Promise<void>;
  /** Everything that is stored, in one step; items in the order of creation. */
  dump(): Promise<StoreContents>;
  /** Replaces everything by what `dump` gave, in one step; versions included. */
  load(contents: StoreContents): Promise<void>;
}

/** A store that hands each call to another one, in the way of `run`. */
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

/** A hint that queries compare this member by `equals`, so that it is kept in an index. */
export interface StoreIndex {
  readonly collection: string;
  readonly path: string;
  /** Queries sort by this member and ask for bounds of it too, and it mostly grows from one item to the next, as times of creation do. */
  readonly sorted?: boolean;
}
