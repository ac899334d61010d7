import { isSuccess } from '../../http/messages.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { successSchema } from '../../resources/success-response.js';
import type { Resource } from '../../resources/resource.js';
import { foldName } from '../../resources/inflection.js';
import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { makeCall } from '../plan/build-request-values.js';
import { type ProblemText, problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type IdValue, type ListPlace, type Value, same, sent as sentIn, shown } from '../expectations/assertion.js';
import { findSource } from '../reproduction/capture.js';
import { type Id, createdIds, isId } from '../../resources/extract-id.js';
import { pathValues, slotValue, withId, withPathOf } from '../execute/ids/id-slot.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { Call, CallBody, CheckName, Exchange } from '../types.js';
import { type Difference, findDifferences } from '../expectations/compare-values.js';
import { withoutExpiry } from './expiry-values.js';
import { fillBody } from './maximal-body.js';

/** An item that a sequence of calls is about. */
export interface CrudContext {
  readonly run: ContractRun;
  readonly resource: Resource;
  readonly id: Id;
  /** The call that created the item, and its response. */
  readonly created: { readonly call: Call; readonly exchange: Exchange };
}

/** Finds the fullest generated creation that the server accepts. */
export async function findCreation(run: ContractRun, { create, read }: Resource): Promise<Call | undefined> {
  const base = create === undefined ? undefined : await run.base(create, 'stateful');
  if (base === undefined || read === undefined) return base;
  const { seed } = run.options;
  const accepts = async (body: CallBody): Promise<boolean> =>
    (await sendCreation(run, read, { ...base, body })) !== undefined;
  const body = await fillBody(base, { run, shownBy: read, seed, accepts });
  return body === undefined ? base : { ...base, body };
}

async function sendCreation(
  run: ContractRun,
  read: Operation | undefined,
  { body, ...creation }: Call,
): Promise<CrudContext['created'] | undefined> {
  const shown = read === undefined ? new Map<string, Schema>() : memberSchemas(successSchema(read), run.options.api);
  const lasting = { ...creation, ...(body === undefined ? {} : { body: withoutExpiry(body, shown, run) }) };
  // A conflict shows which ids are in use, or that the parent item is in the wrong state. The second attempt uses
  // others.
  for (let tries = 0; tries < 2; tries += 1) {
    const call = await run.ready(lasting, 'stateful');
    const exchange = await run.tryValid(call);
    if (exchange !== undefined && isSuccess(exchange)) return { call, exchange };
    if (exchange?.status !== 409 && !run.context.pool.avoidParents(call, exchange?.status)) return undefined;
  }
  return undefined;
}

/** Creates an item; `undefined` if the server accepts none that can be generated. */
export async function createItem(
  run: ContractRun,
  resource: Resource,
  creation: Call,
): Promise<CrudContext | undefined> {
  const created = await sendCreation(run, resource.read, creation);
  if (created === undefined) return undefined;
  const { exchange } = created;
  const ids = createdIds(exchange, resource.parameter, resource.read);
  const [first] = ids;
  if (first === undefined) return undefined;
  const crud = { run, resource, id: first, created };
  for (const id of ids) if ((await readItem({ ...crud, id }))?.status === 200) return { ...crud, id };
  return crud;
}

/** The call of an operation on the item, without optional values. */
export async function callOn(
  { run, resource, id, created }: CrudContext,
  operation: Operation,
): Promise<Call | undefined> {
  const slot = resource.slots.get(operation);
  const base =
    (await run.base(operation, 'stateful')) ?? makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (base === undefined || (slot === undefined && resource.kind === 'collection')) return undefined;
  const needed = [...base.parameters].filter(([parameter]) => parameter.required || parameter.in === 'path');
  const call = withPathOf({ ...base, parameters: new Map(needed) }, created.call);
  return slot === undefined ? call : withId(call, slot, id);
}

/** Whether an operation changes only the members that are sent: `PATCH`, and `POST` on the path of an item. */
export function changesPart({ patch, slots }: Resource, operation: Operation): boolean {
  if (operation.method === 'patch') return true;
  const slot = slots.get(operation);
  return operation === patch && slot?.in === 'parameter' && slot.parameter.in === 'path';
}

/** Reads the item; `undefined` if that is not possible. */
export async function readItem(crud: CrudContext, headers?: Call['headers']): Promise<Exchange | undefined> {
  const { read } = crud.resource;
  if (read === undefined) return undefined;
  const call = await callOn(crud, read);
  if (call === undefined) return undefined;
  const asked = headers === undefined ? call : { ...call, headers };
  return crud.run.tryValid(asked);
}

