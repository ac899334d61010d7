import type { Example, Header, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';

/** What an operation does with a resource. */
export type Role = 'list' | 'create' | 'createMany' | 'read' | 'replace' | 'patch' | 'delete' | 'act';

/** Where the id of an item stands in it. */
export interface IdMember {
  /** Member names from the item down to the id, such as `tableReference`, `tableId`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** What stands before the id in the member but not in the path of the item: `files/` in `files/abc`. */
  readonly prefix: string;
}

/** How an item stands in a body: itself, in a member of an object, or as the only one of a list. */
export interface ItemWrap {
  readonly member?: string;
  readonly isList: boolean;
}

/** How the items of a page stand in an answer: in the list that it is, or in a member of an object. */
export interface ListShape {
  readonly member?: string;
  readonly item: Schema;
}

/** A documented answer of success. */
export interface Success {
  readonly status: number;
  /** Absent: no content. */
  readonly schema?: Schema;
  readonly headers: readonly Header[];
  readonly examples: readonly Example[];
}

/** A kind of thing that an API keeps. Plain data: what the handlers do follows from it. */
export interface Resource {
  /** Template of the collection, or for a singleton of the thing itself. It need not be a path of the API. */
  readonly collectionPath: string;
  readonly itemPath?: string;
  readonly kind: 'collection' | 'singleton';
  /** The canonical form of an item: what is stored. */
  readonly schema: Schema;
  readonly id?: IdMember;
  /** Path parameters that name an item: one, or two where the first is the name of a member and the second its value. */
  readonly itemParameters: readonly string[];
  /** Members that repeat the parameters of the collection's path: parameter name -> where it stands. */
  readonly parentMembers: ReadonlyMap<string, IdMember>;
  readonly operations: readonly ResourceOperation[];
}

export interface ResourceOperation {
  readonly role: Role;
  readonly operation: Operation;
  readonly success: Success;
  /** How the item stands in the request body. */
  readonly bodyWrap: ItemWrap;
  /** How the item stands in the answer; absent where the answer is something else. */
  readonly wrap?: ItemWrap;
  readonly list?: ListShape;
  /** Of an action: `archive` in `/things/{id}:archive`. */
  readonly verb?: string;
}
