import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { makeCall } from '../cases/make-call.js';
import { problem } from '../checks/problem.js';
import { isObject, withId } from '../resources/resource.js';
import { membersOf, requiredMembers } from '../resources/schema-members.js';
import { idOf } from '../resources/item-ids.js';
import type { Call, CallBody, Exchange } from '../types.js';
import { checkListShows } from './item-listed.js';
import { type Life, callOn, isGood, readItem, reportDifferences, sentValue } from './life.js';

/** What was written is read. */
export async function checkUpdate(life: Life, operation: Operation | undefined): Promise<void> {
  const { run, resource } = life;
  const { read } = resource;
  if (operation === undefined || read === undefined) return;
  const base = await callOn(life, operation);
  for (const body of changesOf(life, operation)) {
    if (base === undefined) return;
    const call = onItem(life, { ...base, body });
    const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
    if (exchange === undefined || !isGood(exchange) || exchange.status === 202) continue;
    const after = await readItem(life);
    if (after?.status !== 200) return;
    const sent = sentValue(life, call);
    reportDifferences(life, 'update is visible', { sent, shownBy: read, exchange: after, cause: exchange });
    await checkListShows(life, { sent, cause: exchange });
    if (operation.method === 'patch') await checkUntouched(life, operation, base);
    return;
  }
}

/** All members at once, else those that are texts: members that depend on each other may not go together. */
function changesOf({ run }: Life, operation: Operation): CallBody[] {
  const full = [11, 12, 13].flatMap((seed) => {
    const made = makeCall(operation, { variant: 'full', seed: run.options.seed + seed }, run.context);
    return made?.body ?? [];
  });
  const required = requiredMembers(operation.body?.content[0]?.schema ?? true, run.options.api);
  const texts = full.slice(0, 2).flatMap((body) => {
    if (!isObject(body.value)) return [];
    const members = Object.entries(body.value).filter(
      ([name, value]) => required.has(name) || typeof value === 'string',
    );
    return [{ ...body, value: Object.fromEntries(members) }];
  });
  return [...full, ...texts];
}

function onItem({ resource, id }: Life, call: Call): Call {
  const slot = resource.slots.get(call.operation);
  return slot === undefined ? call : withId(call, slot, id);
}

/** A change of one member leaves the others as they were. */
async function checkUntouched(life: Life, operation: Operation, base: Call): Promise<void> {
  const { run, resource } = life;
  const before = await readItem(life);
  const full = makeCall(operation, { variant: 'full', seed: run.options.seed + 21 }, run.context)?.body;
  const entry = Object.entries((full?.value ?? {}) as Record<string, unknown>).find(
    ([, value]) => typeof value !== 'object',
  );
  if (full === undefined || entry === undefined || !isObject(before?.json) || resource.read === undefined) return;
  const call = { ...base, body: { ...full, value: Object.fromEntries([entry]) } };
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  if (exchange === undefined || !isGood(exchange) || exchange.status === 202 || after?.status !== 200) return;
  const known = membersOf(operation.body?.content[0]?.schema ?? true, run.options.api);
  const sent = Object.fromEntries(
    Object.entries(before.json).filter(
      ([name, value]) => known.has(name) && name !== entry[0] && !isTime(value, known.get(name)),
    ),
  );
  reportDifferences(life, 'update is visible', { sent, shownBy: resource.read, exchange: after, cause: exchange });
}

/** Times follow from other members, such as an end from a length. */
function isTime(value: unknown, schema: Schema | undefined): boolean {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return true;
  return typeof schema === 'object' && schema['x-expires'] !== undefined;
}

/** What a replacement leaves out is no longer there. */
export async function checkReplace(life: Life): Promise<void> {
  const { run, resource } = life;
  const { replace } = resource;
  if (replace === undefined) return;
  const before = await readItem(life);
  if (before?.status !== 200 || !isObject(before.json)) return;
  const base = await callOn(life, replace);
  const bare = makeCall(replace, { variant: 'minimal', seed: run.options.seed }, run.context)?.body;
  if (base === undefined || bare === undefined) return;
  const call = onItem(life, { ...base, body: bare });
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  if (exchange === undefined || !isGood(exchange) || after?.status !== 200) return;
  reportLeftovers(life, { call, before: before.json, after, exchange });
}

interface Replacement {
  readonly call: Call;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Exchange;
  readonly exchange: Exchange;
}

function reportLeftovers({ run, resource }: Life, { call, before, after, exchange }: Replacement): void {
  const writable = membersOf(call.operation.body?.content[0]?.schema ?? true, run.options.api);
  const now = isObject(after.json) ? after.json : {};
  for (const [name, was] of Object.entries(before)) {
    const schema = writable.get(name);
    const isLeftOut = schema !== undefined && !Object.hasOwn(call.body?.value as object, name);
    if (!isLeftOut || typeof was !== 'string' || was === '' || now[name] !== was) continue;
    if (typeof schema === 'object' && (schema.readOnly === true || schema.default !== undefined)) continue;
    if (idOf(before, resource.parameter) === was) continue;
    const found = problem('replace replaces', {
      cause: name,
      pointer: `/${name}`,
      message: `The replacement leaves out ${name}, but it is still there.`,
      expected: 'no such member, or its default',
      actual: JSON.stringify(was),
    });
    run.report(found, { call, phase: 'stateful' }, exchange);
  }
}
