import { successSchema } from '../../resources/success-response.js';
import { isRecord } from '../../model/document/records.js';
import type { Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { generateValue } from '../../schema/generate-value.js';
import { makeCall } from '../plan/build-request-values.js';
import { isValidBody, itemPlace } from '../plan/call-body.js';
import type { ContractRun } from '../execute/contract-run.js';
import { memberOf } from '../execute/ids/id-slot.js';
import { isOneSided, memberSchemas } from '../../schema/facts/members.js';
import { setAt, takeAt } from '../../schema/value-path.js';
import type { Call, CallBody } from '../types.js';
import { farExpiry, isExpiry } from './expiry-values.js';
import { isSameJson } from '../../model/exact-json.js';

/** The most requests spent on finding what a server accepts. */
const MAX_TRIES = 24;
/** Matches names of texts for which servers may have rules that no schema states. */
export const RULED: RegExp =
  /ur[il]|link|mail|phone|mobile|date|time|zone|lang|locale|culture|country|currency|colou?r|type|code|key/i;

export interface Filling {
  readonly run: ContractRun;
  /** The operation that shows the written members. Others are not written. */
  readonly shownBy: Operation;
  readonly seed: number;
  /** The current value; written values must differ from it. */
  readonly now?: unknown;
  /** The member with the item's id. */
  readonly idMember?: string;
  /** Sends the write with a body, and returns whether it was done. */
  readonly accepts: (body: CallBody) => Promise<boolean>;
}

/** A member that a body can have, with values to try, the best first. */
interface Member {
  readonly name: string;
  readonly values: readonly unknown[];
}

/**
 * Extends an accepted body by as many distinctive members as the server accepts; `undefined` if it accepts none. A
 * member that is never written is never seen to be lost, but members that depend on each other may not be accepted
 * together.
 */
export async function fillBody(call: Call, filling: Filling): Promise<CallBody | undefined> {
  const { body } = call;
  if (body === undefined || body.raw !== undefined || !isRecord(body.value)) return undefined;
  const start = body.value;
  let left = MAX_TRIES;
  let taken: CallBody | undefined;
  const take = async (members: readonly Member[], choice: number): Promise<boolean> => {
    const known = taken === undefined ? start : (taken.value as typeof start);
    const value = { ...known, ...Object.fromEntries(members.map(({ name, values }) => [name, values[choice]])) };
    const fuller = { media: body.media, value };
    if (left === 0 || !isValidBody(fuller, filling.run.options.api)) return false;
    left -= 1;
    const isTaken = await filling.accepts(fuller);
    if (isTaken) taken = fuller;
    return isTaken;
  };
  const add = async (members: readonly Member[]): Promise<void> => {
    if (members.length === 0 || (await take(members, 0))) return;
    const choices = members.length === 1 ? (members[0]?.values.length ?? 0) : 0;
    for (let choice = 1; choice < choices; choice += 1) if (await take(members, choice)) return;
    if (members.length === 1) return;
    const half = Math.ceil(members.length / 2);
    await add(members.slice(0, half));
    await add(members.slice(half));
  };
  await add(findMembers(call.operation, { ...body, value: start }, filling));
  return taken;
}

/** Members to add to a body, and values to replace defaults with: a lost default would go unnoticed. */
function findMembers(
  operation: Operation,
  body: CallBody & { readonly value: Readonly<Record<string, unknown>> },
  { run, shownBy, seed, now, idMember }: Filling,
): Member[] {
  const { api } = run.options;
  const shown = memberSchemas(successSchema(shownBy), api);
  const seeds = [seed, seed + 1];
  const wholes = seeds.map((one) => makeCall(operation, { variant: 'full', seed: one }, run.context)?.body?.value);
  return [...memberSchemas(body.media.schema ?? true, api)].flatMap(([name, schema]): Member[] => {
    const shownAs = shown.get(name);
    if (name === idMember || shownAs === undefined || isOneSided(shownAs, api) || isOneSided(schema, api)) return [];
    const fallback = typeof schema === 'object' ? schema.default : undefined;
    const isNew = (value: unknown): boolean =>
      value !== undefined && ['', null, fallback, memberOf(now, name)].every((one) => !isSameJson(one, value));
    if (isNew(memberOf(body.value, name))) return [];
    const values = wholes
      .map((whole, index) => memberOf(whole, name) ?? makeMember(name, schema, { run, seed: seeds[index] ?? seed }))
      .map((value) => (isExpiry(shownAs) ? farExpiry(shownAs, value) : value))
      .map((value) => (typeof value === 'string' && !isNew(value) && !RULED.test(name) ? textOf(seed) : value))
      .filter((value) => isNew(value) && isValidBody({ ...body, value: { ...body.value, [name]: value } }, api));
    return values.length === 0 ? [] : [{ name, values }];
  });
}

/** Generates a value for one member alone: for a difficult schema, a body with all members may not be found. */
function makeMember(name: string, schema: Schema, { run, seed }: Pick<Filling, 'run' | 'seed'>): unknown {
  const only = { type: 'object', properties: { [name]: schema }, required: [name] } as const;
  const made = generateValue(run.options.api, only, { direction: 'request', seed, variant: 'full' });
  return made.ok ? memberOf(made.value, name) : undefined;
}

/** A text in mixed case that is unlikely to be a default. */
function textOf(seed: number): string {
  return `Specmill Kept ${seed}`;
}

/** Returns an accepted body with another value for one of its members, which the server should accept as well. */
export function varyBody(
  body: CallBody,
  operation: Operation,
  { run, seed, idMember }: Pick<Filling, 'run' | 'seed' | 'idMember'>,
): CallBody | undefined {
  const made = makeCall(operation, { variant: 'full', seed }, run.context)?.body?.value;
  const place = itemPlace(body.media, run.options.api);
  const item = takeAt(body.value, place);
  for (const [name, was] of Object.entries(isRecord(item) ? item : {})) {
    if (name === idMember || typeof was === 'object') continue;
    const other = memberOf(takeAt(made, place), name);
    const values = [typeof was === 'string' && !RULED.test(name) ? textOf(seed) : undefined, other];
    for (const value of values) {
      const varied = { media: body.media, value: setAt(body.value, [...place, name], value) };
      if (typeof value === typeof was && value !== was && isValidBody(varied, run.options.api)) return varied;
    }
  }
  return undefined;
}
