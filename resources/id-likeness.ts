import type { Api } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { hasNumber, keywordOf, typesOf } from '../schema/facts/members.js';
import type { NamedId } from './id-locations.js';

/** Whether hardly any item has a member of this name for something else than its id. */
export function isIdName(name: string): boolean {
  return /^(?:_?id|uid|uuid|guid)$/i.test(name);
}

/**
 * How much a member looks like a parameter: the same named schema, example or pattern counts most, a format or a text
 * that many members may share least.
 */
export function likeness(member: Schema, parameter: NamedId, api: Api): number {
  const signs: readonly (readonly [rank: number, isAlike: boolean])[] = [
    [8, refOf(member) !== undefined && refOf(member) === refOf(parameter.schema)],
    [8, sharesExample(member, parameter, api)],
    [4, isSameKeyword(member, parameter.schema, 'pattern', api)],
    [2, isDescribedAs(member, parameter, api)],
    [1, isSameKeyword(member, parameter.schema, 'format', api)],
  ];
  return signs.reduce((sum, [rank, isAlike]) => sum + (isAlike ? rank : 0), 0);
}

/** Whether two schemas may both be numbers, or both be texts. */
export function isSameType(one: Schema, other: Schema, api: Api): boolean {
  const [first, second] = [isNumeric(one, api), isNumeric(other, api)];
  return first === undefined || second === undefined || first === second;
}

function isNumeric(schema: Schema, api: Api): boolean | undefined {
  const types = typesOf(schema, api);
  const [isNumber, isText] = [hasNumber(types), types.has('string')];
  return isNumber === isText ? undefined : isNumber;
}

function refOf(schema: Schema): string | undefined {
  if (typeof schema !== 'object') return undefined;
  return schema.$ref ?? (schema.allOf?.length === 1 ? refOf(schema.allOf[0] ?? true) : undefined);
}

function isSameKeyword(one: Schema, other: Schema, key: 'pattern' | 'format', api: Api): boolean {
  const wanted = keywordOf(one, key, api);
  return wanted !== undefined && wanted === keywordOf(other, key, api);
}

/** Whether the description of a member is that of a parameter, or its first paragraph or sentence. */
export function isDescribedAs(member: Schema, { schema, description }: NamedId, api: Api): boolean {
  const own = foldText(keywordOf(member, 'description', api));
  if (own === '') return false;
  const isSaid = (text: string): boolean =>
    text === own || (own.length > SHORT_TEXT && text.startsWith(own) && /^(?:\.\s|\n)/.test(text.slice(own.length)));
  return [description, keywordOf(schema, 'description', api)].map(foldText).some(isSaid);
}

/** A shorter text may begin the descriptions of many ids. */
const SHORT_TEXT = 20;

function foldText(text: string | undefined): string {
  return (text ?? '').trim().toLowerCase().replace(/\.$/, '');
}

/** Numbers such as 123 and 12345 are examples of anything. */
const MOST_COMMON_DIGITS = 5;

/** Examples that are short numbers or flags are equal by chance. */
function sharesExample(member: Schema, { schema, examples = [] }: NamedId, api: Api): boolean {
  const values = [...examples.map(({ value }) => value), ...(keywordOf(schema, 'examples', api) ?? [])];
  const shown = new Set(values.map(String));
  const own = (keywordOf(member, 'examples', api) ?? []).map(String);
  return own.some((text) => text.length > (/^\d+$/.test(text) ? MOST_COMMON_DIGITS : 2) && shown.has(text));
}
