import type { Api, Operation } from '../model/api.js';
import { type Schema, refName } from '../model/schema-types.js';
import type { PathGroup } from './collections.js';
import { findMentions, findPathSlots, findVerbSlot, indexByPrefix } from './id-locations.js';
import type { MainRole, Resource, Slot } from './resource.js';
import { ResourceFinder } from './resource-finder.js';
import type { VerbGroup } from './rpc-verbs.js';
import { successSchema } from './success-response.js';

/**
 * Finds everything that requests can name by an id, with the operations on it: collections (`/books` beside
 * `/books/{id}`), calls by verb (`createcase`, `getcase`), and singletons (`/settings`, read and written). Paths and
 * methods suffice; schemas need not say anything.
 */
export function findResources(whole: Api, operations: readonly Operation[] = whole.operations): Resource[] {
  const api = { ...whole, operations };
  const finder = new ResourceFinder(api);
  const index = indexByPrefix(operations);
  const groups = [...finder.groups.groups];
  const byPath = groups
    .filter(({ itemPath, itemOperations }) => itemPath !== undefined && itemOperations.length > 0)
    .sort((one, other) => firstOf(one, operations) - firstOf(other, operations));
  const found = [
    ...byPath.map((group) => collectionResource(group, index, api)),
    ...groups.flatMap(({ verbs }) => (verbs === undefined ? [] : [verbResource(verbs, api)])),
    ...groups.flatMap((group) => singletonResource(group, finder)),
  ];
  return found.map((resource) => ({ ...resource, views: findViews(resource, api) }));
}

function firstOf({ itemOperations: [first] }: PathGroup, operations: readonly Operation[]): number {
  return first === undefined ? -1 : operations.indexOf(first);
}

function collectionResource(
  group: PathGroup,
  index: ReadonlyMap<string, readonly Operation[]>,
  api: Api,
): Omit<Resource, 'views'> {
  const { itemPath = group.collectionPath, collectionOperations, itemOperations, itemParameters } = group;
  const parameter = itemParameters.at(-1) ?? 'id';
  const slots = findPathSlots(itemPath, index);
  // An item of the name and the value of a member has no id that a creation could tell.
  const outer = itemParameters.length === 1 ? collectionOperations : [];
  const roles = {
    list: outer.find(({ method }) => method === 'get'),
    create: outer.find(({ method }) => method === 'post'),
    ...itemRoles(itemOperations),
  };
  return {
    name: itemPath,
    kind: 'collection',
    parameter,
    creators: [],
    slots,
    references: findMentions({ itemPath, parameter, own: slots }, api),
    ...withoutUndefined(roles),
  };
}

function itemRoles(operations: readonly Operation[]): Partial<Record<MainRole, Operation | undefined>> {
  const of = (wanted: Operation['method']): Operation | undefined => operations.find(({ method }) => method === wanted);
  return { read: of('get'), replace: of('put'), patch: of('patch'), delete: of('delete') };
}

/** A thing that is read and written at one path, without an id. */
function singletonResource(group: PathGroup, finder: ResourceFinder): Omit<Resource, 'views'>[] {
  if (group.itemPath !== undefined || group.verbs !== undefined || finder.coreOf(group)?.kind !== 'singleton')
    return [];
  const roles = withoutUndefined(itemRoles(group.collectionOperations));
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
  const roles = Object.fromEntries(verbs.calls.map(({ operation, words }) => [words.role, operation]));
  const slots = new Map<Operation, Slot>();
  for (const operation of api.operations) {
    const slot = findVerbSlot(operation, verbs, api);
    if (slot !== undefined) slots.set(operation, slot);
  }
  const slot = roles['read'] === undefined ? undefined : slots.get(roles['read']);
  const parameter = slot === undefined ? 'id' : slot.in === 'body' ? slot.name : slot.parameter.name;
  return {
    name: verbs.name,
    kind: 'collection',
    parameter,
    creators: verbs.creators,
    slots,
    references: new Map(),
    ...roles,
  };
}

/** Other operations whose responses show items of the resource. */
function findViews({ list, read, slots }: Omit<Resource, 'views'>, api: Api): Operation[] {
  const shown = read === undefined ? undefined : refOf(successSchema(read));
  if (shown === undefined) return [];
  return api.operations.filter(
    (operation) =>
      operation !== list && !slots.has(operation) && shownRefs(successSchema(operation), api).includes(shown),
  );
}

function refOf(schema: Schema | undefined): string | undefined {
  return typeof schema === 'object' ? schema.$ref : undefined;
}

/** The named schemas in a response: itself, its members, and the items of lists. */
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
