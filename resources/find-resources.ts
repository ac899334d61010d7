import { getOrInsert, groupBy } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import { type Schema, refName } from '../model/schema-types.js';
import { placesByGroup, withCallsElsewhere, withMappedRoles } from './calls-elsewhere.js';
import type { PathGroup } from './collections.js';
import { sharesMembers } from './envelope.js';
import { schemaAt } from './find-id.js';
import { parseTemplate, parametersIn, joinSegments, templateKey } from './path-template.js';
import { requiredMembers } from '../schema/facts/members.js';
import { findCorrectedSlot } from './corrected-roles.js';
import { findMentions, findPathSlots, findVerbSlot, indexByPrefix, isOwnCall } from './id-locations.js';
import type { IdMember, MainRole, Resource, Slot } from './resource.js';
import { type Assignment, finderOf, type ResourceFinder } from './resource-finder.js';
import type { VerbGroup } from './verb-groups.js';
import { bodySchemaOf, successSchema } from './success-response.js';

/**
 * Finds all resources with their operations: collections (`/books` beside `/books/{id}`), calls by verb (`createcase`,
 * `getcase`), and singletons (`/settings`, read and written). Uses paths and methods; schemas may be missing.
 */
export function findResources(whole: Api, operations: readonly Operation[] = whole.operations): Resource[] {
  const api = operations === whole.operations ? whole : { ...whole, operations };
  const finder = finderOf(api);
  const index = indexByPrefix(operations);
  const groups = [...finder.groups.groups];
  const byPath = groups
    .filter(({ itemPath, itemOperations }) => itemPath !== undefined && itemOperations.length > 0)
    .sort((one, other) => firstOf(one, operations) - firstOf(other, operations));
  const said = groups.filter(
    (group) => group.corrected !== undefined && group.verbs === undefined && !byPath.includes(group),
  );
  const found = [
    ...byPath.map((group) => [collectionResource(group, index, api), group] as const),
    ...said.map((group) => [saidResource(group), group] as const),
    ...containerResources(groups, index, api).map((resource) => [resource] as const),
    ...groups.flatMap((group) => (group.verbs === undefined ? [] : [[verbResource(group.verbs, api), group] as const])),
    ...groups.flatMap((group) => singletonResource(group, finder, api).map((resource) => [resource] as const)),
  ];
  const nearby = placesByGroup(operations, finder);
  const resources = found.map(([inferred, group]) => {
    const mapped = group === undefined ? inferred : withMappedRoles(inferred, group, { nearby, finder });
    const resource = group === undefined ? mapped : withCorrectedRoles(mapped, group, api);
    return { ...resource, views: findViews(resource, api) };
  });
  return withCallsElsewhere(resources, operations, api).map((resource, index) =>
    withIds(resource, found[index]?.[1], { finder, api }),
  );
}

/** Adds where items show their ids. Schemas are read on first use, because only contract runs need them. */
function withIds(
  resource: Resource,
  group: PathGroup | undefined,
  { finder, api }: { readonly finder: ResourceFinder; readonly api: Api },
): Resource {
  const { create } = resource;
  return {
    ...resource,
    get id() {
      return group && finder.coreOf(group)?.id;
    },
    get outerIds() {
      return group && finder.coreOf(group)?.outerIds;
    },
    get createdId() {
      const creation = create && finder.assign(create);
      return group === undefined || creation?.group === group ? createdIdOf(creation, api) : undefined;
    },
  };
}

/** A resource whose items have no path: a correction says which operations it has. */
function saidResource({
  collectionPath,
  collectionOperations: operations,
  corrected,
}: PathGroup): Omit<Resource, 'views'> {
  const free = operations.filter((operation) => corrected?.roles.has(operation) !== true);
  const roles = {
    list: free.find(({ method }) => method === 'get'),
    create: free.find(({ method }) => method === 'post'),
  };
  const base = { kind: 'collection', parameter: 'id', creators: [], slots: new Map(), references: new Map() } as const;
  return { name: collectionPath, ...base, ...withoutUndefined(roles) };
}

