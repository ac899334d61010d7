import type { Api, Operation, Parameter } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { findId, findParentMember, findPrefix } from './id-locations.js';
import { valueAt } from '../server/infer/json-path.js';
import type { PathGroup } from './collections.js';
import { parametersOf } from './path-template.js';
import type { IdMember, Resource } from './resource.js';
import { isFreeObject, isObjectSchema, membersOf } from './schema-members.js';
import { bodySchemaOf, findSuccess, pathParameter } from './success-response.js';
import { findItem, findListShape } from './envelope.js';

/** What a group is about, before its operations have roles. */
export type ResourceCore = Omit<Resource, 'operations'>;

/** Finds out what kind of thing a group of paths keeps, if it keeps one that can be told apart. */
export function analyseGroup(group: PathGroup, api: Api): ResourceCore | undefined {
  const parameter = itemParameterOf(group);
  const found = findCanonical(group, api, parameter);
  if (found === undefined) return analyseSingleton(group, api);
  const { schema, id } = found;
  // Two parameters name an item only as the name of a member and its value, which needs free members.
  if (group.itemParameters.length > 2 || (group.itemParameters.length === 2 && id !== undefined)) return undefined;
  return {
    kind: 'collection',
    collectionPath: group.collectionPath,
    ...(group.itemPath === undefined ? {} : { itemPath: group.itemPath }),
    schema,
    ...(id === undefined ? {} : { id: withPrefix(id, group, api) }),
    itemParameters: group.itemParameters,
    parentMembers: findParentMembers(group, schema, api),
  };
}

function itemParameterOf({ itemParameters, itemOperations }: PathGroup): Parameter | undefined {
  const [operation] = itemOperations;
  const name = itemParameters.at(-1);
  return operation === undefined || name === undefined ? undefined : pathParameter(operation, name);
}

interface Canonical {
  readonly schema: Schema;
  /** Absent where items are free objects. */
  readonly id?: IdMember;
}

/** The schema that says most about an item. Answers come before bodies, since these lack what the service sets. */
function findCanonical(group: PathGroup, api: Api, parameter: Parameter | undefined): Canonical | undefined {
  const toCanonical = (schema: Schema | undefined): Canonical[] => {
    if (schema === undefined) return [];
    if (group.itemParameters.length > 0 && isFreeObject(schema, api)) return [freeItem(schema, group)];
    const id = isObjectSchema(schema, api) ? findId(schema, api, parameter) : undefined;
    return id === undefined ? [] : [{ schema, id }];
  };
  const inside = (schema: Schema | undefined): Canonical[] => {
    if (schema === undefined) return [];
    const item = findItem(schema, api, (one) => toCanonical(one).length > 0);
    return item === undefined ? [] : toCanonical(item.schema);
  };
  const { collectionOperations, itemOperations } = group;
  const create = collectionOperations.filter(({ method }) => method === 'post');
  const noun = nounOf(group);
  const answers = [
    ...itemOperations
      .filter(({ method }) => method === 'get')
      .flatMap((operation) => inside(findSuccess(operation, 'read')?.schema)),
    ...create.flatMap((operation) => inside(findSuccess(operation, 'create')?.schema)),
    ...itemOperations.filter(isWriting).flatMap((operation) => inside(findSuccess(operation, 'patch')?.schema)),
    ...collectionOperations
      .filter(isReading)
      .flatMap((operation) =>
        toCanonical(findListShape(findSuccess(operation, 'list')?.schema ?? false, api, noun)?.item),
      ),
  ];
  return (
    pickRichest(answers, api) ??
    [...create, ...itemOperations].flatMap((operation) => inside(bodySchemaOf(operation)))[0]
  );
}

function isReading({ method }: Operation): boolean {
  return method === 'get';
}

function isWriting({ method }: Operation): boolean {
  return method === 'put' || method === 'patch' || method === 'post';
}

/** The first that has nearly as many members as any: a union has the members of all its branches, which is no merit. */
function pickRichest(found: readonly Canonical[], api: Api): Canonical | undefined {
  const most = Math.max(0, ...found.map(({ schema }) => membersOf(schema, api).size));
  const rich = found.filter(({ schema }) => membersOf(schema, api).size >= most * 0.6);
  return (
    rich.find(({ schema }) => typeof schema === 'object' && schema.anyOf === undefined && schema.oneOf === undefined) ??
    rich[0]
  );
}

function freeItem(schema: Schema, { itemParameters }: PathGroup): Canonical {
  return itemParameters.length === 2 ? { schema } : { schema, id: { path: ['id'], schema: true, prefix: '' } };
}

/** The word of a collection: `pets` of `/pets`. */
export function nounOf({ collectionPath }: { readonly collectionPath: string }): string {
  return collectionPath.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}

function withPrefix(id: IdMember, group: PathGroup, api: Api): IdMember {
  const operations = [...group.itemOperations, ...group.collectionOperations];
  const shown = operations.flatMap((operation) => {
    const success = findSuccess(operation, 'read');
    return (success?.examples ?? []).flatMap(({ value }) => valueAt(value, id.path) ?? []);
  });
  return { ...id, prefix: findPrefix(id, shown, { collectionPath: group.collectionPath, api }) };
}

function findParentMembers(group: PathGroup, schema: Schema, api: Api): ReadonlyMap<string, IdMember> {
  const members = new Map<string, IdMember>();
  const [operation] = [...group.collectionOperations, ...group.itemOperations];
  if (operation === undefined) return members;
  for (const name of parametersOf(group.collectionPath)) {
    const parameter = pathParameter(operation, name);
    const member = parameter === undefined ? undefined : findParentMember(schema, api, parameter);
    if (member !== undefined) members.set(name, member);
  }
  return members;
}

/** A path that is read as an object and written as the same one: `/me`, `/settings`. */
function analyseSingleton(group: PathGroup, api: Api): ResourceCore | undefined {
  if (group.itemPath !== undefined) return undefined;
  const read = group.collectionOperations.find(isReading);
  const schema = read === undefined ? undefined : findSuccess(read, 'read')?.schema;
  if (schema === undefined || !isObjectSchema(schema, api) || findListShape(schema, api, nounOf(group)) !== undefined)
    return undefined;
  if (!group.collectionOperations.some((operation) => isWriting(operation) && writesSame(operation, schema, api)))
    return undefined;
  return {
    kind: 'singleton',
    collectionPath: group.collectionPath,
    schema,
    itemParameters: [],
    parentMembers: findParentMembers(group, schema, api),
  };
}

function writesSame(operation: Operation, schema: Schema, api: Api): boolean {
  const answer = findSuccess(operation, 'patch')?.schema;
  if (answer !== undefined && isSameSchema(answer, schema)) return true;
  const body = bodySchemaOf(operation);
  return operation.method !== 'post' && body !== undefined && sharesMembers(body, schema, api);
}

/** Whether two schemas are one: the same reference, or the same object. */
export function isSameSchema(one: Schema, other: Schema): boolean {
  if (one === other) return true;
  return typeof one === 'object' && typeof other === 'object' && one.$ref !== undefined && one.$ref === other.$ref;
}

/** Whether most members of a body are members of a thing. */
export function sharesMembers(body: Schema, thing: Schema, api: Api): boolean {
  if (isSameSchema(body, thing)) return true;
  const members = membersOf(thing, api);
  const names = [...membersOf(body, api).keys()];
  return names.length > 0 && names.filter((name) => members.has(name)).length * 2 >= names.length;
}
