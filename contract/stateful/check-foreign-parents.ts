import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import type { Resource, Slot } from '../../resources/resource.js';
import { refused } from '../expectations/assertion.js';
import { withId } from '../execute/ids/id-slot.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, callOn, createItem, isDone, latestRead, readItem } from './crud-context.js';
import { varyBody } from './maximal-body.js';

/** An item, its parent, and another item of the same kind as the parent. */
export interface Parents {
  readonly parent: Resource;
  readonly own: CrudContext;
  readonly other: CrudContext;
}

/**
 * Checks that an item cannot be read, changed or deleted below another parent than its own. The parent in the path may
 * be any item around it, such as the repository of a comment on an issue.
 */
export async function checkForeignParents(child: CrudContext, parents: Parents): Promise<void> {
  const { read, patch, replace, delete: removal } = child.resource;
  if (read !== undefined) await checkForeignRead(child, await foreignCall(child, read, parents));
  const change = patch ?? replace;
  if (change !== undefined && read !== undefined)
    await checkForeignChange(child, await foreignCall(child, change, parents));
  if (removal !== undefined) await checkForeignRemoval(child, removal, await foreignCall(child, removal, parents));
}

/** The call of an operation on an item below another parent; `undefined` if its path names no other one. */
async function foreignCall(
  child: CrudContext,
  operation: Operation,
  { parent, own, other }: Parents,
): Promise<Call | undefined> {
  const call = await callOn(child, operation);
  if (call === undefined) return undefined;
  const slot = parent.slots.get(operation) ?? slotWithId(call, own);
  const isOwn = slot === child.resource.slots.get(operation);
  if (slot !== undefined) return isOwn ? undefined : withId(call, slot, other.id);
  return belowOtherAncestor(child, call);
}

/** The same call below another item of the nearest kind that its path names: not the parent itself, but around it. */
async function belowOtherAncestor(child: CrudContext, call: Call): Promise<Call | undefined> {
  const { run, resource } = child;
  const around = run.context.pool.resources
    .filter((one) => {
      const slot = one.slots.get(call.operation);
      return one.name !== resource.name && slot?.in === 'parameter' && slot.parameter.in === 'path';
    })
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  const slot = around?.slots.get(call.operation);
  const creation = around?.create === undefined ? undefined : await run.items.validCall(around.create, 'stateful');
  const other = around === undefined || creation === undefined ? undefined : await createItem(run, around, creation);
  if (slot === undefined || other === undefined) return undefined;
  const below = await callOn(other, call.operation);
  const own = resource.slots.get(call.operation);
  return below === undefined || own === undefined ? undefined : withId({ ...call, ...below }, own, child.id);
}

/** The parameter of a path that has the id of an item, whatever its name: `owner` for an organisation. */
function slotWithId({ parameters }: Call, { id }: CrudContext): Slot | undefined {
  const found = [...parameters].filter(([one, value]) => one.in === 'path' && String(value) === String(id));
  return found.length === 1 && found[0] !== undefined ? { in: 'parameter', parameter: found[0][0] } : undefined;
}

/** Sends a call that should be refused. Returns its response if it is not. */
async function sendForeign({ run }: CrudContext, call: Call): Promise<Exchange | undefined> {
  const exchange = await run.client.send({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  return exchange !== undefined && isSuccess(exchange) ? exchange : undefined;
}

async function checkForeignRead(child: CrudContext, foreign: Call | undefined): Promise<void> {
  const exchange = foreign === undefined ? undefined : await sendForeign(child, foreign);
  if (exchange === undefined) return;
  child.run.findings.expect('belongs to parent', refused(exchange), {
    cause: 'read',
    message: 'An item that was created below one parent can be read below another one.',
    expected: '404',
  });
}

/** A change below another parent that is accepted may have created an item there, so the item itself is read. */
async function checkForeignChange(child: CrudContext, foreign: Call | undefined): Promise<void> {
  const { run } = child;
  const before = foreign?.body === undefined ? undefined : await latestRead(child);
  if (foreign?.body === undefined || before?.status !== 200) return;
  const body = varyBody(foreign.body, foreign.operation, { run, seed: run.options.seed + 97 });
  const exchange = body === undefined ? undefined : await sendForeign(child, { ...foreign, body });
  const after = isDone(exchange) ? await readItem(child) : undefined;
  if (exchange === undefined || after?.status !== 200 || after.text === before.text) return;
  run.findings.expect('belongs to parent', refused(exchange), {
    cause: 'change',
    message: 'An item that was created below one parent can be changed below another one.',
    expected: '404',
  });
}

/** To delete what is not there may be no error, so the deletion of the item itself is tried, too. */
async function checkForeignRemoval(child: CrudContext, removal: Operation, foreign: Call | undefined): Promise<void> {
  const own = await callOn(child, removal);
  const exchange = foreign === undefined || own === undefined ? undefined : await sendForeign(child, foreign);
  if (own === undefined || exchange === undefined) return;
  const again = await child.run.client.send({ phase: 'stateful', call: own, expectation: { kind: 'valid' } });
  if (again?.status !== 404 && again?.status !== 410) return;
  child.run.findings.expect('belongs to parent', refused(exchange), {
    cause: 'delete',
    message: 'An item that was created below one parent can be deleted below another one.',
    expected: '404',
  });
}
