import type { Api, Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer, splitPointer } from '../../model/document/pointer.js';
import type { Schema } from '../../model/schema-types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { foldName } from '../../resources/inflection.js';
import { updateMaskOf } from '../../resources/update-mask.js';
import { keywordOf, membersOf, requiredMembers } from '../../schema/facts/members.js';
import { successSchema } from '../../resources/success-response.js';
import {
  type Evidence,
  bodyAt,
  evidenceFor,
  literalOf,
  present,
  sentAt,
  shown as shownAsSent,
} from '../expectations/assertion.js';
import { problemsOf, unmet } from '../expectations/unmet.js';
import type { CallBody, Case, Exchange } from '../types.js';
import { orderOf } from '../shown-as.js';
import { isComparable, isCondition, mayShowForNull, isServerTime, isSetByServer } from './is-comparable.js';
import type { Problem } from './problem.js';

/** The effect of an operation on the item in its body. */
export type WriteKind = 'create' | 'replace' | 'patch';

interface Comparison {
  readonly api: Api;
  readonly kind: WriteKind;
  readonly pointer: string;
  /** Pointer to the item in the response. */
  readonly envelope: string;
  /** Names of path parameters. The path identifies the item, so members with these names are not compared. */
  readonly inPath: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** Whether a place of the body becomes the id of the item. An empty one means that the server makes it. */
  readonly isOwnId: (place: readonly string[]) => boolean;
  readonly exchange: Exchange;
  readonly evidence: Evidence;
}

const MAX_DEPTH = 5;

/** What a check of a written item knows besides the call. */
type WrittenContext = Pick<Comparison, 'api' | 'kind'> & Partial<Pick<Comparison, 'isOwnId'>>;

/**
 * Checks that the response to an accepted write shows what was written: each member that request and response share,
 * and the default of each omitted member.
 */
export function checkWritten(
  { call, expectation }: Case,
  exchange: Exchange,
  { api, kind, isOwnId = () => false }: WrittenContext,
): Problem[] {
  const { body, operation } = call;
  const isWritten = [200, 201, 202].includes(exchange.status);
  if (!isWritten || expectation.kind !== 'valid' || body === undefined || body.raw !== undefined) return [];
  // With an update mask, only the members that it names are written.
  const mask = updateMaskOf(operation, api);
  if (mask !== undefined && call.parameters.get(mask) !== undefined) return [];
  const sent = body.value;
  const shown = openEnvelope(body, exchange.json, api);
  if (!isRecord(sent) || !isRecord(shown) || body.media.schema === undefined) return [];
  const member = envelopeOf(exchange.json, shown);
  const envelope = member === undefined ? '' : appendPointer('', member);
  const shownAs = responseSchema(operation, member, api);
  return compareMembers(
    { sent, shown, schema: body.media.schema, shownAs },
    {
      api,
      kind,
      isOwnId,
      pointer: '',
      inPath: pathNames(operation),
      ids: pathValues(call),
      envelope,
      exchange,
      evidence: evidenceFor(call),
    },
  );
}

function pathNames({ parameters }: Operation): ReadonlySet<string> {
  return new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => foldName(name)));
}

function pathValues({ parameters }: Case['call']): ReadonlySet<string> {
  return new Set([...parameters].flatMap(([one, value]) => (one.in === 'path' ? String(value) : [])));
}

function responseSchema(operation: Operation, member: string | undefined, api: Api): Schema {
  const whole = successSchema(operation);
  return member === undefined ? whole : (membersOf(whole, api).get(member)?.schema ?? true);
}

/**
 * Returns the only object in a response body instead of the body itself if it has more of the members that were sent or
 * can be sent.
 */
export function openEnvelope({ media, value: sent }: CallBody, json: unknown, api: Api): unknown {
  if (!isRecord(sent) || !isRecord(json)) return json;
  const [inner, ...others] = Object.values(json).filter(isRecord);
  if (inner === undefined || others.length > 0) return json;
  const names = new Set([...membersOf(media.schema ?? true, api).keys(), ...Object.keys(sent)]);
  const count = (item: Readonly<Record<string, unknown>>): number =>
    [...names].filter((name) => Object.hasOwn(item, name) && isAsSent(sent[name], item[name])).length;
  return count(inner) > count(json) ? inner : json;
}

/** A scalar may be shown inside an object: `{ certificate: 'PEM…' }` as `{ certificate: { certificate: 'PEM…' } }`. */
function isAsSent(sent: unknown, shown: unknown): boolean {
  return sent === undefined || sent === null || !isRecord(shown) || isRecord(sent);
}

