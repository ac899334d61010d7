import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, type SchemaType } from '../../model/schema-types.js';
import { applicableParts, holdingParts, isMarked } from './parts.js';

/** A member that a schema declares, in any branch or base. */
export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isReadOnly: boolean;
  /** Whether every value has it; false for members that only a branch requires. */
  readonly isRequired: boolean;
}

const memberCaches = new WeakMap<SchemaObject, ReadonlyMap<string, Member>>();

export function membersOf(schema: Schema, api: Api): ReadonlyMap<string, Member> {
  if (typeof schema !== 'object') return new Map();
  const known = memberCaches.get(schema);
  if (known !== undefined) return known;
  const holding = holdingParts(schema, api);
  const required = new Set(holding.flatMap((part) => part.required ?? []));
  const members = new Map<string, Member>();
  for (const [name, declared] of collectDeclarations(applicableParts(schema, api), new Set(holding))) {
    const member = combine(declared);
    members.set(name, {
      name,
      schema: member,
      isReadOnly: isMarked(member, 'readOnly', api),
      isRequired: required.has(name),
    });
  }
  memberCaches.set(schema, members);
  return members;
}

export function memberSchemas(schema: Schema, api: Api): ReadonlyMap<string, Schema> {
  return new Map([...membersOf(schema, api)].map(([name, member]) => [name, member.schema]));
}

/** The members that every object of a schema has, including undeclared ones. */
export function requiredMembers(schema: Schema, api: Api): ReadonlySet<string> {
  return new Set(holdingParts(schema, api).flatMap(({ required = [] }) => required));
}

/**
 * Whether a member exists in one direction only: it is never shown (`writeOnly`), or only the server sets it
 * (`readOnly`).
 */
export function isOneSided(schema: Schema, api: Api): boolean {
  return isMarked(schema, 'readOnly', api) || isMarked(schema, 'writeOnly', api);
}

/** The schemas of a member: those that apply together, and those of branches. */
interface Declared {
  readonly holding: Schema[];
  readonly branches: Schema[];
}

function collectDeclarations(
  parts: readonly SchemaObject[],
  holding: ReadonlySet<SchemaObject>,
): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const part of parts) {
    for (const [name, schema] of Object.entries(part.properties ?? {})) {
      const entry = getOrInsert(declared, name, () => ({ holding: [], branches: [] }));
      (holding.has(part) ? entry.holding : entry.branches).push(schema);
    }
  }
  return declared;
}

function combine({ holding, branches }: Declared): Schema {
  const [first = true, ...others] = holding.length > 0 ? holding : branches;
  if (others.length === 0) return first;
  return holding.length > 0 ? { allOf: holding } : { anyOf: branches };
}

const typeCaches = new WeakMap<SchemaObject, ReadonlySet<SchemaType>>();
const NO_TYPES: ReadonlySet<SchemaType> = new Set();

/** The types that a schema allows; empty if it does not restrict them. */
export function typesOf(schema: Schema, api: Api): ReadonlySet<SchemaType> {
  if (typeof schema !== 'object') return NO_TYPES;
  return getOrInsert(
    typeCaches,
    schema,
    () => new Set(applicableParts(schema, api).flatMap((part) => part.type ?? [])),
  );
}

/** Whether types include numbers, with or without fractions. */
export function hasNumber(types: ReadonlySet<SchemaType>): boolean {
  return types.has('number') || types.has('integer');
}

/** Whether a schema declares that its values are objects. */
export function isObjectSchema(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return types.size === 0 ? membersOf(schema, api).size > 0 : types.has('object');
}

const itemCaches = new WeakMap<SchemaObject, Schema>();

/** The schema of the items, if values are lists. */
export function itemsOf(schema: Schema, api: Api): Schema | undefined {
  if (typeof schema !== 'object') return undefined;
  const known = itemCaches.get(schema);
  if (known !== undefined) return known;
  const declared = applicableParts(schema, api)
    .flatMap((part) => part.items ?? [])
    .filter((items) => items !== false);
  const [first, ...others] = declared;
  if (first === undefined) return undefined;
  // The order of the parts means nothing: the least specific one may be first or last.
  const items = others.length === 0 ? first : { allOf: declared };
  itemCaches.set(schema, items);
  return items;
}

/** A keyword that applies to every value of a schema, in whichever part it is. */
export function keywordOf<Key extends keyof SchemaObject>(
  schema: Schema,
  key: Key,
  api: Api,
): SchemaObject[Key] | undefined {
  for (const part of holdingParts(schema, api)) if (part[key] !== undefined) return part[key];
  return undefined;
}

/** Whether a schema declares no members and allows any. */
export function isFreeObject(schema: Schema, api: Api): boolean {
  return isObjectSchema(schema, api) && membersOf(schema, api).size === 0;
}

const opennessCaches = new WeakMap<SchemaObject, boolean>();

/** Whether undeclared members are intended (a map) rather than merely tolerated. */
export function keepsUnknownMembers(schema: Schema, api: Api): boolean {
  if (typeof schema !== 'object') return true;
  return getOrInsert(opennessCaches, schema, () => findOpenness(schema, api));
}

function findOpenness(schema: SchemaObject, api: Api): boolean {
  if (membersOf(schema, api).size === 0) return true;
  return applicableParts(schema, api).some(
    ({ additionalProperties, patternProperties }) =>
      patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false),
  );
}

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

/** Whether two schemas are the same reference or the same object. */
export function isSameSchema(one: Schema, other: Schema): boolean {
  if (one === other) return true;
  return typeof one === 'object' && typeof other === 'object' && one.$ref !== undefined && one.$ref === other.$ref;
}
