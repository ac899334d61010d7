import type { RequestContext } from '../handler-api.js';
import type { ResourceHooks } from '../resource-hooks.js';
import type { Item } from './json-path.js';

/** A call of a resource that may have hooks. */
interface Hooked {
  readonly hooks: ResourceHooks<Item> | undefined;
  readonly call: RequestContext;
}

/** Returns an item, unless the hook `isPresent` says that it does not exist. */
export function presentItem(item: Item | undefined, { hooks, call }: Hooked): Item | undefined {
  return item !== undefined && hooks?.isPresent?.(item, call) === false ? undefined : item;
}
