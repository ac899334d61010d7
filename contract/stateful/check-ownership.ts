import { isSuccess } from '../../http/messages.js';
import type { Resource } from '../../resources/resource.js';
import { refused } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import { demandsCredential } from '../execute/http/made-up-credentials.js';
import type { Call } from '../types.js';
import { checkForeignReads } from './check-foreign-reads.js';
import { findListed, placeOf } from './check-list.js';
import { type CrudContext, callOn, createItem, idValue } from './crud-context.js';

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Checks that items of one identity are refused to another one, and are not in its lists and searches. */
export async function checkOwnership(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  if (Object.keys(run.options.otherHeaders).length === 0) return;
  const crud = await createItem(run, resource, creation);
  if (crud === undefined) return;
  await checkForeignList(crud);
  // The item's deletion comes last.
  const operations = [...resource.slots.keys()].sort((one, other) => rank(one.method) - rank(other.method));
  for (const operation of operations) {
    if (!demandsCredential(operation, run.options.api)) continue;
    const call = await callOn(crud, operation);
    if (call === undefined) continue;
    const foreign = { ...call, isOther: true };
    const exchange = await run.client.send({
      phase: 'stateful',
      call: foreign,
      expectation: { kind: 'other identity' },
    });
    if (exchange !== undefined && operation === resource.read && REFUSALS.has(exchange.status))
      await checkForeignReads(crud);
    if (exchange === undefined || !isSuccess(exchange)) continue;
    run.findings.expect('access of others refused', refused(exchange), {
      message: 'Another user can read or change the item.',
      expected: '403 or 404',
      others: [crud.created.exchange],
    });
    if (operation.method === 'delete') return;
  }
}

function rank(method: string): number {
  return ['get', 'head', 'post', 'patch', 'put', 'delete'].indexOf(method);
}

async function checkForeignList(crud: CrudContext): Promise<void> {
  const { run, resource, created } = crud;
  const { list } = resource;
  const base =
    list === undefined || !demandsCredential(list, run.options.api)
      ? undefined
      : await run.items.validCall(list, 'stateful');
  if (list === undefined || base === undefined) return;
  const required = [...base.parameters].filter(([one]) => one.required || one.in === 'path');
  const call = { ...base, parameters: new Map(required), isOther: true };
  const exchange = await run.client.send({ phase: 'stateful', call, expectation: { kind: 'other identity' } });
  if (exchange === undefined || !isSuccess(exchange)) return;
  const listed = await findListed(crud, call);
  if (listed?.item === undefined) return;
  run.findings.expect(
    'access of others refused',
    { expects: 'not listed', list: placeOf(crud, listed), id: idValue(crud) },
    {
      cause: 'list',
      message: 'The list of one user shows an item of another user.',
      at: listed.walk.last,
      others: [created.exchange],
    },
  );
}
