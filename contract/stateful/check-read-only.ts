import { withoutExamples } from '../plan/without-examples.js';
import type { Schema } from '../../model/schema-types.js';
import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer, resolvePointer, splitPointer, toPointer } from '../../model/document/pointer.js';
import { successSchema } from '../../resources/success-response.js';
import { membersOf } from '../../schema/facts/members.js';
import { generateValue } from '../../schema/generate-value.js';
import { setAt, takeAt } from '../../schema/value-path.js';
import { isShownAs } from '../shown-as.js';
import { type Assertion, bodyAt, other, same, sentAt } from '../expectations/assertion.js';
import { isServerTime } from '../checks/is-comparable.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, CallBody, Exchange } from '../types.js';
import { itemPlace } from '../plan/call-body.js';
import { type CrudContext, callOn, createItem, latestRead, readItem, isDone } from './crud-context.js';

/** The most members that are sent one by one if a server refuses all of them together. */
const MAX_MEMBERS = 6;
/** The most levels of objects around a member. */
const MAX_DEPTH = 2;
/** Seeds of values to try until one differs from the item's. */
const SEEDS = [71, 72, 73, 74];

/** A read-only member with another value than the item's. */
interface FixedMember {
  /** Pointer in the response that shows the item. */
  readonly shownAt: string;
  /** Pointer in the body of the request. */
  readonly sentAt: string;
  readonly value: unknown;
}

/**
 * Checks that a change with read-only members leaves them unchanged (JSON Schema Validation 2020-12, 9.4). The server
 * may also refuse it.
 */
export async function checkReadOnlyChanges(crud: CrudContext): Promise<void> {
  const { patch, replace } = crud.resource;
  const operation = patch ?? replace;
  const base = operation === undefined ? undefined : await callOn(crud, operation);
  const before = base === undefined ? undefined : await latestRead(crud);
  if (base?.body === undefined || before?.status !== 200) return;
  const { body } = base;
  await eachAccepted({ body, members: fixedMembers(crud, body, before) }, async (changed, members) => {
    const call = { ...base, body: changed };
    const exchange = await crud.run.client.sendValid(call);
    if (!isDone(exchange)) return false;
    const after = await readItem(crud);
    if (after?.status !== 200) return true;
    const wrong = findTaken(members, before, after);
    if (wrong === undefined) return true;
    expectFixed(crud, wrong, {
      assertion: same(bodyAt(after, wrong.shownAt), bodyAt(before, wrong.shownAt)),
      exchange,
    });
    return true;
  });
}

/**
 * Checks that a creation with read-only members gets the server's values for them.
 *
 * @param before - an item of the same creation before any change.
 */
export async function checkReadOnlyCreation(crud: CrudContext, creation: Call, before: Exchange): Promise<void> {
  const { run, resource } = crud;
  if (creation.body === undefined || before.status !== 200) return;
  const { body } = creation;
  await eachAccepted({ body, members: fixedMembers(crud, body, before) }, async (changed, members) => {
    const made = await createItem(run, resource, { ...creation, body: changed });
    if (made === undefined) return false;
    const after = await latestRead(made);
    const wrong = after?.status === 200 ? findTaken(members, before, after) : undefined;
    if (after === undefined || wrong === undefined) return true;
    const { exchange } = made.created;
    const assertion = other(bodyAt(after, wrong.shownAt), sentAt(exchange, wrong.sentAt));
    expectFixed(made, wrong, { assertion, exchange, expected: 'a value of the server' });
    return true;
  });
}

/** Sends all members in one request. If it is refused, sends them one by one. */
async function eachAccepted(
  { body, members }: { readonly body: CallBody; readonly members: readonly FixedMember[] },
  send: (body: CallBody, members: readonly FixedMember[]) => Promise<boolean>,
): Promise<void> {
  const trySome = async (some: readonly FixedMember[]): Promise<boolean> => send(withMembers(body, some), some);
  if (members.length === 0 || (await trySome(members)) || members.length === 1) return;
  for (const member of members.slice(0, MAX_MEMBERS)) await trySome([member]);
}

