import type { HandlerContext, RequestContext } from './handler-api.js';

/** A write to an item of an inferred resource. */
export interface ResourceWrite<Item extends object> {
  readonly kind: 'create' | 'replace' | 'patch' | 'action' | 'delete';
  readonly call: RequestContext;
  /** The id under which the item is stored. */
  readonly id: string;
  /** What is stored now; `undefined` where the write creates it. */
  readonly before: Item | undefined;
  /** What would be stored; of a deletion, what is deleted. */
  readonly item: Item;
}

/**
 * Rules above the inferred behaviour of a resource. `validate` and `beforeWrite` run in one step with the write, so they
 * are synchronous and have no effects: the step may run again after another write.
 */
export interface ResourceHooks<Item extends object> {
  /** @throws HttpError to refuse the write */
  readonly validate?: (write: ResourceWrite<Item>) => void;
  /** The item that is stored instead, such as one with members that the server computes. Not called for a deletion. */
  readonly beforeWrite?: (write: ResourceWrite<Item>) => Item;
  /** What follows from a write: jobs, callbacks, changes of other collections. */
  readonly afterWrite?: (write: ResourceWrite<Item>) => void | Promise<void>;
  /** Whether an item is there, such as one that has not expired. Default: every stored item is. */
  readonly isPresent?: (item: Item, context: HandlerContext) => boolean;
  /** The item as responses show it. */
  readonly show?: (item: Item, call: RequestContext) => object;
  readonly page?: {
    /** How many items a page has where the caller names no size. */
    readonly defaultSize?: number;
    readonly maxSize?: number;
    /** Members that lists are sorted by. Default: the order of creation. */
    readonly order?: readonly { readonly path: string; readonly descending?: boolean }[];
  };
}
