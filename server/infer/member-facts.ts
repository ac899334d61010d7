import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { isNamedLikeLink } from './item-links.js';
import { textOf } from './json-path.js';
import { foldName, splitWords } from '../../resources/inflection.js';
import { type Member, keywordOf, membersOf, typesOf } from '../../resources/schema-members.js';
import { type TimeKind, timeKindOf } from './time-members.js';

/** What the name and the schema of a member say about how a service sets it. */
export interface MemberFacts {
  readonly member: Member;
  readonly time: TimeKind | undefined;
  readonly isEtag: boolean;
  readonly isNamedLikeLink: boolean;
  /** The only value that it can have, or the first state of a thing. */
  readonly constant: unknown;
  readonly firstState: unknown;
  /** Tells of something that has not happened to a new thing, or counts for nothing any more. */
  readonly isLater: boolean;
  readonly isId: boolean;
  readonly isCount: boolean;
  readonly isPerson: boolean;
  readonly isNullable: boolean;
  readonly isText: boolean;
  readonly isNested: boolean;
}

/** Events that have not happened to a new thing, so the times and reasons of them are absent. */
const LATER_EVENTS =
  /^(deleted|delete|removed|archived|cancel\w*|closed|completed|ended|expire\w*|expiration|expiry|failed|failure|error|finished|revoked|suspended|disabled|locked|merged|used|read|seen|last|previous|next)$/;

/** Who made a thing: known from the start, even where it may be null. */
const PEOPLE = /^(user|owner|author|creator|actor|created_?by)$/i;

const caches = new WeakMap<object, readonly MemberFacts[]>();

/** The facts about all members of a schema, found out once. */
export function memberFacts(schema: Schema, api: Api): readonly MemberFacts[] {
  if (typeof schema !== 'object') return [];
  const known = caches.get(schema);
  if (known !== undefined) return known;
  const facts = [...membersOf(schema, api).values()].map((member) => findFacts(member, api));
  caches.set(schema, facts);
  return facts;
}

function findFacts(member: Member, api: Api): MemberFacts {
  const { name, schema } = member;
  const types = typesOf(schema, api);
  const values = keywordOf(schema, 'enum', api) ?? [];
  const isNested = types.has('object') || types.has('array');
  return {
    member,
    time: timeKindOf(member, api),
    isEtag: foldName(name) === 'etag',
    isNamedLikeLink: isNamedLikeLink(name),
    constant: keywordOf(schema, 'const', api) ?? (values.length === 1 ? values[0] : undefined) ?? undefined,
    firstState: firstState(values),
    isLater: keywordOf(schema, 'deprecated', api) === true || splitWords(name).some((word) => LATER_EVENTS.test(word)),
    isId: /^(_?id|uuid|guid)$/i.test(name),
    isCount: !isNested && /^(num|total)|count$/i.test(name),
    isPerson: PEOPLE.test(name),
    isNullable: types.has('null'),
    isText: types.has('string'),
    isNested,
  };
}

/** Enums are mostly in the order of a life: the first that is no end of it. */
function firstState(values: readonly unknown[]): unknown {
  const states = values.filter((value) => value !== null && !/unspecified|unknown/i.test(textOf(value)));
  return states.find((value) => !LATER_EVENTS.test(splitWords(textOf(value))[0] ?? '')) ?? states[0];
}
