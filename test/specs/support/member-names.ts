import type { Api } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema, SchemaObject } from '../../../model/schema-types.js';
import { applicableParts } from '../../../schema/facts/parts.js';

/**
 * Turns the member names of a request from snake_case into the camelCase of the spec, by the rule that the description
 * of the generation API gives under `x-member-names`: an underscore at the start stays, and the members of an object
 * whose schema says `verbatim` are data, followed only where `additionalProperties` gives them a schema.
 *
 * @throws Error if an object has both spellings of a member.
 */
export function toCanonicalNames(value: unknown, schema: Schema, api: Api): unknown {
  const parts = applicableParts(schema, api);
  if (Array.isArray(value)) return value.map((item) => toCanonicalNames(item, findItems(parts), api));
  if (!isRecord(value)) return value;
  const isData = parts.some((part) => part['x-member-names'] === 'verbatim');
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const canonical = isData ? name : toCamelCase(name);
    return [canonical, toCanonicalNames(member, findMember(parts, canonical, isData), api)];
  });
  const result = Object.fromEntries(members);
  if (Object.keys(result).length < members.length) throw new Error('A member is there in both spellings.');
  return result;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/(?<!^)_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

const DATA: SchemaObject = { 'x-member-names': 'verbatim' };

function findItems(parts: readonly SchemaObject[]): Schema {
  return parts.find((part) => part.items !== undefined)?.items ?? true;
}

function findMember(parts: readonly SchemaObject[], name: string, isData: boolean): Schema {
  const named = parts.find((part) => part.properties?.[name] !== undefined)?.properties?.[name];
  const other = parts.find((part) => typeof part.additionalProperties === 'object')?.additionalProperties;
  return named ?? other ?? (isData ? DATA : true);
}
