import type { Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { stateAfter } from '../../resources/action-state.js';
import { sharesMembers } from '../../resources/envelope.js';
import { isId } from '../../resources/extract-id.js';
import type { Resource } from '../../resources/resource.js';
import { successSchema } from '../../resources/success-response.js';
import { bodyAt, literalOf, same } from '../expectations/assertion.js';
import { isServerTime } from '../checks/is-comparable.js';
import type { ContractRun } from '../execute/contract-run.js';
import { memberOf, slotValue } from '../execute/ids/id-slot.js';
import type { Call, Exchange } from '../types.js';
import { type Done, itemIn, itemMembers } from './done-action.js';
import { checkOnce, checkTooEarly } from './check-once.js';
import { type CrudContext, callOn, createItem, latestRead, readItem, isDone } from './crud-context.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most attempts of an operation; each refusal leads to another item. */
const MAX_TRIES = 2;

/** Checks that a change shown in the response to an operation on an item is also visible when the item is read. */
export async function checkActions(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  for (const operation of actionsOf(resource, run)) {
    const early = await actOnNew(run, resource, { creation, operation });
    if (early !== undefined) checkTooEarly(early, operation);
    const done = early ?? (await actOnReady(run, resource, operation));
    if (done === undefined) continue;
    const after = await compare(done, operation);
    if (after === undefined) continue;
    checkOutcome(done, operation, after);
    await checkOnce(done, operation, after);
  }
}

/** The operations that change an item in a special way, such as `/orders/{id}/confirm`, and show it. */
function actionsOf(
  { read, replace, patch, slots, create, creators }: Resource,
  run: Pick<ContractRun, 'options'>,
): Operation[] {
  if (read === undefined) return [];
  const known: ReadonlySet<Operation | undefined> = new Set([replace, patch, create, ...creators]);
  const shown = successSchema(read);
  return [...slots]
    .filter(([operation, slot]) => {
      const isInPath = slot.in === 'parameter' && slot.parameter.in === 'path';
      if (!isInPath || known.has(operation) || ['get', 'head', 'delete'].includes(operation.method)) return false;
      const after = operation.path.split(`{${slot.parameter.name}}`)[1] ?? '';
      return /^[/:][^/{}]+$/.test(after) && sharesMembers(successSchema(operation), shown, run.options.api);
    })
    .map(([operation]) => operation);
}

async function actOnNew(
  run: ContractRun,
  resource: Resource,
  { creation, operation }: { readonly creation: Call; readonly operation: Operation },
): Promise<Done | undefined> {
  const crud = await createItem(run, resource, creation);
  const call = crud === undefined ? undefined : await callOn(crud, operation);
  return crud === undefined || call === undefined ? undefined : act(crud, call);
}

/** Tries an operation on items in other states, because some operations refuse a new item. */
async function actOnReady(run: ContractRun, resource: Resource, operation: Operation): Promise<Done | undefined> {
  const base = await run.items.validCall(operation, 'stateful');
  const slot = resource.slots.get(operation);
  if (base === undefined || slot === undefined) return undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const call = await run.items.refreshIds(base, 'stateful');
    const id = slotValue(call, slot);
    const last = run.log.goodFrom(0, Infinity).at(-1);
    if (!isId(id) || last === undefined) return undefined;
    const done = await act({ run, resource, id, created: { call, exchange: last.exchange } }, call);
    if (done !== undefined) return done;
  }
  return undefined;
}

async function act(crud: CrudContext, call: Call): Promise<Done | undefined> {
  const before = await latestRead(crud);
  const exchange = await crud.run.client.sendValid(call);
  if (before?.status !== 200 || !isDone(exchange)) return undefined;
  return { crud, call, before, exchange };
}

async function compare({ crud, before, exchange }: Done, operation: Operation): Promise<Exchange | undefined> {
  const { run, resource } = crud;
  const [shown, was] = [exchange, before].map(({ json }) => itemIn(json, crud));
  if (shown === undefined || was === undefined) return undefined;
  const after = await readItem(crud);
  const is = after?.status === 200 ? itemIn(after.json, crud) : undefined;
  if (after === undefined || is === undefined || resource.read === undefined) return undefined;
  const lost = Object.keys(shown.item).find((name) => {
    const [old, now] = [memberOf(was.item, name), memberOf(is.item, name)];
    if (old === undefined || isServerTime(name) || typeof shown.item[name] === 'object') return false;
    return shown.item[name] !== old && now === old;
  });
  if (lost === undefined) return after;
  const pointer = appendPointer(is.pointer, lost);
  const reported = bodyAt(exchange, appendPointer(shown.pointer, lost));
  run.findings.expect('update is visible', same(bodyAt(after, pointer), reported), {
    cause: `${operation.id} ${pointer}`,
    message: `${operation.id} reports a new ${pointer}, but GET shows the old one.`,
    others: [exchange],
  });
  return undefined;
}

/** Checks that after `/trips/{id}/finish`, a member that can be `finished` has changed. */
function checkOutcome({ crud, call: { body }, before, exchange }: Done, operation: Operation, after: Exchange): void {
  // With a body, the action may be partial, such as the amount of a refund.
  if (body !== undefined) return;
  const { run, resource } = crud;
  const [was, is] = [before, after].map(({ json }) => itemIn(json, crud));
  if (was === undefined || is === undefined || resource.read === undefined) return;
  for (const [name, schema] of itemMembers(resource.read, is.pointer, run)) {
    const wanted = stateAfter({ schema }, operation.path, run.options.api);
    const now = memberOf(is.item, name);
    if (wanted === undefined || now === wanted || now !== memberOf(was.item, name)) continue;
    const pointer = appendPointer(is.pointer, name);
    run.findings.expect('update is visible', same(bodyAt(after, pointer), literalOf(wanted)), {
      cause: `${operation.id} ${pointer}`,
      message: `${operation.id} was accepted, but ${pointer} is still ${stringifyExactJson(now)}.`,
      others: [exchange],
    });
  }
}
