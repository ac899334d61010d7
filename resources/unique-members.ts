import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { keywordOf, membersOf } from '../schema/facts/members.js';
import { foldName, toSingular } from './inflection.js';
import { nounOf } from './path-template.js';

/**
 * Matches descriptions of members with unique values. If unique only within something else, a value may occur again
 * elsewhere.
 */
const SAYS_UNIQUE = /\bmust be unique\b|\bunique (?:among|amongst|across)\b|\bis unique\b|^unique\b|\bunique\.?$/i;
const IS_SCOPED =
  /\b(?:per|within|for each|generated|assigned)\b|\bunique id|\bunique (?:for|in|to) (?:the|a|an|its|every|this)\b/i;
/** Matches what a member identifies: "Unique code used to identify the add-on." */
const IDENTIFIES = /\bidentif(?:y|ies|ying) (?:the|a|an) ([\p{L}-]+)/iu;

/** Matches the description of a refusal because of a value that another item has. */
export const SAYS_TAKEN: RegExp = /taken|already|exists|duplicate|unique|in use/i;

/**
 * The members of an item that a creation calls unique: in the description of the member, or of the response 409 (`A user
 * with this email already exists.`).
 *
 * @param schema - of the item in the request.
 */
export function describedAsUnique({ responses, path }: Operation, schema: Schema, api: Api): string[] {
  const conflict = responses.find(({ status }) => status === '409')?.description ?? '';
  const words = new Set(SAYS_TAKEN.test(conflict) ? conflict.split(/[^\p{L}\p{N}_-]+/u).map(foldName) : []);
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }) => {
    const description = keywordOf(member, 'description', api) ?? '';
    const isSaid =
      SAYS_UNIQUE.test(description) && !IS_SCOPED.test(description) && !isOfAnother(name, description, path);
    return isSaid || words.has(foldName(name)) ? [name] : [];
  });
}

/** Whether a member has the code of another item: the `add_on_code` of `/fixed_charges` identifies an add-on. */
function isOfAnother(name: string, description: string, path: string): boolean {
  const other = foldName(IDENTIFIES.exec(description)?.[1] ?? '');
  const own = foldName(toSingular(nounOf({ collectionPath: path })));
  return other !== '' && other !== own && foldName(name).startsWith(other);
}
