import { finderOf } from '../../resources/resource-finder.js';
import { isSuccess } from '../../http/messages.js';
import { successSchema } from '../../resources/success-response.js';
import { isRecord, mapRecord } from '../../model/document/records.js';
import { isSameJson } from '../../model/exact-json.js';
import type { Resource } from '../../resources/resource.js';
import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { makeCall } from '../plan/build-request-values.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { IdValue, Value } from '../expectations/assertion.js';
import { findSource } from '../reproduction/capture.js';
import { type Id, createdIds, lastPartOf, namesAround } from '../../resources/extract-id.js';
import { writeCall } from '../execute/http/write-call.js';
import { pathValues, slotValue, withId, withPathValues } from '../execute/ids/id-slot.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { Call, CallBody, Exchange } from '../types.js';
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

/** The member of a body that has the id of the item which the call has created. */
export function sentIdMember({ body }: Call, id: Id): string | undefined {
  return Object.entries(body?.value ?? {}).find(([, value]) => lastPartOf(value) === lastPartOf(id))?.[0];
}

/** Finds the fullest generated creation that the server accepts. */
export async function findCreation(run: ContractRun, { create, read }: Resource): Promise<Call | undefined> {
  const base = create === undefined ? undefined : await run.items.validCall(create, 'stateful');
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
    const call = await run.items.refreshIds(lasting, 'stateful');
    const exchange = await run.client.sendValid(call);
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
  const ids = createdIds(exchange, resource);
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
    (await run.items.validCall(operation, 'stateful')) ??
    makeCall(operation, { variant: 'minimal', seed: 1 }, run.context);
  if (base === undefined || (slot === undefined && resource.kind === 'collection')) return undefined;
  const needed = [...base.parameters].filter(([parameter]) => parameter.required || parameter.in === 'path');
  const { exchange } = created;
  const shown = { item: exchange.json, location: exchange.headers.get('location') };
  const around = new Map([...pathValues(created.call), ...namesAround(id, shown, resource)]);
  const call = withPathValues({ ...base, parameters: new Map(needed) }, around);
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
  const call = await readingOf(crud);
  if (call === undefined) return undefined;
  const asked = headers === undefined ? call : { ...call, headers };
  return crud.run.client.sendValid(asked);
}

/** The last read of the item, if the run has changed nothing since; else reads it. */
export async function latestRead(crud: CrudContext): Promise<Exchange | undefined> {
  const { run } = crud;
  const call = await readingOf(crud);
  const request = call === undefined ? undefined : writeCall(call, run.options);
  const known = request === undefined ? undefined : run.log.unchangedRead(request);
  return known ?? (call === undefined ? undefined : run.client.sendValid(call));
}

async function readingOf(crud: CrudContext): Promise<Call | undefined> {
  const { read } = crud.resource;
  return read === undefined ? undefined : callOn(crud, read);
}

/** The item's id, and where the response to its creation shows it. */
export function idValue({ id, created: { exchange } }: CrudContext): IdValue {
  return { value: id, exchange, source: findSource(id, exchange) };
}

/** An id as the response to a creation shows it. */
export function createdId(id: Id, exchange: Exchange): Value {
  return { from: 'id', id: { value: id, exchange, source: findSource(id, exchange) } };
}

/** The item that was sent, in its envelope: without the inserted id, and without what is sent beside the envelope. */
export function sentValue(crud: CrudContext, call: Call): unknown {
  const { body } = call;
  const [envelope] = finderOf(crud.run.options.api).assign(call.operation)?.part.bodyEnvelope.path ?? [];
  if (envelope !== undefined && isRecord(body?.value) && Object.hasOwn(body.value, envelope))
    return { [envelope]: body.value[envelope] };
  const slot = crud.resource.slots.get(call.operation);
  if (slot?.in !== 'body' || slotValue(call, slot) === undefined) return body?.value;
  return Object.fromEntries(Object.entries(body?.value as object).filter(([name]) => name !== slot.name));
}

/** Whether a request was completed: a success other than 202, which only accepts it for later (RFC 9110, 15.3.3). */
export function isDone(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && isSuccess(exchange) && exchange.status !== 202;
}

/**
 * Whether two creations led to the same item by design, such as the only checkpoint of a file: the requests are the same,
 * and so are the responses, apart from times. So the second one overwrote nothing.
 */
export function isOneItem(one: CrudContext['created'], other: CrudContext['created']): boolean {
  if (!isSameJson(one.call.body?.value, other.call.body?.value)) return false;
  return isSameJson(withoutTimes(one.exchange.json), withoutTimes(other.exchange.json));
}

function withoutTimes(value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value)) return null;
  if (Array.isArray(value)) return value.map(withoutTimes);
  return isRecord(value) ? mapRecord(value, withoutTimes) : value;
}
