import { correctionOf } from '../../../resources/corrections.js';
import { withoutSlash } from '../../../resources/corrected-resources.js';
import { memberPath } from '../../../resources/member-paths.js';
import { itemPlace } from '../../plan/call-body.js';
import { nounOf } from '../../../resources/path-template.js';
import type { Api, Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema } from '../../../model/schema-types.js';
import { foldName, toSingular, wordsOf } from '../../../resources/inflection.js';
import type { Resource } from '../../../resources/resource.js';
import { itemsOf, keywordOf, membersOf } from '../../../schema/facts/members.js';

/** A place in the body of an operation that names an item of another collection. */
export interface BodyReference {
  readonly resource: Resource;
  /** Member names from the body down; `*` stands for each item of a list. */
  readonly path: readonly string[];
  readonly schema: Schema;
}

const MAX_DEPTH = 6;
/** Schemas that refer to each other at every level have more places than could be visited. */
const MAX_VISITS = 2_000;
const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Finds the ids in a body, at any depth: `authorId`, `author_id`, `author`, `author: { id }`, `bookIds: []`, the
 * `{ type: 'people', id }` of JSON:API, names that end like one of these (`from_account_id`), and members with the schema
 * of a path parameter (the same `$ref`, or a pattern such as `^acc_[0-9]+$` that belongs to one kind of items). The map
 * has the references of items, but not those of other bodies.
 */
export function findBodyReferences(
  operation: Operation,
  resources: readonly Resource[],
  api: Api,
): readonly BodyReference[] {
  const schema = operation.body?.content[0]?.schema;
  if (schema === undefined) return [];
  const targets = describeTargets(resources.filter(({ create, list, views }) => create ?? list ?? views[0]));
  const found: BodyReference[] = [...correctedReferences(operation, resources, api)];
  visit(schema, { path: [], around: NO_NAMES }, { targets, api, found, left: MAX_VISITS });
  const places = new Set<string>();
  // A correction comes before what its name says.
  const first = found.filter(({ path }) => !places.has(path.join('/')) && places.add(path.join('/')));
  return first.filter(({ resource }) => resource.create !== operation && !resource.creators.includes(operation));
}

/** The references that a correction names, in the body of an operation that creates or changes an item. */
function correctedReferences(operation: Operation, resources: readonly Resource[], api: Api): readonly BodyReference[] {
  const media = operation.body?.content[0];
  const owner = resources.find(({ create, creators, patch, replace }) =>
    [create, patch, replace, ...creators].includes(operation),
  );
  const { references = {} } = (owner === undefined ? undefined : correctionOf(owner.name, api)) ?? {};
  if (media === undefined) return [];
  return Object.entries(references).flatMap(([member, collection]): BodyReference[] => {
    const resource = resources.find(({ name }) => isOf(name, collection));
    const path = [...itemPlace(media, api), ...memberPath(member)];
    const schema = path.reduce<Schema | undefined>(
      (at, name) => (at === undefined ? undefined : membersOf(at, api).get(name)?.schema),
      media.schema ?? true,
    );
    if (resource === undefined || schema === undefined) return [];
    const items = itemsOf(schema, api);
    return [items === undefined ? { resource, path, schema } : { resource, path: [...path, '*'], schema: items }];
  });
}

/** Whether a resource has the collection of a correction: `/plans/{code}` is of `/plans`. */
function isOf(name: string, collection: string): boolean {
  const [own, path] = [withoutSlash(name), withoutSlash(collection)];
  return own === path || own.replace(/\/\{[^{}/]+\}$/, '') === path;
}

interface Target {
  readonly resource: Resource;
  /** Names of members that contain the id of one item. */
  readonly idNames: ReadonlySet<string>;
  /** The name of a member that contains an object with the id. */
  readonly noun: string;
  /** The collection's name in its path. */
  readonly word: string;
  /** The names of schemas, and patterns, that only ids of this kind have. */
  readonly forms: ReadonlySet<string>;
}

function describeTargets(resources: readonly Resource[]): readonly Target[] {
  const forms = resources.map(formsOfIds);
  return resources.map((resource, index) => {
    const isOwn = (form: string): boolean => forms.every((others, at) => at === index || !others.has(form));
    return { ...describeTarget(resource), forms: new Set([...(forms[index] ?? [])].filter(isOwn)) };
  });
}

/** The forms that ids of a resource have in paths. */
function formsOfIds({ slots }: Resource): ReadonlySet<string> {
  return new Set(
    [...slots.values()].flatMap((slot) => (slot.in === 'parameter' ? formsOf(slot.parameter.schema) : [])),
  );
}

/** What tells the values of a schema from others: the name of the schema, and a pattern with a prefix of its own. */
function formsOf(schema: Schema): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { $ref, pattern } = schema;
  return [
    ...(typeof $ref === 'string' ? [$ref] : []),
    ...(typeof pattern === 'string' && PREFIXED.test(pattern) ? [pattern] : []),
  ];
}

/** Matches patterns that begin with a word, such as `^acc_[0-9]+$`. */
const PREFIXED = /^\^[A-Za-z]{2,}[_-]/;

