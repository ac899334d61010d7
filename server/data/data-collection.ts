import type { Schema } from '../../model/schema-types.js';
import type { HandlerContext } from '../handler-api.js';
import type { GivenCollection } from './given-data.js';

/** An item that was checked and completed, ready to be stored. */
export interface PreparedItem {
  /** The collection in the state. */
  readonly collection: string;
  readonly key: string;
  readonly value: unknown;
  /** The ids of its parents, from the outside in. */
  readonly parents?: readonly string[];
}

/** What preparing items may ask about other collections. */
export interface PrepareOptions {
  /** Returns the ids in a collection of the sandbox, by its name in the state. Absent for data that a sandbox starts with. */
  readonly idsIn?: (collection: string) => ReadonlySet<string> | undefined;
  /** Whether the items are added to those that exist, whose ids they must not have. */
  readonly isAddition: boolean;
}

/** A collection that start data and the control API can fill. */
export interface DataCollection {
  /** What users call it: a path, or the name of an entity. */
  readonly name: string;
  /** Of an item; absent if it is not known. */
  readonly schema?: Schema;
  /**
   * Checks given items, and completes them: ids stay, and required members that are missing are made up.
   *
   * @throws DataProblem for the first item that is invalid
   */
  prepare(given: GivenCollection, options: PrepareOptions): readonly PreparedItem[];
  /** Fills the collection with the items that it starts with, before items are added. */
  open(context: HandlerContext): Promise<void>;
  /** Replaces all items of the collection. */
  replace(context: HandlerContext, items: readonly PreparedItem[]): Promise<void>;
  /** Adds items. */
  add(context: HandlerContext, items: readonly PreparedItem[]): Promise<void>;
  /** Returns the items, by the path of their collection. */
  read(context: HandlerContext): Promise<Readonly<Record<string, readonly unknown[]>>>;
}

/** The collections of an API that can be filled. */
export interface DataCollections {
  /** Finds a collection by its path, a path with the ids of parents, or its last word. @throws Error if several fit */
  find(name: string): DataCollection | undefined;
  /** What users can call the collections, for suggestions. */
  names(): readonly string[];
  all(): readonly DataCollection[];
  /**
   * Checks references between collections, and that parents exist, and makes those that were made up refer to items.
   *
   * @throws DataProblem for a reference to an item that does not exist
   */
  link(prepared: readonly PreparedCollection[], options: Pick<PrepareOptions, 'idsIn'>): readonly PreparedCollection[];
  /** Notes that every sandbox starts with items of these collections. */
  startWith(collections: readonly DataCollection[]): void;
}

/** A collection with its prepared items, in the order of the given ones. */
export interface PreparedCollection {
  readonly collection: DataCollection;
  readonly given: GivenCollection;
  readonly items: readonly PreparedItem[];
}
