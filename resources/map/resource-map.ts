import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { Role } from '../resource.js';

/**
 * What an API manages: the result of inference and its corrections, as a plain value. Mock, contract runs, helpers of
 * clients, page and emitters follow the same analysis; `explain` prints it.
 */
export interface ResourceMap {
  /** In the order of the document. */
  readonly resources: readonly MappedResource[];
  /** Operations that belong to no resource. */
  readonly others: readonly UnmappedOperation[];
}

/** A collection with its items, or a single thing that is read and written at one path. */
export interface MappedResource {
  /** As a correction names it: the path of the collection or of the single thing, or the folder and noun of calls by verb. */
  readonly path: string;
  readonly kind: 'collection' | 'singleton';
  /** The path of an item; absent for calls by verb, and if no path names an item. */
  readonly itemPath?: string;
  /** The name of the schema of an item, as the spec spells it. */
  readonly schema?: string;
  readonly id?: MappedId;
  readonly operations: readonly MappedOperation[];
  readonly parent?: MappedParent;
  readonly references: readonly MappedReference[];
  /** Members whose values are unique in the collection. */
  readonly unique: readonly MappedMember[];
  readonly lists: readonly MappedList[];
}

/** Why an entry is in the map. */
export interface MappedReason {
  /** A sentence without a full stop. */
  readonly reason: string;
  /** Whether the spec or a correction decides. Otherwise a correction could decide. */
  readonly isSure: boolean;
  /** Where the spec says so. */
  readonly place?: SourceLocation;
}

export interface MappedId extends MappedReason {
  /** JSON pointer into an item. */
  readonly member: string;
  /** The name of the id in requests. */
  readonly parameter?: string;
  /** The start of the member that paths leave out, such as `files/`. */
  readonly prefix?: string;
  /** Whether the member is the address of the item, and the id its last segment. */
  readonly isLink?: true;
  /** JSON pointers to the members that name the item together with the id, by path parameter. */
  readonly outer?: Readonly<Record<string, string>>;
  /** JSON pointer into the response to a creation, if that shows no item. */
  readonly inResponse?: string;
}

export interface MappedMember extends MappedReason {
  /** JSON pointer into an item. */
  readonly member: string;
}

/** What a list promises: its pages, filters and orders. */
export interface MappedList {
  readonly operationId: string;
  /** Absent: all items are one page. */
  readonly paging?: MappedPaging;
  /** Why the pages that are announced cannot be asked for. */
  readonly gap?: string;
  readonly filters: readonly MappedFilter[];
  /** The parameter that orders the list, and the one that reverses the order. */
  readonly sort?: string;
  readonly direction?: string;
  /** The parameter that searches all texts of an item. */
  readonly search?: string;
}

export interface MappedPaging extends MappedReason {
  readonly style: 'offset' | 'page' | 'token' | 'after' | 'link';
  /** The parameter that moves on; absent if only links lead on. */
  readonly step?: string;
  readonly size?: string;
  /** JSON pointers into a page. */
  readonly next?: string;
  readonly more?: string;
  readonly total?: string;
}

/** `from` and `to` are bounds. */
export interface MappedFilter {
  readonly parameter: string;
  /** JSON pointer into an item. */
  readonly member: string;
  readonly test: 'equals' | 'from' | 'to';
}

/** `update` changes some members, `replace` all. `action` has a word of its own in the path. */
export type MappedRole = Exclude<Role, 'patch'> | 'update';

export interface MappedOperation extends MappedReason {
  readonly role: MappedRole;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The status of success. */
  readonly status: number;
  /** The word of an action, such as `archive`. */
  readonly verb?: string;
  /** For calls by verb: where the id of the item is sent. */
  readonly idIn?: { readonly in: 'body' | 'query' | 'header' | 'path' | 'cookie'; readonly name: string };
  /** The member of the request's body that is the item. Absent: the body is the item, or there is none. */
  readonly bodyIn?: string;
  /** The member of the response's body that is the item. Absent: the body is the item, or shows none. */
  readonly itemIn?: string;
  /** For a list: JSON pointer to the items in the response. */
  readonly itemsIn?: string;
}

export interface MappedParent {
  /** The path of the collection whose items contain this resource. */
  readonly path: string;
  /** JSON pointers to the members of an item that repeat parameters of the path, by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  /** JSON pointer to the member with the id of the parent, where the path does not contain it: a correction says so. */
  readonly member?: string;
}

/** A member that names an item of another collection. */
export interface MappedReference extends MappedReason {
  /** JSON pointer into an item; `*` stands for each item of a list. */
  readonly member: string;
  readonly path: string;
}

export interface UnmappedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly reason: string;
}
