import type { HttpError } from '../http/http-error.js';
import type { Operation } from '../model/api.js';
import type { HandlerContext, RequestContext } from './handler-api.js';

type Members = Readonly<Record<string, unknown>>;

/** A call of an operation of an inferred resource. */
export interface ResourceCall extends RequestContext {
  readonly operation: Operation;
  /** Decoded and validated parameters and body. Contains only what the spec describes. */
  readonly input: {
    readonly path?: Members;
    readonly query?: Members;
    readonly headers?: Members;
    readonly cookies?: Members;
    readonly body?: unknown;
  };
}

/** A write to an item of an inferred resource. */
export interface ResourceWrite<Item extends object> {
  readonly kind: 'create' | 'replace' | 'patch' | 'action' | 'delete';
  readonly call: ResourceCall;
  /** The id under which the item is stored. */
  readonly id: string;
  /** The stored item; `undefined` if the write creates it. */
  readonly before: Item | undefined;
  /** The item to store, or the deleted item. */
  readonly item: Item;
}

/** A call of an inferred resource that is refused, and the reason. */
export interface ResourceRefusal {
  /**
   * `unknown`: the item does not exist. `taken`: the id is in use. `changed`: `If-Match` does not match the stored
   * item. `page`: the page token is not valid for this list.
   */
  readonly reason: 'unknown' | 'taken' | 'changed' | 'page';
  readonly call: ResourceCall;
  /** The id that the call names; `undefined` for a list. */
  readonly id: string | undefined;
}

/**
 * Rules on top of a resource's inferred behaviour. `validate` and `beforeWrite` run atomically with the write. They
 * must be synchronous and free of side effects, because they rerun if another write came between. They see the item
 * before the remaining members that its schema requires are filled in.
 */
export interface ResourceHooks<Item extends object> {
  /** Checks a write. @throws HttpError to refuse it */
  readonly validate?: (write: ResourceWrite<Item>) => void;
  /**
   * Returns the item to store instead, such as one with computed members. Not called for a deletion.
   *
   * @throws HttpError to refuse the write
   */
  readonly beforeWrite?: (write: ResourceWrite<Item>) => object;
  /** Runs after a write, for its consequences: jobs, callbacks, changes of other collections. */
  readonly afterWrite?: (write: ResourceWrite<Item>) => void | Promise<void>;
  /** Whether a stored item exists for callers; return `false` for an expired one. Default: always `true`. */
  readonly isPresent?: (item: Item, context: HandlerContext) => boolean;
  /** Returns the item as responses show it. */
  readonly show?: (item: Item, call: ResourceCall) => object;
  /** Returns the error for a refused call. Default: an error with the reason, in the API's error format. */
  readonly refuse?: (refusal: ResourceRefusal) => HttpError;
  /** Returns the id of a new item that has none, without the prefix of its member. Called again if the id is taken. */
  readonly makeId?: (call: ResourceCall) => string;
  /** The calls whose examples in the spec fill the collection at the start; `[]` for none. Default: all of them. */
  readonly examples?: readonly ('list' | 'create' | 'patch' | 'replace' | 'read')[];
  /** Whether members that were not sent get the default of their schema. Default: `true`. */
  readonly hasDefaults?: boolean;
  readonly page?: {
    /** The number of items on a page if the caller gives no size or 0. */
    readonly defaultSize?: number;
    readonly maxSize?: number;
    /** Members by which lists are sorted. Default: the order of creation. */
    readonly order?: readonly { readonly path: string; readonly descending?: boolean }[];
    /** Returns the item as lists show it. Default: like the resource's `show`. */
    readonly showItem?: (item: Item, call: ResourceCall) => object;
    /** Returns the response body of a page. @param page - the filled envelope that the spec describes */
    readonly show?: (page: Members, call: ResourceCall) => object;
  };
}
