import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { memberSchemas } from '../schema/facts/members.js';
import { getOrInsert } from '../model/maps.js';
import type { PathGroup } from './collections.js';
import { foldName } from './inflection.js';
import type { MainRole, Resource, Slot } from './resource.js';
import type { ResourceFinder } from './resource-finder.js';
import { successSchema } from './success-response.js';

/** The operations that may work on a group, by text alone. */
export function placesByGroup(
  operations: readonly Operation[],
  { groups }: ResourceFinder,
): ReadonlyMap<PathGroup, readonly Operation[]> {
  const byGroup = new Map<PathGroup, Operation[]>();
  for (const operation of operations)
    for (const { group } of groups.placesOf(operation)) getOrInsert(byGroup, group, () => []).push(operation);
  return byGroup;
}

/** Adds the list and the creation that methods alone do not tell: a list by POST, an item that several parameters name. */
export function withMappedRoles(
  resource: Omit<Resource, 'views'>,
  group: PathGroup,
  {
    nearby,
    finder,
  }: { readonly nearby: ReadonlyMap<PathGroup, readonly Operation[]>; readonly finder: ResourceFinder },
): Omit<Resource, 'views'> {
  const core = finder.coreOf(group);
  // A member's name and its value name a row: no response to a creation says which member that is.
  const isNamed = group.itemParameters.length <= 1 || core?.outerIds?.length === group.itemParameters.length - 1;
  if (resource.kind !== 'collection' || resource.slots.size === 0 || !isNamed) return resource;
  const has = (operation: Operation, role: MainRole): boolean => {
    const found = finder.assign(operation);
    return found?.group === group && found.part.role === role;
  };
  const find = (role: MainRole): Operation | undefined =>
    resource[role] ?? nearby.get(group)?.find((operation) => has(operation, role));
  const [list, create] = [find('list'), find('create')];
  const found = create === undefined ? undefined : finder.assign(create);
  // The response shows the item around: what was added to it has no id of its own.
  const { create: _create, ...others } = resource;
  const isOfOther = found?.part.role === 'action' && found.group !== group;
  return {
    ...others,
    ...(list === undefined ? {} : { list }),
    ...(create === undefined || isOfOther ? {} : { create }),
  };
}

/** Adds the calls of resources that are at other paths than their items: creations, lists, and changes by a body. */
export function withCallsElsewhere(
  resources: readonly Resource[],
  operations: readonly Operation[],
  api: Api,
): Resource[] {
  const found = resources.map((resource) => withNestedCalls(resource, operations));
  // What creates an item of one kind only mentions those of others, such as the admin who created it.
  const creations = new Set(found.flatMap(({ create, creators }) => [create ?? [], creators].flat()));
  // So does what returns the item that one of them creates: `/contacts/merge`.
  const made = new Set([...creations].flatMap((one) => namesOf(successSchema(one))));
  const isMade = (one: Operation): boolean => namesOf(successSchema(one)).some((name) => made.has(name));
  const others = operations.filter((operation) => !creations.has(operation) && !isMade(operation));
  return found.map((resource) => withIdsInBodies(withNamingCreation(resource, others, api), operations, api));
}

/** Adds the member of the body that names the item which a change without a path of the item is about: `PUT /pet`. */
function withIdsInBodies(resource: Resource, operations: readonly Operation[], api: Api): Resource {
  const { kind, parameter, name: itemPath } = resource;
  const changes = operations.filter(
    ({ method, path }) => ['put', 'patch'].includes(method) && itemPath.startsWith(`${path}/{`),
  );
  if (kind !== 'collection') return resource;
  const found = changes.flatMap((operation): (readonly [Operation, Slot])[] => {
    if (resource.slots.has(operation) || operation.path.includes('{')) return [];
    const wanted = foldName(parameter);
    const members = [...memberSchemas(operation.body?.content[0]?.schema ?? true, api).keys()];
    const isId = (name: string): boolean => foldName(name) === 'id' && wanted.endsWith('id');
    const name = members.find((one) => foldName(one) === wanted) ?? members.find(isId);
    return name === undefined ? [] : [[operation, { in: 'body', name }]];
  });
  return found.length === 0 ? resource : { ...resource, slots: new Map([...resource.slots, ...found]) };
}

/**
 * Adds the nested creation and list to a resource: `POST /articles/{id}/comments` creates the items of
 * `/comments/{id}`, and `GET` lists them, as `/orgs/{org}/repos` does those of `/repos/{owner}/{repo}`. Their last words match.
 */
function withNestedCalls(resource: Resource, operations: readonly Operation[]): Resource {
  const { kind, create, list, name, creators } = resource;
  if (kind !== 'collection' || create !== undefined || creators.length > 0 || list !== undefined) return resource;
  // Several parameters may name the item: `/repos/{owner}/{repo}`.
  const word = name.split('/').findLast((part) => !part.includes('{'));
  const isNested = ({ path }: Operation): boolean => path.endsWith(`}/${word ?? ''}`);
  const creation = operations.find(
    (one) => one.method === 'post' && isNested(one) && one.responses.some(({ status }) => status === '201'),
  );
  if (creation === undefined) return resource;
  const listing = operations.find(({ method, path }) => method === 'get' && path === creation.path);
  const views = resource.views.filter((view) => view !== creation && view !== listing);
  return { ...resource, create: creation, views, ...(listing === undefined ? {} : { list: listing }) };
}

/**
 * Adds the creation whose response has a member with the name of the path parameter, wherever its path is:
 * `POST /silences` responds `{ silenceID }`, and `/silence/{silenceID}` takes it. A name such as `id` says too little.
 */
function withNamingCreation(resource: Resource, operations: readonly Operation[], api: Api): Resource {
  const { kind, create, creators, parameter, slots } = resource;
  const wanted = foldName(parameter);
  if (kind !== 'collection' || create !== undefined || creators.length > 0 || VAGUE_NAMES.has(wanted)) return resource;
  const has = (schema: Schema): boolean =>
    [...memberSchemas(schema, api).keys()].some((name) => foldName(name) === wanted);
  // A member that the request has too names another item.
  const shows = (one: Operation): boolean =>
    has(successSchema(one)) && !(one.body?.content ?? []).some(({ schema = true }) => has(schema));
  const makers = operations.filter((one) => one.method === 'post' && !slots.has(one) && !one.path.includes('{'));
  const [creation, ...others] = makers.filter(shows);
  return creation === undefined || others.length > 0 ? resource : { ...resource, create: creation };
}

const VAGUE_NAMES: ReadonlySet<string> = new Set(['id', 'name', 'key', 'uid', 'uuid', 'slug', 'type', 'status']);

/** The named schemas that a schema is or extends. */
function namesOf(schema: Schema): readonly string[] {
  if (typeof schema !== 'object') return [];
  return [schema, ...(schema.allOf ?? [])].flatMap((one) => (typeof one === 'object' ? (one.$ref ?? []) : []));
}
