import { isSuccess } from '../../http/messages.js';
import { listPathOf, listedItems } from '../../resources/envelope.js';
import type { Operation } from '../../model/api.js';
import { good, refused } from '../expectations/assertion.js';
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
  const exchange = await run.client.sendValid(call);
  if (!isDone(exchange)) return;
  expectGone(crud, await readItem(crud), exchange);
  await checkListed(crud, exchange);
  for (const use of uses) if (use !== undefined && (await checkUse(crud, use, exchange)) === 'restored') return;
}

/** Expects that a deleted item cannot be read. */
export function expectGone({ run }: CrudContext, after: Exchange | undefined, removal: Exchange): void {
  if (after === undefined || !isSuccess(after)) return;
  run.findings.expect('gone after delete', refused(after), {
    message: 'GET still returns the item after DELETE.',
    expected: '404',
    at: removal,
  });
}

/** Checks that an operation on a deleted item is refused, unless it restores the item. */
async function checkUse(crud: CrudContext, use: Call, removal: Exchange): Promise<'restored' | undefined> {
  const { run } = crud;
  const again = await run.client.sendValid(use);
  if (again === undefined || !isStillThere(again, crud, use.operation)) return undefined;
  const restored = use.operation.method === 'post' ? await readItem(crud) : undefined;
  if (restored !== undefined && (isSuccess(restored) || isRestore(use.operation))) {
    run.findings.expect('created is available', good(restored), {
      cause: 'restored',
      message: 'The restored item cannot be read.',
      expected: '200',
      others: [removal, again],
    });
    return 'restored';
  }
  run.findings.expect('gone after delete', refused(again), {
    cause: 'use',
    message: 'The deleted item can still be changed.',
    expected: '404',
    others: [removal],
  });
  return undefined;
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
