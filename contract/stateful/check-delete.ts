import { itemsIn } from '../../resources/envelope.js';
import type { Operation } from '../../model/api.js';
import { problem } from '../checks/problem.js';
import type { Call, Exchange } from '../types.js';
import { checkListed } from './check-list.js';
import { type CrudContext, callOn, isGood, readItem } from './crud-context.js';

/** A deleted item can be neither read nor changed nor used, and is in no list. */
export async function checkDelete(life: CrudContext): Promise<void> {
  const { run, resource } = life;
  const { delete: removal } = resource;
  if (removal === undefined) return;
  // Made now: once the item is gone, a call would be given another one.
  const uses: (Call | undefined)[] = [];
  for (const operation of usesOf(life)) uses.push(await callOn(life, operation));
  const call = await callOn(life, removal);
  if (call === undefined) return;
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  if (exchange === undefined || !isGood(exchange) || exchange.status === 202) return;
  const after = await readItem(life);
  if (after !== undefined && isGood(after)) {
    const found = problem('gone after delete', {
      message: 'What was deleted can still be read.',
      expected: '404',
      actual: String(after.status),
    });
    const claim = { expects: 'status', exchange: after, status: 'refused' } as const;
    run.report(found, { call, phase: 'stateful', claim }, exchange);
  }
  await checkListed(life, exchange);
  for (const use of uses) {
    if (use === undefined) continue;
    const again = await run.try({ phase: 'stateful', call: use, expectation: { kind: 'valid' } });
    if (again !== undefined && isStillThere(again, use.operation)) reportUse(life, again, { use, removal: exchange });
  }
}

/** The operations on an item beside reading and deleting it. */
function usesOf({ resource }: CrudContext): Operation[] {
  const { read, delete: removal, slots, name } = resource;
  const isCollection = name.includes('{');
  return [...slots]
    .filter(([operation, slot]) => {
      if (operation === read || operation === removal) return false;
      // Elsewhere an id may only be a reference, which a server need not check.
      return !isCollection || (slot.in === 'parameter' && slot.parameter.in === 'path');
    })
    .map(([operation]) => operation);
}

function isStillThere(exchange: Exchange, { method }: Operation): boolean {
  if (!isGood(exchange) || exchange.status === 201 || exchange.status === 202) return false;
  // An idempotent operation may succeed again.
  return method !== 'delete' && itemsIn(exchange.json)?.length !== 0;
}

interface Use {
  readonly use: Call;
  readonly removal: Exchange;
}

function reportUse({ run }: CrudContext, again: Exchange, { use, removal }: Use): void {
  const found = problem('gone after delete', {
    cause: 'use',
    message: 'What was deleted can still be used.',
    expected: '404',
    actual: String(again.status),
  });
  const claim = { expects: 'status', exchange: again, status: 'refused' } as const;
  run.report(found, { call: use, phase: 'stateful', claim, others: [removal] }, again);
}