/** Gives a resource the operations of its correction. */
function withCorrectedRoles(
  resource: Omit<Resource, 'views'>,
  { corrected, collectionPath }: PathGroup,
  api: Api,
): Omit<Resource, 'views'> {
  if (corrected === undefined) return resource;
  const roles: Partial<Record<MainRole, Operation>> = {};
  const slots = new Map(resource.slots);
  const creators: Operation[] = [];
  for (const [operation, role] of corrected.roles) {
    if (role === 'create' && roles.create !== undefined) creators.push(operation);
    roles[role] ??= operation;
    const slot = slots.get(operation) ?? findCorrectedSlot(operation, collectionPath, corrected, api);
    if (slot !== undefined) slots.set(operation, slot);
  }
  const [slot] = [...corrected.roles.keys()].flatMap((operation) => slots.get(operation) ?? []);
  const parameter = slot === undefined ? resource.parameter : slot.in === 'body' ? slot.name : slot.parameter.name;
  return { ...resource, parameter, ...roles, slots, creators: [...resource.creators, ...creators] };
}

/** Where the response to a creation shows the id: in a place of its own, in the item, or in the member with the item. */
function createdIdOf(creation: Assignment | undefined, api: Api): IdMember | undefined {
  if (creation === undefined) return undefined;
  const { createdId, envelope, success } = creation.part;
  const { id } = creation.core;
  if (createdId !== undefined || id === undefined || envelope === undefined) return createdId;
  if (envelope.isList) return { ...id, path: [...envelope.path, '0', ...id.path] };
  const path = [...envelope.path, ...id.path];
  return schemaAt(success.schema ?? true, path, api) === undefined ? undefined : { ...id, path };
}

function firstOf({ itemOperations: [first] }: PathGroup, operations: readonly Operation[]): number {
  return first === undefined ? -1 : operations.indexOf(first);
}

function collectionResource(
  group: PathGroup,
  index: ReadonlyMap<string, readonly Operation[]>,
  api: Api,
): Omit<Resource, 'views'> {
  const { itemPath = group.collectionPath, itemParameters, corrected } = group;
  const isInferred = (operation: Operation): boolean => corrected?.roles.has(operation) !== true;
  const collectionOperations = group.collectionOperations.filter(isInferred);
  const itemOperations = group.itemOperations.filter(isInferred);
  const parameter = itemParameters.at(-1) ?? 'id';
  // An item that is named by a member's name and value has no id that a creation could return.
  const outer = itemParameters.length === 1 ? collectionOperations : [];
  const roles = {
    list: outer.find(({ method }) => method === 'get'),
    create: outer.find(({ method }) => method === 'post'),
    ...itemRoles(itemOperations, api),
  };
  return collectionAt({ itemPath, parameter, index }, roles, api);
}

function collectionAt(
  { itemPath, parameter, index }: CollectionPlace,
  roles: Partial<Record<MainRole, Operation | undefined>>,
  api: Api,
): Omit<Resource, 'views'> {
  const slots = findPathSlots(itemPath, index);
  const references = findMentions({ itemPath, parameter, own: slots }, api);
  return { name: itemPath, kind: 'collection', parameter, creators: [], slots, references, ...withoutUndefined(roles) };
}

interface CollectionPlace {
  readonly itemPath: string;
  /** The name of the id parameter in the path. */
  readonly parameter: string;
  readonly index: ReadonlyMap<string, readonly Operation[]>;
}

/**
 * Finds collections whose items have no operations of their own but contain other resources: `/workspaces` beside
 * `/workspaces/{id}/rooms`.
 */
function containerResources(
  groups: readonly PathGroup[],
  index: ReadonlyMap<string, readonly Operation[]>,
  api: Api,
): Omit<Resource, 'views'>[] {
  const known = new Set(
    groups.flatMap(({ itemPath = '', itemParameters }) => {
      const { segments } = parseTemplate(itemPath);
      // Several parameters name one item: the paths between are no collections.
      return itemParameters.map((_, index) => templateKey(segments.slice(0, segments.length - index)));
    }),
  );
  const byPath = groupBy(api.operations, ({ path }) => templateKey(parseTemplate(path).segments));
  return [...index].flatMap(([key, [inner]]): Omit<Resource, 'views'>[] => {
    const length = key.split('/').length - 1;
    const segments = inner === undefined ? [] : parseTemplate(inner.path).segments.slice(0, length);
    const collection = templateKey(segments.slice(0, -1));
    const outer = byPath.get(collection) ?? [];
    const list = outer.find(({ method }) => method === 'get');
    const create = outer.find(({ method }) => method === 'post');
    if (known.has(key) || collection.endsWith('{}') || list === undefined) return [];
    const itemPath = joinSegments(segments);
    const parameter = parametersIn(segments).at(-1) ?? 'id';
    return [collectionAt({ itemPath, parameter, index }, { list, create }, api)];
  });
}

