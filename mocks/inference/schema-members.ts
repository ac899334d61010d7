import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, type SchemaType } from '../../model/schema-types.js';
import { inPlaceCluster, resolveRef } from '../../schema/in-place.js';

/** A member that a schema declares, whatever branch or base it stands in. */
export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isReadOnly: boolean;
  readonly isRequired: boolean;
}

const memberCaches = new WeakMap<SchemaObject, ReadonlyMap<string, Member>>();

/** The members that a schema declares. */
export function membersOf(schema: Schema, api: Api): ReadonlyMap<string, Member> {
  if (typeof schema !== 'object') return new Map();
  const known = memberCaches.get(schema);
  if (known !== undefined) return known;
  const members = new Map<string, Member>();
  const required = new Set(holdingParts(schema, api).flatMap((part) => part.required ?? []));
  for (const part of inPlaceCluster(schema, api)) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const isReadOnly = members.get(name)?.isReadOnly === true || isMarked(member, api);
      members.set(name, { name, schema: member, isReadOnly, isRequired: required.has(name) });
    }
  }
  memberCaches.set(schema, members);
  return members;
}

/** The parts of a schema that hold for every value: itself, what it refers to, and what it is all of. */
export function holdingParts(schema: Schema, api: Api): SchemaObject[] {
  const seen = new Set<SchemaObject>();
  const open: (Schema | undefined)[] = [schema];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || seen.has(next)) continue;
    seen.add(next);
    open.push(...(next.allOf ?? []));
    if (next.$ref !== undefined) open.push(resolveRef(api, next.$ref));
  }
  return [...seen];
}

function isMarked(schema: Schema, api: Api): boolean {
  return holdingParts(schema, api).some((part) => part.readOnly === true);
}

/** The types that a schema allows; empty where it does not say. */
export function typesOf(schema: Schema, api: Api): ReadonlySet<SchemaType> {
  const types = inPlaceCluster(schema, api).flatMap((part) => part.type ?? []);
  return new Set(types);
}

/** Whether values are objects, as far as the schema says. */
export function isObjectSchema(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return types.size === 0 ? membersOf(schema, api).size > 0 : types.has('object');
}

/** The schema of the items, where values are lists of something. */
export function itemsOf(schema: Schema, api: Api): Schema | undefined {
  const parts = inPlaceCluster(schema, api);
  return parts.find((part) => part.items !== undefined && part.items !== false)?.items;
}

/** A keyword of a schema, wherever it stands for every value. */
export function keywordOf<Key extends keyof SchemaObject>(schema: Schema, key: Key, api: Api): SchemaObject[Key] {
  return holdingParts(schema, api).find((part) => part[key] !== undefined)?.[key];
}

/** Whether a schema declares no members and takes any: its objects are free. */
export function isFreeObject(schema: Schema, api: Api): boolean {
  return isObjectSchema(schema, api) && membersOf(schema, api).size === 0;
}

/** Whether members that are not declared are part of the thing (a map), not merely tolerated. */
export function keepsUnknownMembers(schema: Schema, api: Api): boolean {
  if (membersOf(schema, api).size === 0) return true;
  return inPlaceCluster(schema, api).some(
    ({ additionalProperties, patternProperties }) =>
      patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false),
  );
}
