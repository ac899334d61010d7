import type { Api, Operation } from '../model/api.js';
import { type Schema, refName } from '../model/schema-types.js';
import { type CallWords, readCallWords, singular } from './rpc-verbs.js';
import { type Resource, type Role, type Slot, findSlot, plain } from '../contract/resources/id-slot.js';

/** Finds the kinds of items of an API: collections (`/books` beside `/books/{id}`), and calls by verb (`createcase`, `getcase`). */
export function findResources(whole: Api, operations: readonly Operation[] = whole.operations): Resource[] {
  const api = { ...whole, operations };
  const found = [...findCollections(api), ...findCallResources(api)];
  return found.map((resource) => ({ ...resource, sights: findSights(resource, api) }));
}

function findCollections(api: Api): Resource[] {
  const { operations } = api;
  const itemPaths = [...new Set(operations.map(({ path }) => path))].filter((path) => /\/\{[^{}]+\}$/.test(path));
  return itemPaths.map((itemPath) => {
    const path = itemPath.slice(0, itemPath.lastIndexOf('/'));
    const parameter = itemPath.slice(itemPath.lastIndexOf('{') + 1, -1);
    const at = (method: Operation['method'], on: string): Operation | undefined =>
      operations.find((operation) => operation.method === method && operation.path === on);
    const roles = {
      list: at('get', path),
      create: at('post', path),
      read: at('get', itemPath),
      replace: at('put', itemPath),
      change: at('patch', itemPath),
      remove: at('delete', itemPath),
    };
    const collection = { api, itemPath, parameter };
    return {
      name: itemPath,
      parameter,
      creators: [],
      sights: [],
      slots: findItemSlots(collection),
      mentions: findMentions(collection),
      ...withoutUndefined(roles),
    };
  });
}

interface Collection {
  readonly api: Api;
  readonly itemPath: string;
  readonly parameter: string;
}

/** The id stands in the path of the item, and in those below it. */
function findItemSlots({ api, itemPath, parameter }: Collection): Map<Operation, Slot> {
  const below = api.operations.filter(
    ({ path }) => path.startsWith(itemPath) && /^(?:[/:].*)?$/.test(path.slice(itemPath.length)),
  );
  return new Map(
    below.flatMap((operation): [Operation, Slot][] => {
      const own = operation.parameters.find(({ in: place, name }) => place === 'path' && name === parameter);
      return own === undefined ? [] : [[operation, { in: 'parameter', parameter: own }]];
    }),
  );
}

/** Elsewhere the id has a name that says whose it is. */
function findMentions({ api, itemPath, parameter }: Collection): Map<Operation, Slot> {
  const noun = singular(plain(itemPath.split('/').at(-2) ?? ''));
  const wanted = plain(parameter);
  const isTelling = noun.length > 2 && wanted.length > 3 && wanted !== 'name';
  const names = [...(isTelling ? [wanted] : []), ...(noun.length > 2 ? [`${noun}id`] : [])];
  const elsewhere = api.operations.filter(({ path }) => !path.startsWith(itemPath));
  return new Map(
    elsewhere.flatMap((operation): [Operation, Slot][] => {
      const slot = findSlot(operation, names, api);
      // The same name in another path is the id of what that path is about.
      const isPath = slot?.in === 'parameter' && slot.parameter.in === 'path';
      return slot === undefined || isPath ? [] : [[operation, slot]];
    }),
  );
}

interface Call {
  readonly operation: Operation;
  readonly words: CallWords;
}

function findCallResources(api: Api): Resource[] {
  const calls = api.operations.flatMap((operation): Call[] => {
    const words = readCallWords(operation);
    const isWriting = words !== undefined && words.role !== 'read' && words.role !== 'list';
    return words === undefined || (isWriting && operation.method === 'get') ? [] : [{ operation, words }];
  });
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    const name = `${call.words.folder}/${call.words.noun}`.replace('//', '/');
    groups.set(name, [...(groups.get(name) ?? []), call]);
  }
  const shared = [...groups].filter(([, group]) => new Set(group.map(({ words }) => words.role)).size > 1);
  return shared.map(([name, group]) => callResource(name, group, { api, calls, isOnly: shared.length === 1 }));
}

function callResource(
  name: string,
  group: readonly Call[],
  { api, calls, isOnly }: { readonly api: Api; readonly calls: readonly Call[]; readonly isOnly: boolean },
): Resource {
  const roles = Object.fromEntries(group.toReversed().map(({ operation, words }) => [words.role, operation]));
  const { folder, noun } = (group[0] as Call).words;
  const creators = calls
    .filter(({ words, operation }) => words.role === 'create' && operation !== roles.create)
    .filter(({ words }) => words.folder === folder && words.noun.startsWith(noun))
    .map(({ operation }) => operation);
  const slots = new Map<Operation, Slot>();
  for (const operation of api.operations) {
    if (operation === roles.create || operation === roles.list || creators.includes(operation)) continue;
    const text = plain(operation.path.split('/').at(-1) ?? '');
    const isInside = operation.path.startsWith(folder === '/' ? '/' : `${folder}/`);
    const isNamed = text.endsWith(noun) || readCallWords(operation)?.noun.startsWith(noun) === true;
    const isOwn = isInside && (isNamed || isOnly);
    const slot = findSlot(operation, isOwn ? [`${noun}id`, 'id', 'uuid', 'guid'] : [`${noun}id`], api);
    if (slot !== undefined) slots.set(operation, slot);
  }
  const slot = roles.read === undefined ? undefined : slots.get(roles.read);
  const parameter = slot === undefined ? 'id' : slot.in === 'body' ? slot.name : slot.parameter.name;
  return { name, parameter, creators, sights: [], slots, mentions: new Map(), ...roles };
}

function findSights({ list, read, slots }: Resource, api: Api): Operation[] {
  const shown = read === undefined ? undefined : refOf(successSchema(read));
  if (shown === undefined) return [];
  return api.operations.filter(
    (operation) =>
      operation !== list && !slots.has(operation) && shownRefs(successSchema(operation), api).includes(shown),
  );
}

/** The schema of a good answer. */
export function successSchema({ responses }: Operation): Schema {
  const success =
    responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => status.startsWith('2'));
  return success?.content[0]?.schema ?? true;
}

function refOf(schema: Schema | undefined): string | undefined {
  return typeof schema === 'object' ? schema.$ref : undefined;
}

/** What an answer shows, where its schema names it: itself, its members, and the items of lists. */
function shownRefs(schema: Schema, api: Api): string[] {
  const ref = refOf(schema);
  const own = ref === undefined ? schema : api.schemas.get(refName(ref))?.schema;
  if (typeof own !== 'object') return [];
  const members = [own, ...Object.values(own.properties ?? {})].filter((member) => typeof member === 'object');
  return [schema, ...members, ...members.flatMap(({ items }) => items ?? [])].flatMap((one) => refOf(one) ?? []);
}

function withoutUndefined(
  roles: Readonly<Partial<Record<Role, Operation | undefined>>>,
): Partial<Record<Role, Operation>> {
  return Object.fromEntries(Object.entries(roles).filter(([, operation]) => operation !== undefined));
}
