import { isIdName } from '../../resources/id-likeness.js';
import type { Api } from '../../model/api.js';
import { isRecord, setMember } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { foldName, wordsOf } from '../../resources/inflection.js';
import { hasNumber, keywordOf, type Member, typesOf, type FactsOf, perMember } from '../../schema/facts/members.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { sampleValue } from '../../schema/sample-value.js';
import { isNamedLikeLink, isSelfLink, itemPathOf, toAbsolute } from './item-links.js';
import { type Item, seedFrom, textOrEmpty } from './json-path.js';
import { valueAtPath } from '../../model/document/pointer.js';
import { uniqueEtag } from './etags.js';
import type { Scope } from './request-context.js';

/** What a time member records: the creation of the item, or its last change. */
export type TimeKind = 'created' | 'updated';

const CREATED: ReadonlySet<string> = new Set([
  'created',
  'creation',
  'create',
  'inserted',
  'insert',
  'added',
  'uploaded',
]);
const UPDATED: ReadonlySet<string> = new Set(['updated', 'update', 'modified', 'modification', 'changed', 'edited']);
/** Words that may surround them without changing the meaning: `lastModifiedTime`, `date_created`. */
const AROUND: ReadonlySet<string> = new Set([
  'at',
  'on',
  'time',
  'date',
  'timestamp',
  'last',
  'utc',
  'datetime',
  'ms',
  'millis',
]);

/** Returns what a time member records, by its name: `createdAt`, `creation_time`, `lastModifiedTime`. */
export function timeKindOf({ name, schema }: Member, api: Api): TimeKind | undefined {
  const words = wordsOf(name).filter((word) => !AROUND.has(word));
  const [word] = words;
  if (words.length !== 1 || word === undefined) return undefined;
  const kind = CREATED.has(word) ? 'created' : UPDATED.has(word) ? 'updated' : undefined;
  return kind !== undefined && canBeTime(schema, api) ? kind : undefined;
}

function canBeTime(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return types.has('string') || hasNumber(types);
}

/** Returns a writer of times in a member's format: ISO 8601, a date, or seconds or milliseconds as number or text. */
export function timeWriterOf({ name, schema }: Member, api: Api): (now: number) => unknown {
  const types = typesOf(schema, api);
  const format = keywordOf(schema, 'format', api);
  if (types.has('string')) {
    if (format === 'date') return (now) => new Date(now).toISOString().slice(0, 10);
    if (format !== 'int64' && !isDigits(schema, api)) return (now) => new Date(now).toISOString();
  }
  const unit = isInMilliseconds(name, schema, api) ? 1 : 1000;
  return (now) => (types.has('string') ? String(Math.floor(now / unit)) : Math.floor(now / unit));
}

