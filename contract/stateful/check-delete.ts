import { isSuccess } from '../../http/messages.js';
import { listPathOf, listedItems } from '../../resources/envelope.js';
import type { Operation } from '../../model/api.js';
import { problem } from '../checks/problem.js';
import type { Call, Exchange } from '../types.js';
import { checkListed } from './check-list.js';
import { type CrudContext, callOn, readItem, isDone } from './crud-context.js';

/** Checks that a deleted item cannot be read, changed or used, and is in no list. */
export async function checkDelete(crud: CrudContext): Promise<void> {
  const { run, resource } = crud;
  const { delete: removal } = resource;
  if (removal === undefined) return;
  // Built before the deletion: afterwards, a call would get another item.
  const uses: (Call | undefined)[] = [];
  for (const operation of usesOf(crud)) uses.push(await callOn(crud, operation));
  const call = await callOn(crud, removal);
  if (call === undefined) return;
  const exchange = await run.tryValid(call);
  if (!isDone(exchange)) return;
  const after = await readItem(crud);
  if (after !== undefined && isSuccess(after)) reportReadable(crud, after, { call, exchange });
  await checkListed(crud, exchange);
  for (const use of uses) {
    if (use === undefined) continue;
    const again = await run.tryValid(use);
    if (again === undefined || !isStillThere(again, crud, use.operation)) continue;
    if (use.operation.method === 'post') {
      // The operation has restored the item.
      const restored = await readItem(crud);
      if (restored !== undefined && isSuccess(restored)) return;
      if (isRestore(use.operation) && restored !== undefined) {
        reportLost(crud, restored, { use, removal: exchange, again });
        return;
      }
    }
    reportUse(crud, again, { use, removal: exchange });
  }
}

/** Reports an item that can be read after its deletion. */
export function reportReadable(
  { run }: CrudContext,
  after: Exchange,
  { call, exchange }: { readonly call: Call; readonly exchange: Exchange },
): void {
  const found = problem('gone after delete', {
    message: 'What was deleted can still be read.',
    expected: '404',
    actual: String(after.status),
  });
  const assertion = { expects: 'status', exchange: after, status: 'refused' } as const;
  run.report(found, { call, phase: 'stateful', assertion }, exchange);
}

/** The operations on an item other than reading and deleting it. */
function usesOf({ resource }: CrudContext): Operation[] {
  const { read, delete: removal, slots, name } = resource;
  const isCollection = name.includes('{');
  return [...slots]
    .filter(([operation, slot]) => {
      if (operation === read || operation === removal) return false;
      // Other places may only reference an id, which a server need not check.
      return !isCollection || (slot.in === 'parameter' && slot.parameter.in === 'path');
    })
    .map(([operation]) => operation)
    .sort((one, other) => Number(isRestore(one)) - Number(isRestore(other)));
}

const RESTORES = /restore|undelete|recover|reactivate|unarchive|untrash|revive/i;

function isRestore({ path }: Operation): boolean {
  return RESTORES.test(path.slice(path.lastIndexOf('/')));
}

function isStillThere(exchange: Exchange, { run }: CrudContext, operation: Operation): boolean {
  const { method } = operation;
  if (!isSuccess(exchange) || exchange.status === 201 || exchange.status === 202) return false;
  // An idempotent operation may succeed again.
  const { api } = run.options;
  const isList = listPathOf(operation, api) !== undefined;
  return method !== 'delete' && (!isList || listedItems(operation, exchange.json, api)?.length !== 0);
}

interface Use {
  readonly use: Call;
  readonly removal: Exchange;
}

/** Reports an item that cannot be read although an operation claims to have restored it. */
function reportLost(
  { run, resource }: CrudContext,
  restored: Exchange,
  { use, removal, again }: Use & { readonly again: Exchange },
): void {
  const found = problem('created is available', {
    cause: 'restored',
    message: 'What was restored cannot be read.',
    expected: '200',
    actual: String(restored.status),
  });
  const assertion = { expects: 'status', exchange: restored, status: 'good' } as const;
  const call = { ...use, operation: resource.read ?? use.operation };
  run.report(found, { call, phase: 'stateful', assertion, others: [removal, again] }, restored);
}

function reportUse({ run }: CrudContext, again: Exchange, { use, removal }: Use): void {
  const found = problem('gone after delete', {
    cause: 'use',
    message: 'What was deleted can still be used.',
    expected: '404',
    actual: String(again.status),
  });
  const assertion = { expects: 'status', exchange: again, status: 'refused' } as const;
  run.report(found, { call: use, phase: 'stateful', assertion, others: [removal] }, again);
}