function describeTarget(resource: Resource): Omit<Target, 'forms'> {
  const word = nounOf({ collectionPath: resource.name });
  const noun = foldName(toSingular(word));
  const parameter = foldName(resource.parameter);
  const names = noun.length > 2 ? [`${noun}id`, `${noun}${parameter}`] : [];
  if (parameter.length > 3 && parameter.endsWith('id')) names.push(parameter);
  return { resource, idNames: new Set(names), noun, word };
}

interface Search {
  readonly targets: readonly Target[];
  readonly api: Api;
  readonly found: BodyReference[];
  /** How many schemas may still be visited. */
  left: number;
}

interface Visited {
  readonly path: readonly string[];
  /** The named schemas that contain the place. */
  readonly around: ReadonlySet<string>;
}

function visit(schema: Schema, { path, around }: Visited, search: Search): void {
  const own = typeof schema === 'boolean' ? undefined : schema.$ref;
  if (path.length > MAX_DEPTH || search.left === 0 || (own !== undefined && around.has(own))) return;
  search.left -= 1;
  const inner = own === undefined ? around : new Set([...around, own]);
  const { targets, api, found } = search;
  const members = membersOf(schema, api);
  const id = members.get('id');
  const type = members.get('type');
  const word = type === undefined || id === undefined ? undefined : onlyText(type.schema, api);
  const typed = targets.find((target) => target.word === word);
  if (typed !== undefined && id !== undefined)
    found.push({ resource: typed.resource, path: [...path, 'id'], schema: id.schema });
  for (const { name, schema: member } of members.values()) {
    const folded = foldName(name);
    const items = itemsOf(member, api);
    const one =
      targets.find(({ idNames }) => idNames.has(folded)) ??
      (isUnexplained(member, api) ? targets.find(({ noun }) => noun.length > 2 && noun === folded) : undefined) ??
      targetLike(name, member, targets);
    const many =
      items === undefined || !folded.endsWith('s')
        ? undefined
        : (targets.find(({ idNames }) => idNames.has(folded.slice(0, -1))) ??
          targetLike(name.slice(0, -1), items, targets));
    const inside = membersOf(member, api);
    const owner = inside.size === 0 ? undefined : targets.find(({ noun }) => noun.length > 2 && noun === folded);
    const ownId = owner === undefined ? undefined : inside.get('id');
    if (one !== undefined && inside.size === 0 && items === undefined)
      found.push({ resource: one.resource, path: [...path, name], schema: member });
    else if (many !== undefined && items !== undefined)
      found.push({ resource: many.resource, path: [...path, name, '*'], schema: items });
    else if (owner !== undefined && ownId !== undefined)
      found.push({ resource: owner.resource, path: [...path, name, 'id'], schema: ownId.schema });
    if (inside.size > 0) visit(member, { path: [...path, name], around: inner }, search);
    if (items !== undefined) visit(items, { path: [...path, name, '*'], around: inner }, search);
  }
}

/** The target of a member whose schema is that of its ids, or whose name ends like theirs: `from_account_id`. */
function targetLike(name: string, schema: Schema, targets: readonly Target[]): Target | undefined {
  const forms = formsOf(schema);
  const words = wordsOf(name);
  const endings = words.slice(1).map((_, index) => words.slice(index + 1).join(''));
  return (
    targets.find((target) => forms.some((form) => target.forms.has(form))) ??
    targets.find(({ idNames }) => endings.some((ending) => idNames.has(ending)))
  );
}

/** Whether a schema says nothing about its values: then `customer` is likely to be the id of a customer. */
function isUnexplained(schema: Schema, api: Api): boolean {
  return (['enum', 'const', 'pattern', 'examples', 'default'] as const).every(
    (keyword) => keywordOf(schema, keyword, api) === undefined,
  );
}

/** The only text that a schema allows. */
function onlyText(schema: Schema, api: Api): string | undefined {
  const fixed = keywordOf(schema, 'const', api);
  const [first, ...others] = keywordOf(schema, 'enum', api) ?? [fixed];
  return typeof first === 'string' && others.length === 0 ? first : undefined;
}

/** The values at a path of a body. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined ? [] : [value];
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return isRecord(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/** Where a body has values at a path, with the index of each item instead of `*`. */
export function placesAt(value: unknown, path: readonly string[]): readonly (readonly (string | number)[])[] {
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined ? [] : [[]];
  if (name === '*')
    return Array.isArray(value)
      ? value.flatMap((item, index) => placesAt(item, rest).map((place) => [index, ...place]))
      : [];
  if (!isRecord(value) || !Object.hasOwn(value, name)) return [];
  return placesAt(value[name], rest).map((place) => [name, ...place]);
}

/** Returns the body with the existing values at a path replaced. */
export function replaceValues(value: unknown, path: readonly string[], replace: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replace(value);
  if (name === '*') return Array.isArray(value) ? value.map((item) => replaceValues(item, rest, replace)) : value;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: replaceValues(value[name], rest, replace) };
}