function isDigits(schema: Schema, api: Api): boolean {
  return /^\^\[?(\\d|0-9|1-9)/.test(keywordOf(schema, 'pattern', api) ?? '');
}

function isInMilliseconds(name: string, schema: Schema, api: Api): boolean {
  const description = keywordOf(schema, 'description', api) ?? '';
  if (/ms$|millis/i.test(name) || /\bms\b|millisecond/i.test(description)) return true;
  const shown = (keywordOf(schema, 'examples', api) ?? []).map(Number);
  return keywordOf(schema, 'format', api) === 'int64' && typesOf(schema, api).has('string')
    ? true
    : shown.some((value) => value > 1e11);
}

/** How a server sets a member, judged by its name and schema. */
export interface MemberFacts {
  readonly member: Member;
  readonly time: TimeKind | undefined;
  readonly writeTime: (now: number) => unknown;
  readonly isEtag: boolean;
  readonly isNamedLikeLink: boolean;
  /** The only value that the member can have. */
  readonly constant: unknown;
  readonly firstState: unknown;
  /** Whether the member describes a later event in the life of an item, or is deprecated. */
  readonly isLater: boolean;
  readonly isId: boolean;
  readonly isCount: boolean;
  readonly isPerson: boolean;
  readonly isNullable: boolean;
  readonly isText: boolean;
  readonly isNested: boolean;
}

/** Events that have not happened to a new item, so their times and reasons are absent. */
const LATER_EVENTS =
  /^(deleted|delete|removed|archived|cancel\w*|closed|completed|ended|expire\w*|expiration|expiry|failed|failure|error|finished|revoked|suspended|disabled|locked|merged|used|read|seen|last|previous|next)$/;

/** Members for the creator of an item, who is known from the start even if the member is nullable. */
const PEOPLE = /^(user|owner|author|creator|actor|created_?by)$/i;

export const memberFacts: FactsOf<MemberFacts> = perMember((member, api) => [findFacts(member, api)]);

function findFacts(member: Member, api: Api): MemberFacts {
  const { name, schema } = member;
  const types = typesOf(schema, api);
  const values = keywordOf(schema, 'enum', api) ?? [];
  const isNested = types.has('object') || types.has('array');
  return {
    member,
    time: timeKindOf(member, api),
    writeTime: timeWriterOf(member, api),
    isEtag: foldName(name) === 'etag',
    isNamedLikeLink: isNamedLikeLink(name),
    constant: keywordOf(schema, 'const', api) ?? (values.length === 1 ? values[0] : undefined) ?? undefined,
    firstState: firstState(values),
    isLater: keywordOf(schema, 'deprecated', api) === true || wordsOf(name).some((word) => LATER_EVENTS.test(word)),
    isId: isIdName(name),
    isCount: !isNested && /^(num|total)|count$/i.test(name),
    isPerson: PEOPLE.test(name),
    isNullable: types.has('null'),
    isText: types.has('string'),
    isNested,
  };
}

/** Returns the first enum value that is not a later event, because enums are mostly in the order of an item's life. */
function firstState(values: readonly unknown[]): unknown {
  const states = values.filter((value) => value !== null && !/unspecified|unknown/i.test(textOrEmpty(value)));
  return states.find((value) => !LATER_EVENTS.test(wordsOf(textOrEmpty(value))[0] ?? '')) ?? states[0];
}

/**
 * Fills the members that a server sets: times, etag, links to the item, constants, and read-only or required members.
 */
export function fillServiceMembers(item: Item, scope: Scope, key: string): Item {
  const { api } = scope.call;
  let made: unknown;
  const sample = (): Item => {
    made ??= sampleValue(api, scope.core.schema, seedFrom(key))?.value;
    return isRecord(made) ? made : {};
  };
  const filled: Record<string, unknown> = { ...item };
  for (const facts of memberFacts(scope.core.schema, api)) {
    if (Object.hasOwn(item, facts.member.name)) continue;
    const value = serviceValue(facts, scope, { key, sample, item });
    if (value !== undefined) setMember(filled, facts.member.name, value);
  }
  return filled;
}

interface Filling {
  readonly key: string;
  /** Makes a valid item. Called only when needed, because it is slow. */
  readonly sample: () => Item;
  readonly item: Item;
}

function serviceValue(facts: MemberFacts, scope: Scope, { sample, key, item }: Filling): unknown {
  const { clock, random } = scope.call;
  const { member } = facts;
  if (facts.time !== undefined) return facts.writeTime(clock.now());
  if (facts.isEtag) return uniqueEtag(random);
  if (facts.isNamedLikeLink && isSelfLink(member, scope)) return toAbsolute(scope.call, itemPathOf(scope, item, key));
  if (facts.constant !== undefined) return facts.constant;
  if (!member.isRequired && (!member.isReadOnly || facts.isLater)) return undefined;
  return (facts.isId ? freshId(facts, scope) : undefined) ?? plainValue(facts, sample);
}

/** Makes a value for an additional id, such as the `id` of an issue whose path has its number. */
function freshId({ member }: MemberFacts, { call: { api, random } }: Scope): unknown {
  const validate = compileValidator(api, member.schema, { direction: 'response' });
  const candidates = [random.uuid(), random.integer(1, 0x7fffffff), String(random.integer(1, 0x7fffffff))];
  return candidates.find((candidate) => validate(candidate).length === 0);
}

/** Returns a simple initial value. Leaves out optional objects and lists, because a new item has no data for them. */
function plainValue(
  { member, isNullable, isPerson, isNested, isCount, isText, firstState }: MemberFacts,
  sample: () => Item,
): unknown {
  if (member.isRequired && isNullable && !isPerson) return null;
  if (!member.isRequired && isNested) return undefined;
  if (firstState !== undefined) return firstState;
  if (isCount) return isText ? '0' : 0;
  return valueAtPath(sample(), [member.name]);
}
