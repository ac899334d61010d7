import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { keywordOf, membersOf } from '../schema/facts/members.js';
import { foldName } from './inflection.js';

/**
 * Matches descriptions of members with unique values. If unique only within something else, a value may occur again
 * elsewhere.
 */
const SAYS_UNIQUE = /\bmust be unique\b|\bunique (?:among|amongst|across)\b|\bis unique\b|^unique\b|\bunique\.?$/i;
const IS_SCOPED = /\b(?:per|within|for each|generated|assigned)\b|\bunique id/i;

/** Matches the description of a refusal because of a value that another item has. */
export const SAYS_TAKEN: RegExp = /taken|already|exists|duplicate|unique|in use/i;

/**
 * The members of an item that a creation calls unique: in the description of the member, or of the response 409 (`A user
 * with this email already exists.`).
 *
 * @param schema - of the item in the request.
 */
export function describedAsUnique({ responses }: Operation, schema: Schema, api: Api): string[] {
  const conflict = responses.find(({ status }) => status === '409')?.description ?? '';
  const words = new Set(SAYS_TAKEN.test(conflict) ? conflict.split(/[^\p{L}\p{N}_-]+/u).map(foldName) : []);
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }) => {
    const description = keywordOf(member, 'description', api) ?? '';
    const isSaid = SAYS_UNIQUE.test(description) && !IS_SCOPED.test(description);
    return isSaid || words.has(foldName(name)) ? [name] : [];
  });
}
