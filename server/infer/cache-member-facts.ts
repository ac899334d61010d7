import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { type Member, membersOf } from '../../schema/facts/members.js';

/** Returns facts about the members of a schema. */
export type FactsOf<Fact> = (schema: Schema, api: Api) => readonly Fact[];

/** Finds facts about each member of a schema. The result is cached for each schema. */
export function perMember<Fact>(find: (member: Member, api: Api) => readonly Fact[]): FactsOf<Fact> {
  const known = new WeakMap<object, readonly Fact[]>();
  return (schema, api) => {
    if (typeof schema !== 'object') return [];
    return getOrInsert(known, schema, () =>
      [...membersOf(schema, api).values()].flatMap((member) => find(member, api)),
    );
  };
}
