import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { type ResourceCore, isSameSchema, nounOf, sharesMembers } from './analyze-collection.js';
import type { Place } from './collections.js';
import type { ItemWrap, ResourceOperation, Role } from './resource.js';
import { isFreeObject, itemsOf, membersOf, typesOf } from './schema-members.js';
import { bodySchemaOf, findSuccess } from './success-response.js';
import { UNWRAPPED, findItem, findListShape } from './envelope.js';

/** What an operation does with the resource of its group, or nothing where that cannot be told. */
export function assignRole(
  operation: Operation,
  core: ResourceCore,
  { place, api }: { readonly place: Place; readonly api: Api },
): ResourceOperation | undefined {
  const role = roleOf(operation, core, { place, api });
  const success = role === undefined ? undefined : findSuccess(operation, role);
  if (role === undefined || success === undefined) return undefined;
  const item =
    success.schema === undefined ? undefined : findItem(success.schema, api, (schema) => isItem(schema, core, api));
  const list =
    role === 'list' && success.schema !== undefined ? findListShape(success.schema, api, nounOf(core)) : undefined;
  if (role === 'list' && list === undefined) return undefined;
  if (role === 'read' && item === undefined && operation.method === 'get') return undefined;
  if (role === 'act' && (item === undefined || !isLike(item.schema, core, api))) return undefined;
  return {
    role,
    operation,
    success,
    bodyWrap: findBodyWrap(operation, core, api),
    ...(item === undefined ? {} : { wrap: item.wrap }),
    ...(list === undefined ? {} : { list }),
    ...(place.kind === 'action' ? { verb: place.verb } : {}),
  };
}

interface RoleContext {
  readonly place: Place;
  readonly api: Api;
}

function roleOf(operation: Operation, core: ResourceCore, { place, api }: RoleContext): Role | undefined {
  if (place.kind === 'action') return operation.method === 'post' || operation.method === 'put' ? 'act' : undefined;
  if (place.kind === 'view') return viewRole(operation, core, api);
  if (core.kind === 'singleton') return singletonRole(operation, core, api);
  return place.group.itemOperations.includes(operation)
    ? itemRole(operation)
    : collectionRole(operation, core, { place, api });
}

function itemRole({ method }: Operation): Role | undefined {
  const roles: Partial<Readonly<Record<Operation['method'], Role>>> = {
    get: 'read',
    head: 'read',
    put: 'replace',
    patch: 'patch',
    post: 'patch',
    delete: 'delete',
  };
  return roles[method];
}

function singletonRole(operation: Operation, core: ResourceCore, api: Api): Role | undefined {
  if (operation.method !== 'post') return itemRole(operation);
  const answer = findSuccess(operation, 'patch')?.schema;
  return answer !== undefined && isLike(answer, core, api) ? 'patch' : undefined;
}

function collectionRole(operation: Operation, core: ResourceCore, { api }: RoleContext): Role | undefined {
  const body = bodySchemaOf(operation);
  switch (operation.method) {
    case 'get':
    case 'head':
      return 'list';
    case 'post':
      return createRole(operation, core, api);
    // The item is named by the id in the body.
    case 'put':
    case 'patch':
      return body !== undefined && isLike(body, core, api) && isItem(body, core, api)
        ? operation.method === 'put'
          ? 'replace'
          : 'patch'
        : undefined;
    default:
      return undefined;
  }
}

/** A POST creates if its answer is the new item, or if it takes one and does not answer with something that is none. */
function createRole(operation: Operation, core: ResourceCore, api: Api): Role | undefined {
  const [body, success] = [bodySchemaOf(operation), findSuccess(operation, 'create')];
  if (success === undefined) return undefined;
  if (body !== undefined && isListOf(body, core, api)) return 'createMany';
  const { schema } = success;
  if (
    schema !== undefined &&
    findItem(schema, api, (one) => isItem(one, core, api) && isLike(one, core, api)) !== undefined
  )
    return 'create';
  if (body === undefined || !sharesMembers(unwrapBody(body, core, api), core.schema, api)) return undefined;
  return schema === undefined || findListShape(schema, api, nounOf(core)) === undefined ? 'create' : undefined;
}

/** Behind a collection: other lists of its items, and the creation of several. */
function viewRole(operation: Operation, core: ResourceCore, api: Api): Role | undefined {
  if (core.kind === 'singleton') return undefined;
  if (operation.method === 'get') {
    const schema = findSuccess(operation, 'list')?.schema;
    const shape = schema === undefined ? undefined : findListShape(schema, api, nounOf(core));
    return shape !== undefined && isLike(shape.item, core, api) ? 'list' : undefined;
  }
  const body = bodySchemaOf(operation);
  return operation.method === 'post' && body !== undefined && isListOf(body, core, api) ? 'createMany' : undefined;
}

function isListOf(body: Schema, core: ResourceCore, api: Api): boolean {
  const items = typesOf(body, api).has('array') ? itemsOf(body, api) : undefined;
  return items !== undefined && isLike(items, core, api);
}

/** Whether a schema is that of an item: the same, or with the same id and most of the members. */
function isLike(schema: Schema, core: ResourceCore, api: Api): boolean {
  return (
    isSameSchema(schema, core.schema) ||
    sharesMembers(schema, core.schema, api) ||
    sharesMembers(core.schema, schema, api)
  );
}

/** Whether a schema has the id of an item. */
function isItem(schema: Schema, { id, kind, schema: canonical, itemParameters }: ResourceCore, api: Api): boolean {
  if (kind === 'singleton') return isSameSchema(schema, canonical);
  if (id === undefined) return isFreeObject(schema, api);
  if (isFreeObject(schema, api)) return itemParameters.length > 0 && isSameSchema(schema, canonical);
  const [outer = '', inner] = id.path;
  const member = membersOf(schema, api).get(outer);
  return member !== undefined && (inner === undefined || membersOf(member.schema, api).has(inner));
}

/** Bodies may lack the id, so a wrap shows by the members: `{ user: { name, email } }`. */
function findBodyWrap(operation: Operation, core: ResourceCore, api: Api): ItemWrap {
  const body = bodySchemaOf(operation);
  if (body === undefined) return UNWRAPPED;
  return findItem(body, api, (schema) => looksLikeBody(schema, core, api))?.wrap ?? UNWRAPPED;
}

function unwrapBody(body: Schema, core: ResourceCore, api: Api): Schema {
  return findItem(body, api, (schema) => looksLikeBody(schema, core, api))?.schema ?? body;
}

function looksLikeBody(schema: Schema, core: ResourceCore, api: Api): boolean {
  return isFreeObject(schema, api) || sharesMembers(schema, core.schema, api);
}
