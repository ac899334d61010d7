import { groupBy } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { isFreeObject, itemsOf, keepsUnknownMembers, membersOf, typesOf } from '../schema/facts/members.js';
import type { PathGroup } from './collections.js';
import type { Correction } from './corrections.js';
import type { ResourceFinder } from './resource-finder.js';
import { bodySchemaOf } from './success-response.js';

/** The operations that a correction can be about, by the paths that it may be written under, without the first slash. */
export type CorrectablePaths = ReadonlyMap<string, readonly Operation[]>;

/** Finds the collections, singletons and folders of an API with their operations. The path of an item is none of them. */
export function findCorrectablePaths(api: Api, groups: Iterable<PathGroup>): CorrectablePaths {
  const found = new Map<string, Set<Operation>>();
  const add = (path: string, operations: readonly Operation[]): void => {
    const key = withoutSlash(path);
    const known = found.get(key) ?? new Set();
    for (const operation of operations) known.add(operation);
    if (key !== '') found.set(key, known);
  };
  const items = new Set<string>();
  for (const { collectionPath, collectionOperations, itemOperations, verbs, isSaid } of groups) {
    if (isSaid === true) continue;
    const calls = verbs === undefined ? [] : [...verbs.calls.map(({ operation }) => operation), ...verbs.creators];
    add(collectionPath, [...collectionOperations, ...itemOperations, ...calls]);
    for (const { path } of itemOperations) items.add(path);
  }
  for (const [path, operations] of groupBy(api.operations, (operation) => operation.path)) {
    if (!items.has(path)) add(path, operations);
    for (const folder of foldersOf(path)) add(folder, operations);
  }
  return new Map([...found].map(([path, operations]) => [path, [...operations]]));
}

/** `api` and `api/documents` for `/api/documents.info`: the folders above a call, which have no parameter at their end. */
function foldersOf(path: string): string[] {
  const ends = [...withoutSlash(path).matchAll(/[/.:]/g)].map(({ index }) => index);
  return ends.map((end) => withoutSlash(path).slice(0, end)).filter((folder) => !folder.endsWith('}'));
}

/** The folder of an RPC API may be written without the first slash. */
export function withoutSlash(path: string): string {
  return path.replace(/^\//, '');
}

/** The operations that a correction is about: those of its path, and those that it names. */
export function operationsOf(key: string, { operations = {} }: Correction, scope: CorrectionScope): Operation[] {
  const ids = new Set(Object.values(operations).flat());
  const own = scope.paths.get(withoutSlash(key)) ?? [];
  return [...new Set([...own, ...scope.api.operations.filter(({ id }) => ids.has(id))])];
}

/** What corrections are compared with. */
export interface CorrectionScope {
  readonly api: Api;
  readonly finder: ResourceFinder;
  readonly paths: CorrectablePaths;
}

/** The schemas of successful responses. */
export function responseSchemas({ responses }: Operation): Schema[] {
  return responses
    .filter(({ status }) => /^(?:2|default)/i.test(status))
    .flatMap(({ content }) => content.flatMap(({ schema = true }) => schema));
}

/** Whether the items of a path are free objects, which have any member. */
export function hasFreeItems(key: string, { api, finder }: CorrectionScope): boolean {
  for (const group of finder.groups.groups) {
    if (withoutSlash(group.collectionPath) === withoutSlash(key)) {
      const schema = finder.coreOf(group)?.schema;
      return schema !== undefined && isFreeObject(schema, api);
    }
  }
  return false;
}

/** How many members and lists are around an item. */
const MAX_DEPTH = 3;

/** The schemas that may be an item: those of bodies and responses, and those in their members and lists. */
export function itemSchemas(operations: readonly Operation[], api: Api): Schema[] {
  let level = operations.flatMap((operation) => [...responseSchemas(operation), bodySchemaOf(operation) ?? []].flat());
  const found = new Set<Schema>();
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const fresh = level.filter((schema) => !found.has(schema));
    for (const schema of fresh) found.add(schema);
    level = fresh.flatMap((schema) => [
      ...[...membersOf(schema, api).values()].map((member) => member.schema),
      ...[itemsOf(schema, api) ?? []].flat(),
    ]);
  }
  return [...found];
}

/** The names that may follow at a place in a value, and the schema there. */
export interface Step {
  /** Whether the place exists. Free objects have any member. */
  readonly isKnown: boolean;
  /** The names that the value has in place of the first that it does not have. */
  readonly names: readonly string[];
}

/** Follows member names through a schema. */
export function followMembers(schema: Schema, path: readonly string[], api: Api): Step {
  let place = schema;
  for (const name of path) {
    const members = membersOf(place, api);
    const items = typesOf(place, api).has('array') && /^\d+$/.test(name) ? itemsOf(place, api) : undefined;
    const next = members.get(name)?.schema ?? items;
    if (next === undefined) return { isKnown: isOpen(place, api), names: [...members.keys()] };
    place = next;
  }
  return { isKnown: true, names: [] };
}

function isOpen(schema: Schema, api: Api): boolean {
  return (
    isFreeObject(schema, api) ||
    keepsUnknownMembers(schema, api) ||
    (typesOf(schema, api).size === 0 && membersOf(schema, api).size === 0)
  );
}
