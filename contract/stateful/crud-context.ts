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
import type { IdValue, ListPlace, Value } from '../reproduction/assertion.js';
import { findSource } from '../reproduction/capture.js';
import { type Id, createdIds, isId } from '../../resources/extract-id.js';
import { pathValues, slotValue, withId, withPathOf } from '../execute/ids/id-slot.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { Call, CallBody, CheckName, Exchange } from '../types.js';
import { type Difference, findDifferences } from './compare-values.js';
import { withoutExpiry } from './expiry-values.js';
import { fillBody } from './maximal-body.js';

/** The state of a sequence for one item. */
export interface CrudContext {
  readonly run: ContractRun;
  readonly resource: Resource;
  readonly id: Id;
  /** The call that created it, and its response. */
  readonly created: { readonly call: Call; readonly exchange: Exchange };
}

/** The fullest creation that the server takes, as far as one can be made up. */
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
  // A conflict tells which ids are taken, or that the item around has another state: the second time there are others.
  for (let tries = 0; tries < 2; tries += 1) {
    const call = await run.ready(lasting, 'stateful');
    const exchange = await run.tryValid(call);
    if (exchange !== undefined && isSuccess(exchange)) return { call, exchange };
    if (exchange?.status !== 409 && !run.context.pool.avoidParents(call, exchange?.status)) return undefined;
  }
  return undefined;
}

/** Creates an item; `undefined` where the server takes none that can be made up. */
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
  const life = { run, resource, id: first, created };
  for (const id of ids) if ((await readItem({ ...life, id }))?.status === 200) return { ...life, id };
  return life;
}

/** The call of an operation on the item: what may be left out is left out. */
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

/** Whether an operation changes the members that are sent and no others: `PATCH`, and `POST` on the path of an item. */
export function changesPart({ patch, slots }: Resource, operation: Operation): boolean {
  if (operation.method === 'patch') return true;
  const slot = slots.get(operation);
  return operation === patch && slot?.in === 'parameter' && slot.parameter.in === 'path';
}

/** Reads the item; `undefined` where it cannot be read. */
export async function readItem(life: CrudContext, headers?: Call['headers']): Promise<Exchange | undefined> {
  const { read } = life.resource;
  if (read === undefined) return undefined;
  const call = await callOn(life, read);
  if (call === undefined) return undefined;
  const asked = headers === undefined ? call : { ...call, headers };
  return life.run.tryValid(asked);
}

export interface Comparison {
  /** The members that were written. */
  readonly sent: unknown;
  /** Where a member of them is in the exchanges of the run. */
  readonly sentAt: (pointer: string) => Value;
  /** The operation that shows the item, and what it shows. */
  readonly shownBy: Operation;
  readonly exchange: Exchange;
  /** Requests that matter beside those of the item. */
  readonly others?: readonly Exchange[];
  /** Where it shows the item, if not as the whole response. */
  readonly list?: { readonly place: ListPlace; readonly item: unknown };
}

/** So many members that are lost at once are lost for one reason. */
const MANY = 3;

/** Reports what a response shows as something else than what was written, and says whether there was any. */
export function reportDifferences(life: CrudContext, check: CheckName, comparison: Comparison): boolean {
  const { run, resource, created } = life;
  const { sent, sentAt, shownBy, exchange, others = [], list } = comparison;
  const shown = list === undefined ? exchange.json : list.item;
  if (sent === undefined) return false;
  const schema = successSchema(resource.read ?? shownBy);
  // The body repeats the id of the path.
  const inPath = new Set([...pathValues(created.call).keys(), resource.parameter].map(foldName));
  const differences = findDifferences(sent, shown, { schema, api: run.options.api }).filter(
    ({ pointer, got }) =>
      pointer !== '' && !inPath.has(foldName(pointer.split('/').at(-1) ?? '')) && !isItsId(got, life),
  );
  const problems = differences.length < MANY ? differences.map(differenceText) : [manyText(differences)];
  for (const text of problems) {
    const call = { operation: shownBy, parameters: new Map() };
    const left: Value =
      list === undefined
        ? { from: 'response', exchange, pointer: text.pointer }
        : { from: 'item', list: list.place, id: idValue(life), pointer: text.pointer };
    const claim = { expects: 'same', left, right: sentAt(text.pointer) } as const;
    run.report(problem(check, text), { call, phase: 'stateful', claim, others }, exchange);
  }
  return differences.length > 0;
}

/** Whether a value is the id by which the path names the item, whatever a body says that it is. */
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

/** The id of the item, as the response to its creation shows it. */
export function idValue({ id, created: { exchange } }: CrudContext): IdValue {
  return { value: id, exchange, source: findSource(id, exchange) };
}

/** A value in the body of a request. */
export function inRequest(exchange: Exchange): (pointer: string) => Value {
  return (pointer) => ({ from: 'request', exchange, pointer });
}

/** A value in a response. */
export function inResponse(exchange: Exchange): (pointer: string) => Value {
  return (pointer) => ({ from: 'response', exchange, pointer });
}

/** The body that was sent for an item, without its inserted id. */
export function sentValue(life: CrudContext, call: Call): unknown {
  const { body } = call;
  const slot = life.resource.slots.get(call.operation);
  if (slot?.in !== 'body' || slotValue(call, slot) === undefined) return body?.value;
  return Object.fromEntries(Object.entries(body?.value as object).filter(([name]) => name !== slot.name));
}

/** Whether a request was done when its response came: success, but not accepted for later (RFC 9110, 15.3.3). */
export function isDone(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && isSuccess(exchange) && exchange.status !== 202;
}
