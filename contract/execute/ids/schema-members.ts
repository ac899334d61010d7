import type { Api } from '../../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../../model/schema-types.js';

/** The members that a schema names, with those of the schemas that it is made of. */
export function membersOf(schema: Schema, api: Api): ReadonlyMap<string, Schema> {
  const parts = partsOf(schema, api, ({ allOf = [], oneOf = [], anyOf = [] }) => [...allOf, ...oneOf, ...anyOf]);
  return new Map(parts.flatMap(({ properties = {} }) => Object.entries(properties)));
}

/** The members that a schema demands, with those of the schemas that it is made of. */
export function requiredMembers(schema: Schema, api: Api): ReadonlySet<string> {
  return new Set(partsOf(schema, api, ({ allOf = [] }) => allOf).flatMap(({ required = [] }) => required));
}

/** Whether a member is in one direction only: it is never shown (`writeOnly`), or the server decides it alone (`readOnly`). */
export function isOneSided(schema: Schema, api: Api): boolean {
  if (typeof schema !== 'object') return false;
  if (schema.readOnly === true || schema.writeOnly === true) return true;
  return schema.$ref !== undefined && isOneSided(api.schemas.get(refName(schema.$ref))?.schema ?? true, api);
}

/** A schema with those that it is made of, references followed. */
function partsOf(
  schema: Schema,
  api: Api,
  combined: (part: SchemaObject) => readonly Schema[],
): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open: (Schema | undefined)[] = [schema];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || parts.has(next)) continue;
    parts.add(next);
    open.push(...combined(next));
    if (next.$ref !== undefined) open.push(api.schemas.get(refName(next.$ref))?.schema);
  }
  return [...parts];
}
