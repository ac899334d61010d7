import type { HttpError } from '../http/http-error.js';
import type { Operation } from '../model/api.js';
import type { HandlerContext, RequestContext } from './handler-api.js';

type Members = Readonly<Record<string, unknown>>;

/** A call of an operation of an inferred resource. */
export interface ResourceCall extends RequestContext {
  readonly operation: Operation;
  /** Decoded and validated parameters and body, as far as the spec describes them. */
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
  /** The item to store; for a deletion, the deleted item. */
  readonly item: Item;
}

/** Why a call of an inferred resource is refused. */
export interface ResourceRefusal {
  /**
   * `unknown`: there is no such item. `taken`: there is one already. `changed`: `If-Match` names another state of it.
   * `page`: the list has not given that page token.
   */
  readonly reason: 'unknown' | 'taken' | 'changed' | 'page';
  readonly call: ResourceCall;
  /** The id that the call names; of a list `undefined`. */
  readonly id: string | undefined;
}

/**
 * Rules above the inferred behaviour of a resource. `validate` and `beforeWrite` run in one step with the write, so they
 * are synchronous and have no effects: the step may run again after another write. They see an item as the call leaves it;
 * what its schema requires beside is filled in after them.
 */
export interface ResourceHooks<Item extends object> {
  /** @throws HttpError to refuse the write */
  readonly validate?: (write: ResourceWrite<Item>) => void;
  /**
   * The item that is stored instead, such as one with members that the server computes. Not called for a deletion.
   *
   * @throws HttpError to refuse the write
   */
  readonly beforeWrite?: (write: ResourceWrite<Item>) => object;
  /** Consequences of a write: jobs, callbacks, changes of other collections. */
  readonly afterWrite?: (write: ResourceWrite<Item>) => void | Promise<void>;
  /** Whether an item is there, such as one that has not expired. Default: every stored item is. */
  readonly isPresent?: (item: Item, context: HandlerContext) => boolean;
  /** The item as responses show it. */
  readonly show?: (item: Item, call: ResourceCall) => object;
  /** The error for a call that is refused. Default: one that says the reason, in the error format of the API. */
  readonly refuse?: (refusal: ResourceRefusal) => HttpError;
  /** The id of a new item that is given none, without what precedes ids in the member. It is asked again for one that is taken. */
  readonly makeId?: (call: ResourceCall) => string;
  /** The calls whose examples in the spec a collection starts with; of an empty list it starts empty. Default: all of them. */
  readonly examples?: readonly ('list' | 'create' | 'patch' | 'replace' | 'read')[];
  /** Whether an item has the defaults of members that were not sent. Default: it has. */
  readonly hasDefaults?: boolean;
  readonly page?: {
    /** How many items a page has where the caller names no size, or 0. */
    readonly defaultSize?: number;
    readonly maxSize?: number;
    /** Members that lists are sorted by. Default: the order of creation. */
    readonly order?: readonly { readonly path: string; readonly descending?: boolean }[];
    /** The item as lists show it. Default: as `show` does. */
    readonly showItem?: (item: Item, call: ResourceCall) => object;
    /** The page as the response has it. @param page - the items in the envelope that the spec describes, filled in */
    readonly show?: (page: Members, call: ResourceCall) => object;
  };
}
