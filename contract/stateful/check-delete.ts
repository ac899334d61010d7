import { isSuccess } from '../../http/messages.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isSameJson } from '../../model/exact-json.js';
import { successSchema } from '../../resources/success-response.js';
import { memberSchemas } from '../../schema/facts/members.js';
import { isMadeByChange } from '../checks/is-comparable.js';
import { listPathOf, listedItems } from '../../resources/envelope.js';
import type { Operation } from '../../model/api.js';
import { bodyAt, good, refused, same } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';
import { checkListed } from './check-list.js';
import { type CrudContext, callOn, readItem, isDone } from './crud-context.js';

/** Checks that a deleted item cannot be read, changed or used, and is in no list. */
export async function checkDelete(crud: CrudContext): Promise<void> {
  const { run, resource } = crud;
  const { delete: removal, read } = resource;
  if (removal === undefined) return;
  // Built before the deletion: afterwards, a call would get another item, which may have the same id.
  const uses: (Call | undefined)[] = [];
  for (const operation of usesOf(crud)) uses.push(await callOn(crud, operation));
  const call = await callOn(crud, removal);
  const reading = read && (await callOn(crud, read));
  if (call === undefined) return;
  const before = reading && (await run.client.sendValid(reading));
  const exchange = await run.client.sendValid(call);
  if (!isDone(exchange)) return;
  const after = reading && (await run.client.sendValid(reading));
  // A server that only marks items still shows them.
  const isSoft = after !== undefined && isSuccess(after) && isChangedBy(exchange, before);
  if (isSoft) expectGoneOrShown(crud, after, exchange);
  else expectGone(crud, after, exchange);
  await checkListed(crud, exchange);
  for (const use of uses) {
    // What an item that is only marked as deleted allows is not known.
    if (use === undefined || (isSoft && !isRestore(use.operation))) continue;
    if ((await checkUse(crud, use, { removal: exchange, before })) === 'restored') return;
  }
}

/** Whether the response to a DELETE shows the item otherwise than before: a server may only mark it. */
function isChangedBy(removal: Exchange, before: Exchange | undefined): boolean {
  if (!isRecord(removal.json) || before?.status !== 200 || !isRecord(before.json)) return false;
  const deleted = removal.json;
  const isItem = Object.entries(before.json).some(([name, value]) => isSameJson(deleted[name], value));
  return isItem && !isSameJson(deleted, before.json);
}

/** Expects that an item cannot be read, or reads as its deletion showed it. */
function expectGoneOrShown({ run }: CrudContext, after: Exchange, removal: Exchange): void {
  run.findings.expect(
    'gone after delete',
    { expects: 'gone', exchange: after, removal },
    { message: 'GET still returns the item after DELETE.', at: removal },
  );
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

interface Deleted {
  readonly removal: Exchange;
  /** The item before its deletion. */
  readonly before: Exchange | undefined;
}

/** Checks that an operation on a deleted item is refused, unless it restores the item. */
async function checkUse(crud: CrudContext, use: Call, { removal, before }: Deleted): Promise<'restored' | undefined> {
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
    if (before?.status === 200 && restored.status === 200) expectRestored(crud, { before, restored, removal, again });
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

interface Restored {
  readonly before: Exchange;
  readonly restored: Exchange;
  readonly removal: Exchange;
  /** The response to the restoration. */
  readonly again: Exchange;
}

/** Expects that a restored item is as before its deletion, apart from what each change sets. */
function expectRestored(crud: CrudContext, { before, restored, removal, again }: Restored): void {
  const { read } = crud.resource;
  if (read === undefined || !isRecord(before.json)) return;
  const { api } = crud.run.options;
  const members = memberSchemas(successSchema(read), api);
  for (const [name, value] of Object.entries(before.json)) {
    const schema = members.get(name);
    if (schema === undefined || isRecord(value) || isMadeByChange(name, value, { schema, api })) continue;
    const pointer = appendPointer('', name);
    crud.run.findings.expect('update is visible', same(bodyAt(restored, pointer), bodyAt(before, pointer)), {
      cause: `restored ${name}`,
      message: `The restored item shows another ${pointer} than before its deletion.`,
      others: [removal, again],
    });
  }
}

/** The operations on an item other than reading and deleting it. */
function usesOf({ resource }: CrudContext): Operation[] {
  const { read, delete: removal, slots, name } = resource;
  const isCollection = name.includes('{');
  return [...slots]
    .filter(([operation, slot]) => {
      if (operation === read || operation === removal || mayCreate(operation)) return false;
      // Other places may only reference an id, which a server need not check.
      return !isCollection || (slot.in === 'parameter' && slot.parameter.in === 'path');
    })
    .map(([operation]) => operation)
    .sort((one, other) => Number(isRestore(one)) - Number(isRestore(other)));
}

/** Whether a PUT may create the item that it names (RFC 9110, 9.3.4): the spec does not say that it must exist. */
function mayCreate({ method, responses }: Operation): boolean {
  return method === 'put' && responses.every(({ status }) => status !== '404' && status !== '410');
}

const RESTORES = /restore|undelete|recover|reactivate|unarchive|untrash|revive/i;

/** Whether an operation restores deleted items, by its path. */
export function isRestore({ path }: Operation): boolean {
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
