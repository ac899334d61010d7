import type { Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { type Flag, flagAfter } from '../../resources/action-state.js';
import type { Resource } from '../../resources/resource.js';
import { successSchema } from '../../resources/success-response.js';
import { bodyAt, literalOf, same } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import { memberOf } from '../execute/ids/id-slot.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, callOn, createItem, isDone, latestRead, readItem } from './crud-context.js';
import { itemIn } from './done-action.js';

/** An operation, and the flag of its item that it sets. */
interface FlagOperation {
  readonly operation: Operation;
  readonly flag: Flag;
}

/**
 * Checks that operations below an item that only set a flag of it (`PUT` and `DELETE` of `/issues/{id}/lock`) do so. They
 * show nothing, so the item is read.
 */
export async function checkFlags(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const operations = flagOperations(run, resource);
  if (operations.length === 0) return;
  const crud = await createItem(run, resource, creation);
  let before = crud === undefined ? undefined : await latestRead(crud);
  for (const one of operations) {
    const call = crud === undefined ? undefined : await callOn(crud, one.operation);
    if (crud === undefined || call === undefined || before?.status !== 200) return;
    const exchange = await run.client.sendValid(call);
    const after = isDone(exchange) ? await readItem(crud) : undefined;
    if (exchange === undefined || after?.status !== 200) continue;
    expectFlag(crud, { ...one, before, exchange, after });
    before = after;
  }
}

/** First those that set a flag, then those that clear it. */
function flagOperations({ options: { api } }: ContractRun, { read, slots }: Resource): FlagOperation[] {
  if (read === undefined) return [];
  const found = [...slots].flatMap(([operation, slot]): FlagOperation[] => {
    const behind = slot.in === 'parameter' ? (operation.path.split(`{${slot.parameter.name}}`)[1] ?? '') : '';
    if (!/^[/:][^/{}]+$/.test(behind)) return [];
    const flag = flagAfter(operation, successSchema(read), api);
    return flag === undefined ? [] : [{ operation, flag }];
  });
  return found.toSorted((one, other) => Number(other.flag.value) - Number(one.flag.value));
}

interface FlagSet extends FlagOperation {
  readonly before: Exchange;
  readonly exchange: Exchange;
  readonly after: Exchange;
}

function expectFlag(crud: CrudContext, { operation, flag, before, exchange, after }: FlagSet): void {
  const is = itemIn(after.json, crud);
  const [was, now] = [itemIn(before.json, crud)?.item, is?.item].map((item) => memberOf(item, flag.name));
  if (is === undefined || typeof now !== 'boolean' || now === flag.value || was !== now) return;
  const pointer = appendPointer(is.pointer, flag.name);
  crud.run.findings.expect('update is visible', same(bodyAt(after, pointer), literalOf(flag.value)), {
    cause: `${operation.id} ${pointer}`,
    message: `${operation.id} was accepted, but ${pointer} is still ${String(now)}.`,
    others: [exchange],
  });
}
