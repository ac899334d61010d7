import { stringifyExactJson } from '../runtime/json-integers.js';
import type { Api } from '../model/api.js';
import { type Schema, type SchemaObject, refName } from '../model/schema-types.js';
import { decidingTags, unionTags } from './compile/union-tags.js';
import { isObjectSchema, membersOf } from './facts/members.js';
import { followRefs, holdingParts } from './facts/parts.js';

/** Longer lists of branches are not compared. */
const MOST_BRANCHES = 50;

/**
 * Why branches of a `oneOf` cannot be told apart: the usual value of one is valid for another one too, and the reverse,
 * so that `oneOf` refuses both. `undefined` if they can be, as far as this can be read.
 */
export function explainAlikeBranches({ oneOf = [], discriminator }: SchemaObject, api: Api): string | undefined {
  if (oneOf.length < 2 || oneOf.length > MOST_BRANCHES) return undefined;
  if (unionTags(oneOf, discriminator, api) !== undefined) return undefined;
  if (decidingTags(oneOf, discriminator, api) !== undefined) return undefined;
  for (const [index, one] of oneOf.entries()) {
    const other = oneOf.findIndex((branch, place) => place > index && areAlike(one, branch, api));
    if (other !== -1) return `${describe(oneOf, index)} and ${describe(oneOf, other)}${CURES}`;
  }
  return undefined;
}

const CURES =
  ' cannot be told apart: a value of one also fits the other, and oneOf refuses it. Give each a member with a const, or a required member that the other lacks, or use anyOf.';

function describe(branches: readonly Schema[], index: number): string {
  const branch = branches[index];
  const ref = typeof branch === 'object' ? branch.$ref : undefined;
  return ref === undefined ? `oneOf/${index}` : `oneOf/${index} (${refName(ref)})`;
}

function areAlike(one: Schema, other: Schema, api: Api): boolean {
  if (textOf(one, api) === textOf(other, api)) return true;
  return isObjectSchema(one, api) && isObjectSchema(other, api) && fits(one, other, api) && fits(other, one, api);
}

/** Whether an object with all members of one schema is valid for another one, as far as members tell. */
function fits(one: Schema, other: Schema, api: Api): boolean {
  const given = membersOf(one, api);
  const wanted = membersOf(other, api);
  const parts = holdingParts(other, api);
  if (parts.some(hasOtherRules)) return false;
  const isClosed = parts.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false);
  if (isClosed && [...given.keys()].some((name) => !wanted.has(name))) return false;
  const required = parts.flatMap((part) => part.required ?? []);
  if (required.some((name) => !given.has(name))) return false;
  return [...given.values()].every(({ name, schema }) => {
    const same = wanted.get(name);
    return same === undefined || textOf(schema, api) === textOf(same.schema, api);
  });
}

/** Whether an object schema has rules that are not about the names and values of its members. */
function hasOtherRules({ anyOf, oneOf, not, if: condition, const: fixed, enum: values }: SchemaObject): boolean {
  return [anyOf, oneOf, not, condition, fixed, values].some((rule) => rule !== undefined);
}

/** The rules of a schema, without its words. */
function textOf(schema: Schema, api: Api): string {
  const followed = followRefs(schema, api);
  if (followed === undefined) return stringifyExactJson(schema) ?? '';
  const { title: _title, description: _description, examples: _examples, ...rules } = followed;
  return stringifyExactJson(rules) ?? '';
}