function itemRoles(operations: readonly Operation[], api: Api): Partial<Record<MainRole, Operation | undefined>> {
  const of = (wanted: Operation['method']): Operation | undefined => operations.find(({ method }) => method === wanted);
  const [read, replace] = [of('get'), of('put')];
  const patch = of('patch') ?? (replace === undefined ? findUpdateByPost(of('post'), read, api) : undefined);
  return { read, replace, patch, delete: of('delete') };
}

/** Finds an update by POST, such as `POST /customers/{id}` with members of the customer, none of them required. */
function findUpdateByPost(post: Operation | undefined, read: Operation | undefined, api: Api): Operation | undefined {
  const body = post === undefined ? undefined : bodySchemaOf(post);
  if (body === undefined || read === undefined || requiredMembers(body, api).size > 0) return undefined;
  return sharesMembers(body, successSchema(read), api) ? post : undefined;
}

/** Returns the resource of a single thing that is read and written at one path, without an id. */
function singletonResource(group: PathGroup, finder: ResourceFinder, api: Api): Omit<Resource, 'views'>[] {
  if (group.itemPath !== undefined || group.verbs !== undefined || finder.coreOf(group)?.kind !== 'singleton')
    return [];
  const roles = withoutUndefined(itemRoles(group.collectionOperations, api));
  return [
    {
      name: group.collectionPath,
      kind: 'singleton',
      parameter: 'id',
      creators: [],
      slots: new Map(),
      references: new Map(),
      ...roles,
    },
  ];
}

function verbResource(verbs: VerbGroup, api: Api): Omit<Resource, 'views'> {
  const roles: Partial<Record<MainRole, Operation>> = {};
  for (const { role, operation } of verbs.calls) if (role !== 'action') roles[role] ??= operation;
  const slots = new Map<Operation, Slot>();
  const references = new Map<Operation, Slot>();
  for (const operation of api.operations) {
    const slot = findVerbSlot(operation, verbs, api);
    if (slot !== undefined) (isOwnCall(operation, verbs) ? slots : references).set(operation, slot);
  }
  const slot = roles.read === undefined ? undefined : slots.get(roles.read);
  const parameter = slot === undefined ? 'id' : slot.in === 'body' ? slot.name : slot.parameter.name;
  return {
    name: verbs.path,
    kind: 'collection',
    parameter,
    creators: verbs.creators,
    slots,
    references,
    ...roles,
  };
}

/** Finds other operations whose responses show items of the resource. */
function findViews({ list, read, slots }: Omit<Resource, 'views'>, api: Api): Operation[] {
  const shown = read === undefined ? undefined : refOf(successSchema(read));
  if (shown === undefined) return [];
  return api.operations.filter(
    (operation) => operation !== list && !slots.has(operation) && shownRefsOf(operation, api).has(shown),
  );
}

function refOf(schema: Schema | undefined): string | undefined {
  return typeof schema === 'object' ? schema.$ref : undefined;
}

/** The named schemas in a response: its own, those of its members, and those of list items. */
function shownRefsOf(operation: Operation, api: Api): ReadonlySet<string> {
  return getOrInsert(shownCaches, operation, () => new Set(shownRefs(successSchema(operation), api)));
}

const shownCaches = new WeakMap<Operation, ReadonlySet<string>>();

function shownRefs(schema: Schema, api: Api): string[] {
  const ref = refOf(schema);
  const own = ref === undefined ? schema : api.schemas.get(refName(ref))?.schema;
  if (typeof own !== 'object') return [];
  const members = [own, ...Object.values(own.properties ?? {})].filter((member) => typeof member === 'object');
  return [schema, ...members, ...members.flatMap(({ items }) => items ?? [])].flatMap((one) => refOf(one) ?? []);
}

function withoutUndefined(
  roles: Readonly<Partial<Record<MainRole, Operation | undefined>>>,
): Partial<Record<MainRole, Operation>> {
  return Object.fromEntries(Object.entries(roles).filter(([, operation]) => operation !== undefined));
}