/** The member of a response that has the item, if the item is not the whole body. */
export function envelopeOf(json: unknown, shown: unknown): string | undefined {
  return json === shown || !isRecord(json) ? undefined : Object.keys(json).find((one) => json[one] === shown);
}

interface Sides {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly schema: Schema;
  readonly shownAs: Schema;
}

function compareMembers({ sent, shown, schema, shownAs }: Sides, context: Comparison): Problem[] {
  const { api, kind, pointer, inPath } = context;
  if (pointer.split('/').length > MAX_DEPTH) return [];
  const shownMembers = membersOf(shownAs, api);
  const required = requiredMembers(shownAs, api);
  // If the body itself is a map, no schema says how it is shown. In an inner map, null may remove a key.
  const lost =
    pointer !== '' && isMap(schema, api)
      ? Object.keys(sent).find((key) => sent[key] !== null && !Object.hasOwn(shown, key))
      : undefined;
  if (lost !== undefined) return [lostKey(lost, { sent, shown }, context)];
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }): Problem[] => {
    const at = appendPointer(pointer, name);
    if (
      !Object.hasOwn(shown, name) ||
      isOwn(member, api) ||
      isServerTime(name) ||
      isCondition(name) ||
      inPath.has(foldName(name))
    )
      return [];
    if (!Object.hasOwn(sent, name))
      return kind === 'patch' ? [] : checkDefault(at, keywordOf(member, 'default', api), context);
    const [value, own] = [sent[name], shown[name]];
    const ownSchema = shownMembers.get(name)?.schema ?? true;
    if (mayShowForNull(value, own, { schema: ownSchema, isRequired: required.has(name), api })) return [];
    if (value === '' && context.isOwnId(splitPointer(at))) return [];
    if (!isComparable(value, ownSchema, api) || (typeof own === 'string' && context.ids.has(own))) return [];
    if (isRecord(value) && isRecord(own)) {
      const inner = { sent: value, shown: own, schema: member, shownAs: ownSchema };
      return compareMembers(inner, { ...context, pointer: at });
    }
    // Lost digits have a check of their own, which sends such a number on purpose. Some databases cannot store NUL.
    if (isRecord(value) || typeof value === 'bigint' || (typeof value === 'string' && value.includes('\u0000')))
      return [];
    return checkShown(at, [member, ownSchema], context);
  });
}

/** @param schemas - those of the member in the request and in the response. */
function checkShown(
  at: string,
  schemas: readonly [Schema, Schema],
  { api, exchange, envelope, evidence }: Comparison,
): Problem[] {
  const assertion = shownAsSent(bodyAt(exchange, `${envelope}${at}`), sentAt(exchange, at), orderOf(schemas[0], api));
  return problemsOf('written as sent', assertion, evidence, () => ({
    cause: at,
    message: `The response shows another value for \`${at}\` than the request sent.`,
    ...(schemas.some((schema) => isSetByServer(schema, api)) ? { severity: 'note' } : {}),
  }));
}

/** Whether an object is a map: members with any name and a documented value schema, such as metadata. */
function isMap(schema: Schema, api: Api): boolean {
  const inner = keywordOf(schema, 'additionalProperties', api);
  return typeof inner === 'object' && membersOf(schema, api).size === 0;
}

function lostKey(
  key: string,
  { sent, shown }: Pick<Sides, 'sent' | 'shown'>,
  { pointer, envelope, exchange, evidence }: Comparison,
): Problem {
  const assertion = present(bodyAt(exchange, `${envelope}${appendPointer(pointer, key)}`));
  return unmet('written as sent', assertion, evidence, {
    cause: `${pointer} key`,
    pointer: `${envelope}${pointer}`,
    message: `${appendPointer(pointer, key)} was sent but is missing in the response.`,
    expected: stringifyExactJson(sent),
    actual: stringifyExactJson(shown),
  });
}

/** Whether a member is set by the server, never shown, or binary. */
function isOwn(schema: Schema, api: Api): boolean {
  return (
    keywordOf(schema, 'readOnly', api) === true ||
    keywordOf(schema, 'writeOnly', api) === true ||
    ['binary', 'byte', 'password'].includes(keywordOf(schema, 'format', api) ?? '')
  );
}

function checkDefault(at: string, wanted: unknown, { exchange, envelope, evidence }: Comparison): Problem[] {
  if (wanted === undefined || isRecord(wanted)) return [];
  const assertion = shownAsSent(bodyAt(exchange, `${envelope}${at}`), literalOf(wanted));
  return problemsOf('default value', assertion, evidence, () => ({
    cause: at,
    message: `The default of ${at} is not applied.`,
  }));
}
