import type { Api, Operation, Parameter } from '../model/api.js';
import { getOrInsert } from '../model/maps.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { isObjectSchema, membersOf, typesOf } from '../schema/facts/members.js';
import { foldName } from './inflection.js';
import { bodySchemaOf } from './success-response.js';

/** A query parameter, a member of one that is an object (`page[size]`), or a member of the body of a list by POST. */
export interface ListParameter extends Pick<Parameter, 'name' | 'schema'> {
  /** Names from the query or the body down to the value. */
  readonly path: readonly string[];
}

/** The inputs of a list, by which it may be filtered, sorted and paged. */
export function listInputs(operation: Operation, api: Api): readonly ListParameter[] {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const body = operation.method === 'post' ? bodySchemaOf(operation) : undefined;
  return [...query, ...(body === undefined ? [] : membersOf(body, api).values())].flatMap(({ name, schema }) => {
    const inner = isObjectSchema(schema, api) ? [...membersOf(schema, api).values()] : [];
    if (inner.length === 0) return [{ name, schema, path: [name] }];
    return inner.map((member) => ({
      name: `${name}[${member.name}]`,
      schema: member.schema,
      path: [name, member.name],
    }));
  });
}

/** What a parameter filters by, without the syntax of filters: `status` of `filter[status]` and `filter.status`. */
export function subjectOf({ name }: Pick<ListParameter, 'name'>): string {
  return foldName(/^(?:filter|where|q)?[[.](.+?)\]?$/.exec(name)?.[1] ?? name);
}

/** A member by which items are filtered or sorted. */
export interface ItemMember {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** The members of items, and those of their `attributes` and `relationships` (JSON:API), by their folded names. */
export function membersByFoldedName(item: Schema, api: Api): ReadonlyMap<string, ItemMember> {
  if (typeof item === 'boolean') return new Map();
  return getOrInsert(memberCaches, item, () => findMembers(item, api));
}

/** By item, which many operations may have. */
const memberCaches = new WeakMap<SchemaObject, ReadonlyMap<string, ItemMember>>();

function findMembers(item: SchemaObject, api: Api): ReadonlyMap<string, ItemMember> {
  const own = membersOf(item, api);
  const inner = own.get('attributes')?.schema;
  const attributes = inner === undefined ? [] : [...membersOf(inner, api).values()];
  return new Map<string, ItemMember>([
    ...relatedIds(own.get('relationships')?.schema, api),
    ...attributes.map(({ name, schema }) => [foldName(name), { path: ['attributes', name], schema }] as const),
    ...[...own.values()].map(({ name, schema }) => [foldName(name), { path: [name], schema }] as const),
  ]);
}

/** The ids of the other items that `relationships` name (JSON:API), by the name of the relationship. */
function relatedIds(relationships: Schema | undefined, api: Api): (readonly [string, ItemMember])[] {
  if (relationships === undefined) return [];
  return [...membersOf(relationships, api).values()].flatMap(({ name, schema }) => {
    const data = membersOf(schema, api).get('data')?.schema;
    const id = data === undefined ? undefined : membersOf(data, api).get('id');
    return id === undefined
      ? []
      : [[foldName(name), { path: ['relationships', name, 'data', 'id'], schema: id.schema }] as const];
  });
}

/** The member with the name of a parameter, singular or plural. */
export function memberNamed(
  parameter: Pick<ListParameter, 'name' | 'schema'>,
  members: ReadonlyMap<string, ItemMember>,
  api: Api,
): ItemMember | undefined {
  const folded = subjectOf(parameter);
  const found =
    members.get(folded) ??
    members.get(`${folded}s`) ??
    (folded.endsWith('s') ? members.get(folded.slice(0, -1)) : undefined);
  return found === undefined || typesOf(parameter.schema, api).has('object') ? undefined : found;
}

/** Names of parameters that page or sort a list, even if items have members with these names. */
const NEVER_FILTERS: ReadonlySet<string> = new Set(['page', 'limit', 'offset', 'cursor', 'sort']);

/** Whether a parameter has the very name of a member, so that it is a filter, whatever else it could be. */
export function isNamedFilter(parameter: ListParameter, members: ReadonlyMap<string, ItemMember>, api: Api): boolean {
  const folded = subjectOf(parameter);
  const member = memberNamed(parameter, members, api);
  return member !== undefined && foldName(member.path.at(-1) ?? '') === folded && !NEVER_FILTERS.has(folded);
}