/** The read-only members that an item shows, each with another valid value. */
function fixedMembers({ run, resource }: CrudContext, body: CallBody, before: Exchange): FixedMember[] {
  const { api } = run.options;
  const visit = (schema: Schema, pointer: string, depth: number): FixedMember[] =>
    [...membersOf(schema, api).values()].flatMap(({ name, schema: member, isReadOnly }) => {
      const shownAt = appendPointer(pointer, name);
      if (!isReadOnly) return depth < MAX_DEPTH ? visit(member, shownAt, depth + 1) : [];
      const value = isServerTime(name) ? undefined : otherValue(member, resolvePointer(before.json, shownAt), run);
      const sentAt = placeInBody(body, shownAt, api);
      const isFixed = value !== undefined && sentAt !== undefined && !isWritable(body, sentAt, api);
      return isFixed ? [{ shownAt, sentAt, value }] : [];
    });
  return visit(resource.read === undefined ? true : successSchema(resource.read), '', 0);
}

/** The place in a body of a member that a response shows. Either may have the item in an envelope. */
function placeInBody({ media, value }: CallBody, shownAt: string, api: Api): string | undefined {
  const place = itemPlace(media, api);
  const path = splitPointer(shownAt);
  const isEnclosed = place.length > 0 && place[0] !== path[0];
  const ways = isEnclosed ? [[...place, ...path]] : [path, path.slice(1)];
  const way = ways.find((one) => one.length > 0 && isRecord(takeAt(value, one.slice(0, -1))));
  return way === undefined ? undefined : toPointer(way);
}

/** Whether an operation can write a member that other operations only show, such as a state. */
function isWritable({ media }: CallBody, sentAt: string, api: Api): boolean {
  let schema = media.schema ?? true;
  let isFixed = true;
  for (const name of splitPointer(sentAt)) {
    const member = membersOf(schema, api).get(name);
    if (member === undefined) return false;
    schema = member.schema;
    isFixed = member.isReadOnly;
  }
  return !isFixed;
}

function otherValue(schema: Schema, was: unknown, { options: { api } }: ContractRun): unknown {
  if (!['string', 'number', 'boolean'].includes(typeof was)) return undefined;
  const plain = withoutExamples(schema);
  for (const seed of SEEDS) {
    const made = generateValue(api, plain, { direction: 'response', seed });
    if (made.ok && typeof made.value === typeof was && !isShownAs(made.value, was)) return made.value;
  }
  return undefined;
}

/** Adds the members to a body even if its schema forbids it: the server may refuse them. */
function withMembers({ media, value }: CallBody, members: readonly FixedMember[]): CallBody {
  const changed = members.reduce((made, { sentAt, value: own }) => setAt(made, splitPointer(sentAt), own), value);
  return { media, value: changed };
}

interface TakenMember extends FixedMember {
  readonly was: unknown;
  readonly now: unknown;
}

/** The first member that has taken the sent value. */
function findTaken(members: readonly FixedMember[], before: Exchange, after: Exchange): TakenMember | undefined {
  return members
    .map((member) => {
      const [was, now] = [before, after].map(({ json }) => resolvePointer(json, member.shownAt));
      return { ...member, was, now };
    })
    .find(({ value, was, now }) => isShownAs(value, now) && !isShownAs(was, now));
}

/** Expects that a read-only member has not taken the value of a request. */
function expectFixed(
  { run }: CrudContext,
  { sentAt: at }: TakenMember,
  {
    assertion,
    exchange,
    expected,
  }: { readonly assertion: Assertion; readonly exchange: Exchange; readonly expected?: string },
): void {
  run.findings.expect('read-only ignored', assertion, {
    cause: at,
    message: `${at} is read-only, but has the value that the request sent.`,
    ...(expected === undefined ? {} : { expected }),
    operation: run.log.find(exchange)?.sent.call.operation,
    others: [exchange],
  });
}
