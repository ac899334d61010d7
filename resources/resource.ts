import type { Example, Header, Operation, Parameter } from '../model/api.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import type { Schema } from '../model/schema-types.js';
import type { Correction } from './corrections.js';

/** The role of an operation for a resource. */
export type Role = 'list' | 'create' | 'createMany' | 'read' | 'replace' | 'patch' | 'delete' | 'action';

/** The roles that at most one operation of a resource has. */
export type MainRole = Exclude<Role, 'createMany' | 'action'>;

/** Why the map of an API says something. */
export interface Basis {
  /** The end of a sentence about the entry, such as `it has the name of the parameter`. */
  readonly reason: string;
  /** Whether the spec, a correction, or a single candidate decides. What is not sure, `explain` asks about. */
  readonly isSure: boolean;
  /** The place in the spec that decided. */
  readonly place?: SourceLocation;
}

/** A member of an item that a path repeats. */
export interface MemberPlace {
  /** Member names from the item down to the id, such as `tableReference`, `tableId`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** A prefix of the member that the path of the item leaves out: `files/` in `files/abc`. */
  readonly prefix: string;
  /** Whether the member is the address of the item, and the id its last segment. */
  readonly isLink?: true;
}

/** The place of the id in an item, or of the id of its parent. */
export interface IdMember extends MemberPlace {
  readonly basis: Basis;
}

/** A member that is a part of the name of an item, and the path parameter that takes it. */
export interface OuterId extends MemberPlace {
  readonly parameter: string;
}

/** Where an operation takes the id of an item. */
export type Slot =
  | { readonly in: 'parameter'; readonly parameter: Parameter }
  /** A top-level member of the body. */
  | { readonly in: 'body'; readonly name: string };

/** How a body contains an item: directly, in a member of an object, or as the only item of a list. */
export interface ItemEnvelope {
  /** Member names from the body down to the item: `data`, `gadget`. Empty if the body is the item, or its list. */
  readonly path: readonly string[];
  readonly isList: boolean;
}

/** How a page contains its items. */
export interface ListEnvelope {
  /** Member names from the body down to the list; empty if the body is the list. */
  readonly path: readonly string[];
  readonly item: Schema;
  /** Set if the entries of the list contain the items: `{ "ranking": 1, "document": {} }`. */
  readonly entry?: { readonly schema: Schema; readonly member: string };
}

/** A collection whose items others belong to by a member, where their path does not contain it. */
export interface MemberParent {
  readonly path: string;
  /** The member with the id of the parent. */
  readonly member: IdMember;
}

/** A documented success response. */
export interface Success {
  readonly status: number;
  /** Absent if there is no content. */
  readonly schema?: Schema;
  readonly headers: readonly Header[];
  readonly examples: readonly Example[];
}

/** A collection or a singleton before its operations have roles. Plain data. */
export interface ResourceCore {
  /** Path of the collection, or of the singleton itself. It need not be a path of the API. */
  readonly collectionPath: string;
  readonly itemPath?: string;
  readonly kind: 'collection' | 'singleton';
  /** The canonical schema of an item, in which it is stored. */
  readonly schema: Schema;
  readonly id?: IdMember;
  /** Members that name the item together with the id: `owner` of `/repos/{owner}/{repo}`. */
  readonly outerIds?: readonly OuterId[];
  /** The name of the id in requests: `bookId`, `id`. */
  readonly parameter: string;
  /** The schema of the id in requests. */
  readonly takes?: Schema;
  /** What `resources` says about it. */
  readonly correction?: Correction;
  /** Path parameters that name an item: one, those of `outerIds` and one, or the name and the value of a member. */
  readonly itemParameters: readonly string[];
  /** Members that repeat the parameters of the collection's path, by parameter name. */
  readonly parentMembers: ReadonlyMap<string, IdMember>;
  /** The parent that a correction names, whose id a member shows. */
  readonly memberParent?: MemberParent;
}

/** An operation and its effect on the resource. */
export interface ResourceOperation {
  readonly role: Role;
  readonly basis: Basis;
  readonly operation: Operation;
  readonly success: Success;
  /** How the request body contains the item. */
  readonly bodyEnvelope: ItemEnvelope;
  /** How the response contains the item; absent if it does not. */
  readonly envelope?: ItemEnvelope;
  readonly list?: ListEnvelope;
  /** Where the response to a creation shows the id, if it does not contain the item. */
  readonly createdId?: IdMember;
  /** For an action: `archive` in `/things/{id}:archive`. */
  readonly verb?: string;
  /** For a call by verb: where it takes the id. */
  readonly idSlot?: Slot;
  /** For a creation: whether it copies the item whose id it takes. */
  readonly isCopy?: true;
}

/** Items of one kind, or a single thing, with the operations that create, show, change and delete them. */
export interface Resource extends Readonly<Partial<Record<MainRole, Operation>>> {
  /**
   * Unique: the path of an item, such as `/books/{bookId}`, or for calls by verb their folder and noun, such as
   * `/api/case`.
   */
  readonly name: string;
  readonly kind: 'collection' | 'singleton';
  /** The name of the id parameter: `bookId`, `id`. */
  readonly parameter: string;
  /** Where items show their id, if the spec says. */
  readonly id?: IdMember | undefined;
  /** Members that name the item together with the id, by path parameter. */
  readonly outerIds?: readonly OuterId[] | undefined;
  /** Where the response to a creation shows the id. */
  readonly createdId?: IdMember | undefined;
  /** Other operations that create items, such as `createcasefromtemplate`. */
  readonly creators: readonly Operation[];
  /** Other operations whose responses show one or several items of the same schema. */
  readonly views: readonly Operation[];
  /** Where operations on an item take its id. */
  readonly slots: ReadonlyMap<Operation, Slot>;
  /** Where operations on other resources name an item. */
  readonly references: ReadonlyMap<Operation, Slot>;
}
