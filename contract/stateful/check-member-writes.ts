import { getOrInsert } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { appendPointer, resolvePointer, splitPointer, toPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { boundaryValues } from '../../schema/boundary-values.js';
import { keywordOf, membersOf, requiredMembers } from '../../schema/facts/members.js';
import { envelopeOf, openEnvelope } from '../checks/check-written.js';
import { isShownAs, orderOf } from '../shown-as.js';
import { bodyAt, same, sentAt, shown as shownAt } from '../expectations/assertion.js';
import { successSchema } from '../../resources/success-response.js';
import { isComparable, isCondition, mayShowForNull, isServerTime, isVersion } from '../checks/is-comparable.js';
import { makeCall } from '../plan/build-request-values.js';
import { isValidBody, itemPlace, writeAt } from '../plan/call-body.js';
import type { Call, CallBody, Exchange } from '../types.js';
import { type CrudContext, callOn, changesPart, latestRead, readItem, isDone } from './crud-context.js';
import { isItsId, noteOrder } from './expect-shown.js';
import { expectNewTag } from './check-etags.js';
import { isForgotten, sendChange } from './check-update.js';
import { isExpiry } from './expiry-values.js';

/** The most writes to one item by one operation. */
const MAX_WRITES = 36;
/** The most writes of one member. */
const MAX_EDGES = 4;
/** The edges that servers most often store wrongly, the likeliest first. */
const WORST_EDGES = ['null', 'zero', 'minItems', 'minLength', 'boolean', 'non-ASCII', 'enum', 'maximum', 'maxLength'];

/** A member of a body with a value at an edge of its schema. */
interface MemberWrite {
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Writes each member of an item separately, with the values that are most often lost. Reads the item after each write
 * and checks that the member has its new value and the others have not changed.
 *
 * @param fullChange - a change that fills as many members as possible: missing members cannot be lost.
 */
export async function checkMemberWrites(
  crud: CrudContext,
  operation: Operation | undefined,
  fullChange?: Call,
): Promise<void> {
  if (operation === undefined || crud.resource.read === undefined) return;
  const base = await callOn(crud, operation);
  const full = makeCall(operation, { variant: 'full', seed: crud.run.options.seed + 61 }, crud.run.context)?.body;
  if (base?.body === undefined || full === undefined || full.media !== base.body.media) return;
  const writes = crud.run.context.inTime(() => planWrites(full, base, crud));
  if (fullChange !== undefined && fullChange.operation === operation) await sendChange(crud, fullChange);
  let before = await latestRead(crud);
  for (const write of writes) {
    const body = changesPart(crud.resource, operation) ? onlyMember(base, write, crud) : wholeBody(base.body, write);
    if (body === undefined || !isValidBody(body, crud.run.options.api) || before?.status !== 200) continue;
    const exchange = await crud.run.client.send({
      phase: 'stateful',
      call: { ...base, body },
      expectation: { kind: 'valid' },
    });
    if (!isDone(exchange)) continue;
    const after = await readItem(crud);
    if (after?.status !== 200) return;
    expectWritten(crud, { operation, write, body, exchange, before, after });
    expectNewTag(crud, { before, after, change: exchange });
    before = after;
  }
}

/** Picks some values of each member, so that no member is left out. */
function planWrites(full: CallBody, base: Call, { run, resource }: CrudContext): MemberWrite[] {
  const { api } = run.options;
  const schema = full.media.schema ?? true;
  const slot = resource.slots.get(base.operation);
  const references = new Set(run.context.pool.references.of(base.operation).map(({ path }) => path.join('/')));
  const byMember = new Map<string, MemberWrite[]>();
  for (const edge of rankEdges(boundaryValues(schema, full.value, { api, direction: 'request' }))) {
    const path = splitPointer(edge.pointer);
    const isInList = path.some((name) => /^\d+$/.test(name));
    const isId = (slot?.in === 'body' && path[0] === slot.name) || references.has(path.join('/'));
    const value = resolvePointer(edge.value, edge.pointer);
    // An example may have members that only the server sets.
    const isOwn = path.some((_, index) => isReadOnlyAt(schema, path.slice(0, index + 1), api));
    // Servers often treat an empty text as a missing one.
    if (path.length === 0 || isInList || isId || isOwn || value === undefined || value === '' || isRecord(value))
      continue;
    const known = getOrInsert(byMember, edge.pointer, () => []);
    if (known.length < MAX_EDGES) known.push({ pointer: edge.pointer, value });
  }
  const lists = [...byMember.values()];
  const rounds = Array.from({ length: MAX_EDGES }, (_, round) => lists.flatMap((list) => list[round] ?? []));
  return rounds.flat().slice(0, Math.min(MAX_WRITES, run.options.maxExamples));
}

function rankEdges<Edge extends { readonly edge: string }>(edges: readonly Edge[]): Edge[] {
  const rank = (edge: string): number => (WORST_EDGES.includes(edge) ? WORST_EDGES.indexOf(edge) : WORST_EDGES.length);
  return edges.filter(({ edge }) => WORST_EDGES.includes(edge)).sort((one, other) => rank(one.edge) - rank(other.edge));
}

/** A body with the members that every change needs, and this one. */
function onlyMember(base: Call, { pointer, value }: MemberWrite, { run }: CrudContext): CallBody | undefined {
  const { body, operation } = base;
  const minimal = makeCall(operation, { variant: 'minimal', seed: 1 }, run.context)?.body;
  if (body === undefined) return undefined;
  const withIds = run.context.pool.references.withOwnId({
    ...base,
    body: { media: body.media, value: minimal?.value ?? {} },
  });
  return { media: body.media, value: writeAt(withIds.body?.value, splitPointer(pointer), value) };
}

function wholeBody(body: CallBody, { pointer, value }: MemberWrite): CallBody {
  return { media: body.media, value: writeAt(body.value, splitPointer(pointer), value) };
}

interface DoneWrite {
  readonly operation: Operation;
  readonly write: MemberWrite;
  readonly body: CallBody;
  readonly exchange: Exchange;
  readonly before: Exchange;
  readonly after: Exchange;
}

function expectWritten(crud: CrudContext, done: DoneWrite): void {
  const { write, body, after, before, exchange, operation } = done;
  const { api } = crud.run.options;
  const shown = readShown(openEnvelope(body, after.json, api), after.json, write.pointer);
  const was = readShown(openEnvelope(body, before.json, api), before.json, write.pointer);
  const { read } = crud.resource;
  const place = splitPointer(shown.pointer);
  const shownAs = read === undefined ? true : schemaAt(successSchema(read), place, api);
  const around = read === undefined ? true : schemaAt(successSchema(read), place.slice(0, -1), api);
  const isRequired = requiredMembers(around, api).has(place.at(-1) ?? '');
  // A server need not store members that it never shows, nor values that the response does not allow.
  const isShown =
    isComparable(write.value, shownAs, api) &&
    !mayShowForNull(write.value, shown.value, { schema: shownAs, isRequired, api }) &&
    (shown.value !== undefined || (was.value !== undefined && write.value !== null));
  if (isItsId(shown.value, crud) || isServerTime(write.pointer) || isCondition(write.pointer)) return;
  const order = orderOf(schemaAt(body.media.schema ?? true, splitPointer(write.pointer), api), api);
  const assertion = shownAt(bodyAt(after, shown.pointer), sentAt(exchange, write.pointer), order);
  const told = { cause: write.pointer, message: `${write.pointer} differs from what was written.` };
  if (isShown && !crud.run.findings.expect('update is visible', assertion, told)) return;
  if (isShown && !isShownAs(write.value, shown.value, 'kept')) noteOrder(crud.run, after, shown.pointer);
  if (changesPart(crud.resource, operation)) expectOthersUntouched(crud, done);
}

/** Expects that a patch of one member leaves the others as they were. */
function expectOthersUntouched(crud: CrudContext, { write, body, exchange, before, after }: DoneWrite): void {
  const was = openEnvelope(body, before.json, crud.run.options.api);
  const is = openEnvelope(body, after.json, crud.run.options.api);
  // Only merge patches (RFC 7396) and JSON:API require that an object keeps its omitted members.
  const isMerged = /merge-patch|vnd\.api\+json/i.test(body.media.mediaType);
  for (const pointer of writablePointers(body, crud)) {
    if (`${write.pointer}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${write.pointer}/`)) continue;
    if (resolvePointer(body.value, pointer) !== undefined) continue;
    if (!isMerged && topOf(pointer, body, crud) === topOf(write.pointer, body, crud)) continue;
    const [old, now] = [resolvePointer(was, pointer), resolvePointer(is, pointer)];
    if (old === undefined || isRecord(old) || isShownAs(old, now)) continue;
    if (typeof old === 'string' && isTime(old) && !isForgotten(now, write.value)) continue;
    if (isVersion(pointer) || isReadOnly(pointer, crud)) continue;
    const at = shownPointer(pointer, after.json, is);
    const isUntouched = crud.run.findings.expect('update is visible', same(bodyAt(after, at), bodyAt(before, at)), {
      cause: `others ${pointer}`,
      message: `Writing ${write.pointer} alone changed ${pointer}.`,
      others: [exchange],
    });
    if (!isUntouched) return;
  }
}

/** Whether the response describes a member as read-only, which may change with any write. */
function isReadOnly(pointer: string, { resource: { read }, run }: CrudContext): boolean {
  const { api } = run.options;
  return read !== undefined && isReadOnlyAt(successSchema(read), splitPointer(pointer), api);
}

function isReadOnlyAt(schema: Schema, path: readonly string[], api: Api): boolean {
  return keywordOf(schemaAt(schema, path, api), 'readOnly', api) === true;
}

/** The schema of a member at any depth. */
function schemaAt(schema: Schema, path: readonly string[], api: Api): Schema {
  return path.reduce((at, name) => membersOf(at, api).get(name)?.schema ?? true, schema);
}

/** The top member of the item that contains a place. The item may be the only member of the body. */
function topOf(pointer: string, { media }: CallBody, { run }: CrudContext): string {
  return toPointer(splitPointer(pointer).slice(0, itemPlace(media, run.options.api).length + 1));
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text);
}

/** Pointers to the members that a body can have, down to those that are not objects. */
function writablePointers({ media }: CallBody, { run: { options } }: CrudContext): string[] {
  const { api } = options;
  const visit = (schema: Schema, pointer: string, depth: number): string[] =>
    [...membersOf(schema, api).values()].flatMap(({ name, schema: member }) => {
      const at = appendPointer(pointer, name);
      if (keywordOf(member, 'readOnly', api) === true || isExpiry(member)) return [];
      const inner = depth < 3 && membersOf(member, api).size > 0 ? visit(member, at, depth + 1) : [];
      return inner.length > 0 ? inner : [at];
    });
  return visit(media.schema ?? true, '', 0);
}

function readShown(
  item: unknown,
  json: unknown,
  pointer: string,
): { readonly value: unknown; readonly pointer: string } {
  return { value: resolvePointer(item, pointer), pointer: shownPointer(pointer, json, item) };
}

/** The pointer to an item's member in a response that may have an envelope. */
function shownPointer(pointer: string, json: unknown, item: unknown): string {
  const name = envelopeOf(json, item);
  return name === undefined ? pointer : `${appendPointer('', name)}${pointer}`;
}
