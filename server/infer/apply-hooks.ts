import { isRecord } from '../../model/document/records.js';
import type { ResourceHooks, ResourceWrite, RequestContext } from '../handler-api.js';
import type { Item } from './json-path.js';

/** A call of a resource that may have hooks. */
interface Hooked {
  readonly hooks: ResourceHooks<Item> | undefined;
  readonly call: RequestContext;
}

type Write = Omit<ResourceWrite<Item>, 'call'>;

/** The item that is stored, if the hooks of its resource let it be. @throws HttpError if `validate` refuses */
export function prepareWrite({ hooks, call }: Hooked, write: Write): Item {
  if (hooks === undefined) return write.item;
  hooks.validate?.({ ...write, call });
  const stored = write.kind === 'delete' ? undefined : hooks.beforeWrite?.({ ...write, call });
  return isRecord(stored) ? stored : write.item;
}

/** Runs the consequences of a write. */
export async function followWrite({ hooks, call }: Hooked, write: Write): Promise<void> {
  await hooks?.afterWrite?.({ ...write, call });
}

/** An item, unless the hooks of its resource say that it is not there. */
export function presentItem(item: Item | undefined, { hooks, call }: Hooked): Item | undefined {
  return item !== undefined && hooks?.isPresent?.(item, call) === false ? undefined : item;
}

/** An item as the hooks of its resource show it. */
export function shownItem({ hooks, call }: Hooked, item: Item): Item {
  const shown = hooks?.show?.(item, call);
  return isRecord(shown) ? shown : item;
}