export interface Comparison {
  /** The written value. */
  readonly sent: unknown;
  /** Where the run sent a member of it. */
  readonly sentAt: (pointer: string) => Value;
  /** The operation that shows the item. */
  readonly shownBy: Operation;
  readonly exchange: Exchange;
  /** Other requests that matter besides those of the item. */
  readonly others?: readonly Exchange[];
  /** Where a list shows the item; absent if the whole response is the item. */
  readonly list?: { readonly place: ListPlace; readonly item: unknown };
}

/** If at least this many members are lost at once, they are reported as one problem. */
const MANY = 3;

/** Reports members that a response shows differently than they were written. Returns whether there were any. */
export function reportDifferences(crud: CrudContext, check: CheckName, comparison: Comparison): boolean {
  const { run, resource, created } = crud;
  const { sent, sentAt, shownBy, exchange, others = [], list } = comparison;
  const item = list === undefined ? exchange.json : list.item;
  if (sent === undefined) return false;
  const schema = successSchema(resource.read ?? shownBy);
  // In the path, the id itself is authoritative, so the body's copy is not compared.
  const inPath = new Set([...pathValues(created.call).keys(), resource.parameter].map(foldName));
  const differences = findDifferences(sent, item, { schema, api: run.options.api }).filter(
    ({ pointer, got }) =>
      pointer !== '' && !inPath.has(foldName(pointer.split('/').at(-1) ?? '')) && !isItsId(got, crud),
  );
  const problems = differences.length < MANY ? differences.map(differenceText) : [manyText(differences)];
  for (const text of problems) {
    const call = { operation: shownBy, parameters: new Map() };
    const left: Value =
      list === undefined
        ? { from: 'response', exchange, pointer: text.pointer }
        : { from: 'item', list: list.place, id: idValue(crud), pointer: text.pointer };
    const right = sentAt(text.pointer);
    const assertion = right.from === 'request' ? shown(left, right) : same(left, right);
    run.report(problem(check, text), { call, phase: 'stateful', assertion, others }, exchange);
  }
  return differences.length > 0;
}

/** Whether a value is the id that the path uses for the item, whatever was sent in a body. */
export function isItsId(shown: unknown, { id }: CrudContext): boolean {
  return isId(shown) && String(shown) === String(id);
}

type DifferenceText = ProblemText & { readonly pointer: string };

function differenceText({ pointer, sent, got }: Difference): DifferenceText {
  return {
    cause: pointer.replaceAll(/\/\d+/g, '/*'),
    pointer,
    message: `${pointer} is shown as something else than what was written.`,
    expected: stringifyExactJson(sent),
    actual: JSON.stringify(got) ?? 'nothing',
  };
}

function manyText(differences: readonly Difference[]): DifferenceText {
  const pointers = differences.map(({ pointer }) => pointer);
  return {
    cause: 'many',
    pointer: pointers[0] ?? '',
    message: `${listNames(pointers)} are shown as something else than what was written.`,
    expected: stringifyExactJson(Object.fromEntries(differences.map(({ pointer, sent }) => [pointer, sent]))),
    actual: JSON.stringify(Object.fromEntries(differences.map(({ pointer, got }) => [pointer, got ?? null]))),
  };
}

/** `a, b, c and 4 more`. */
export function listNames(names: readonly string[]): string {
  const rest = names.length - MANY;
  if (rest > 0) return `${names.slice(0, MANY).join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The item's id, and where the response to its creation shows it. */
export function idValue({ id, created: { exchange } }: CrudContext): IdValue {
  return { value: id, exchange, source: findSource(id, exchange) };
}

/** A value in the body of a request. */
export function inRequest(exchange: Exchange): (pointer: string) => Value {
  return (pointer) => sentIn(exchange, pointer);
}

/** A value in a response. */
export function inResponse(exchange: Exchange): (pointer: string) => Value {
  return (pointer) => ({ from: 'response', exchange, pointer });
}

/** The body that was sent for an item, without the inserted id. */
export function sentValue(crud: CrudContext, call: Call): unknown {
  const { body } = call;
  const slot = crud.resource.slots.get(call.operation);
  if (slot?.in !== 'body' || slotValue(call, slot) === undefined) return body?.value;
  return Object.fromEntries(Object.entries(body?.value as object).filter(([name]) => name !== slot.name));
}

/** Whether a request was completed: a success other than 202, which only accepts it for later (RFC 9110, 15.3.3). */
export function isDone(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && isSuccess(exchange) && exchange.status !== 202;
}
