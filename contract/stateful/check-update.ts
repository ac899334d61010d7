import { isSuccess } from '../../http/messages.js';
import { isRecord } from '../../model/document/records.js';
import { successSchema } from '../../resources/success-response.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { makeCall } from '../plan/build-request-values.js';
import { isValidBody } from '../plan/call-body.js';
import { memberOf, withId } from '../execute/ids/id-slot.js';
import { type Value, bodyAt, literalOf, other, sentAt } from '../expectations/assertion.js';
import { acceptedOn } from '../reproduction/find-origin.js';
import { memberSchemas } from '../../schema/facts/members.js';
import { idOf } from '../../resources/extract-id.js';
import type { Call, CallBody, Exchange } from '../types.js';
import { isSame } from '../expectations/is-same.js';
import { isExpiry, withoutExpiry } from './expiry-values.js';
import { fillBody, varyBody } from './maximal-body.js';
import { checkListShows } from './check-list.js';
import { type CrudContext, callOn, changesPart, latestRead, readItem, sentValue, isDone } from './crud-context.js';
import { expectShown, listNames } from './expect-shown.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Checks that a change is visible when read. Returns the fullest change that the server has accepted. */
export async function checkUpdate(crud: CrudContext, operation: Operation | undefined): Promise<Call | undefined> {
  const { read } = crud.resource;
  const done = operation === undefined || read === undefined ? undefined : await makeChange(crud, operation, read);
  if (done === undefined || read === undefined) return undefined;
  const { call, exchange } = done;
  const after = await readItem(crud);
  if (after?.status !== 200) return call;
  const written = { value: sentValue(crud, call), by: exchange, from: 'request' } as const;
  const isVisible = expectShown(crud, 'update is visible', { ...written, exchange: after });
  // A change that is not visible in the read is not visible in lists either, for the same cause.
  if (isVisible) await checkListShows(crud, written);
  if (changesPart(crud.resource, call.operation)) await checkUntouched(crud, call);
  return call;
}

interface Change {
  readonly call: Call;
  readonly exchange: Exchange;
}

/** Changes as many members of the item as the server accepts. */
async function makeChange(crud: CrudContext, operation: Operation, read: Operation): Promise<Change | undefined> {
  const { run, resource } = crud;
  const seed = run.options.seed + 11;
  const base = await callOn(crud, operation);
  const made = base?.body ?? makeCall(operation, { variant: 'full', seed }, run.context)?.body;
  if (base === undefined || made === undefined) return undefined;
  const shown = memberSchemas(successSchema(read), run.options.api);
  const empty = { media: made.media, value: {} };
  const isOptional = base.body === undefined && isValidBody(empty, run.options.api);
  const body = isOptional ? empty : withoutExpiry(made, shown, run);
  const slot = resource.slots.get(operation);
  let done: Change | undefined;
  const accepts = async (changed: CallBody): Promise<boolean> => {
    const { call, exchange } = await sendChange(crud, { ...base, body: changed });
    if (!isDone(exchange)) return false;
    done = { call, exchange };
    return true;
  };
  const now = (await latestRead(crud))?.json;
  const idMember = slot?.in === 'body' ? { idMember: slot.name } : {};
  const filled = await fillBody({ ...base, body }, { run, shownBy: read, seed, now, accepts, ...idMember });
  if (filled === undefined) await accepts(body);
  return done;
}

/** Sends a change of the item. If another item has one of its values, repeats it with new unique values. */
export async function sendChange(
  crud: CrudContext,
  change: Call,
): Promise<{ readonly call: Call; readonly exchange: Exchange | undefined }> {
  const { run } = crud;
  const send = async (): Promise<{ readonly call: Call; readonly exchange: Exchange | undefined }> => {
    const call = onItem(crud, run.context.pool.withFreshIds(change));
    return { call, exchange: await run.client.sendValid(call) };
  };
  const first = await send();
  return first.exchange?.status === 409 ? send() : first;
}

function onItem({ resource, id }: CrudContext, call: Call): Call {
  const slot = resource.slots.get(call.operation);
  return slot === undefined ? call : withId(call, slot, id);
}

