import { isRecord } from '../../model/document/records.js';
import type { ResourceWrite } from '../resource-hooks.js';
import type { Item } from './json-path.js';
import { completeItem } from './new-item.js';
import type { Scope } from './request-context.js';

type Write = Omit<ResourceWrite<Item>, 'call'>;

/** Runs the hooks before a write and returns the item to store. @throws HttpError if a hook refuses */
export function prepareWrite(scope: Scope, write: Write): Item {
  const { hooks, call, members } = scope;
  if (write.kind === 'delete') {
    hooks?.validate?.({ ...write, call });
    return write.item;
  }
  const item = members === undefined ? write.item : { ...write.item, ...members };
  hooks?.validate?.({ ...write, item, call });
  const stored = hooks?.beforeWrite?.({ ...write, item, call });
  return completeItem(isRecord(stored) ? stored : item, scope, write.id);
}

/** Runs the hook after a write. Returns `undefined` if there is nothing to await. */
export function followWrite({ hooks, call }: Scope, write: Write): Promise<void> | undefined {
  return hooks?.afterWrite?.({ ...write, call }) ?? undefined;
}

/** Returns the item as the hook `show` shows it. */
export function shownItem({ hooks, call }: Scope, item: Item): Item {
  const shown = hooks?.show?.(item, call);
  return isRecord(shown) ? shown : item;
}

/** Returns the item as the hook `page.showItem`, or else `show`, shows it. */
export function shownInList(scope: Scope, item: Item): Item {
  const shown = scope.hooks?.page?.showItem?.(item, scope.call);
  return isRecord(shown) ? shown : shownItem(scope, item);
}

/** Returns the page as the hook `page.show` shows it. */
export function shownPage({ hooks, call }: Scope, page: Item): Item {
  const shown = hooks?.page?.show?.(page, call);
  return isRecord(shown) ? shown : page;
}