/** Checks that a change of one member leaves the others unchanged. */
async function checkUntouched(crud: CrudContext, changed: Call): Promise<void> {
  const { run, resource } = crud;
  const { operation, body } = changed;
  const before = await latestRead(crud);
  const varied = body === undefined ? undefined : varyBody(body, operation, { run, seed: run.options.seed + 21 });
  const entry = Object.entries((varied?.value ?? {}) as Record<string, unknown>).find(
    ([name, value]) => value !== memberOf(body?.value, name),
  );
  if (body === undefined || entry === undefined || !isRecord(before?.json) || resource.read === undefined) return;
  const call = { ...changed, body: { media: body.media, value: Object.fromEntries([entry]) } };
  const exchange = await run.client.sendValid(call);
  const after = await readItem(crud);
  if (!isDone(exchange) || after?.status !== 200) return;
  const known = memberSchemas(operation.body?.content[0]?.schema ?? true, run.options.api);
  const value = Object.fromEntries(
    Object.entries(before.json).filter(
      ([name, own]) =>
        known.has(name) &&
        name !== entry[0] &&
        (!isTime(own, known.get(name)) || isForgotten(memberOf(after.json, name), entry[1])),
    ),
  );
  const written = { value, by: before, from: 'response', exchange: after, others: [exchange] } as const;
  expectShown(crud, 'update is visible', written);
}

/**
 * Whether a time was lost by a write of another member. A new state may clear a time, but a number or a text of several
 * words hardly does.
 */
export function isForgotten(now: unknown, written: unknown): boolean {
  return (now === undefined || now === null) && (typeof written === 'number' || /\W/.test(String(written)));
}

/** Whether a value is a time, which may follow from other members, such as an end from a length. */
function isTime(value: unknown, schema: Schema | undefined): boolean {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return true;
  return isExpiry(schema);
}

/** Checks that a replacement removes the members that it omits. */
export async function checkReplace(crud: CrudContext): Promise<void> {
  const { run, resource } = crud;
  const { replace } = resource;
  if (replace === undefined) return;
  const before = await latestRead(crud);
  if (before?.status !== 200 || !isRecord(before.json)) return;
  const base = await callOn(crud, replace);
  const bare = makeCall(replace, { variant: 'minimal', seed: run.options.seed }, run.context)?.body;
  if (base === undefined || bare === undefined) return;
  const call = onItem(crud, { ...base, body: bare });
  const exchange = await run.client.sendValid(call);
  const after = await readItem(crud);
  if (exchange === undefined || !isSuccess(exchange) || after?.status !== 200) return;
  reportLeftovers(crud, { call, before, after, exchange });
}

interface Replacement {
  readonly call: Call;
  readonly before: Exchange;
  readonly after: Exchange;
  readonly exchange: Exchange;
}

/** The request that wrote a value that an item shows, else the value itself. */
function writtenAs({ run, id, created }: CrudContext, name: string, was: unknown): Value {
  const writes = acceptedOn(run, id, created.exchange).toReversed();
  const writer = writes.find((one) => isSame(was, memberOf(run.log.find(one)?.sent.call.body?.value, name)));
  const pointer = appendPointer('', name);
  return writer === undefined ? literalOf(was) : sentAt(writer, pointer);
}

/** Whether a value is unlikely to be set by the server itself. */
function isSetByClient(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '';
}

/** Texts that say that a change sets some members only: `Changes some settings`, `Partial update`. */
const CHANGES_SOME =
  /\bpartial(?:ly)?\b|\b(?:modif(?:y|ies)|updates?|changes?|sets?) (?:some|basic|only|the given|individual)\b/i;

function reportLeftovers(crud: CrudContext, { call, before, after, exchange }: Replacement): void {
  const { run, resource } = crud;
  const { summary = '', description = '' } = call.operation;
  if (CHANGES_SOME.test(`${summary}\n${description}`)) return;
  const writable = memberSchemas(call.operation.body?.content[0]?.schema ?? true, run.options.api);
  const now = isRecord(after.json) ? after.json : {};
  const earlier = isRecord(before.json) ? before.json : {};
  const left = Object.entries(earlier).filter(([name, was]) => {
    const schema = writable.get(name);
    const isLeftOut = schema !== undefined && !Object.hasOwn(call.body?.value as object, name);
    if (!isLeftOut || !isSetByClient(was) || !isSame(was, now[name])) return false;
    if (typeof schema === 'object' && (schema.readOnly === true || schema.default !== undefined)) return false;
    return idOf(earlier, resource) !== was;
  });
  const [first] = left;
  if (first === undefined) return;
  const [name, was] = first;
  const names = left.map(([one]) => one);
  const pointer = appendPointer('', name);
  run.findings.expect('replace replaces', other(bodyAt(after, pointer), writtenAs(crud, name, was)), {
    message: `PUT without ${listNames(names)} keeps the old ${names.length === 1 ? 'value' : 'values'}.`,
    expected: names.length === 1 ? 'no such member, or its default' : 'no such members, or their defaults',
    actual: stringifyExactJson(Object.fromEntries(left)),
    at: exchange,
  });
}
