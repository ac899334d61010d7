import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { flagAfter } from './action-state.js';
import type { OperationPlace, PathGroup } from './collections.js';
import { findCreatedId } from './created-id.js';
import {
  BARE,
  type EnclosedItem,
  findEnclosedItem,
  findListEnvelope,
  findNamedItem,
  sharesMembers,
} from './envelope.js';
import {
  findBodyEnvelope,
  findBodyList,
  hasListOf,
  isItem,
  isLike,
  isListOf,
  openBody,
  showsListOf,
  takesItem,
} from './item-shapes.js';
import { findCorrectedSlot } from './corrected-roles.js';
import { findVerbSlot } from './id-locations.js';
import { foldName, wordsOf } from './inflection.js';
import { isNamedCreation } from './rpc-verbs.js';
import { nounOf } from './path-template.js';
import { changesItems } from './reading-words.js';
import type { Basis, ListEnvelope, ResourceCore, ResourceOperation, Role, Slot } from './resource.js';
import { itemsOf, membersOf } from '../schema/facts/members.js';
import { bodySchemaOf, findSuccess } from './success-response.js';

/** Determines what an operation does with the resource of its group; `undefined` if the spec does not say. */
export function classifyOperation(
  operation: Operation,
  core: ResourceCore,
  { place, api }: ClassifyContext,
): ResourceOperation | undefined {
  const role = roleOf(operation, core, { place, api });
  const success = role === undefined ? undefined : findSuccess(operation, role);
  if (role === undefined || success === undefined) return undefined;
  const { schema } = success;
  const item = schema === undefined ? undefined : findItemOf(schema, core, { role, api });
  const list = role === 'list' && schema !== undefined ? findItemList(schema, core, api) : undefined;
  if (role === 'list' && list === undefined) return undefined;
  if (role === 'read' && item === undefined && (operation.method === 'get' || isCall(place, operation)))
    return undefined;
  const isShown = showsOwnItem(item, core, api);
  if (role === 'action' && !isShown && flagAfter(operation, core.schema, api) === undefined) return undefined;
  const isElsewhere =
    role === 'create' && schema !== undefined && (item === undefined || core.correction?.idInResponse !== undefined);
  const createdId = isElsewhere ? findCreatedId(schema, core, api) : undefined;
  const idSlot = idSlotOf(operation, place, api);
  if (isCall(place, operation) && idSlot === undefined && !NEEDS_NO_ID.has(role)) return undefined;
  return {
    role,
    basis: basisOf(operation, { place, item, role }),
    operation,
    success,
    bodyEnvelope: role === 'createMany' ? findBodyList(operation, core, api) : findBodyEnvelope(operation, core, api),
    ...(item === undefined ? {} : { envelope: item.envelope }),
    ...(list === undefined ? {} : { list }),
    ...(createdId === undefined ? {} : { createdId }),
    ...(place.kind === 'action' ? { verb: place.verb } : {}),
    ...(place.kind === 'verb' && place.call.verb !== undefined ? { verb: place.call.verb } : {}),
    ...(place.kind === 'verb' && place.call.isCopy === true ? { isCopy: true } : {}),
    ...(idSlot === undefined ? {} : { idSlot }),
  };
}

/** Whether the response to an action shows the item: inside of another object, an author has an id and a type too. */
function showsOwnItem(item: EnclosedItem | undefined, core: ResourceCore, api: Api): boolean {
  if (item === undefined || !isLike(item.schema, core, api)) return false;
  const shown = membersOf(item.schema, api);
  const own = [...membersOf(core.schema, api).keys()].filter((name) => !GENERIC_NAMES.has(foldName(name)));
  return item.envelope.path.length === 0 || own.length === 0 || own.some((name) => shown.has(name));
}

/** Names of members that items of any kind have. */
const GENERIC_NAMES: ReadonlySet<string> = new Set(['id', 'type', 'kind', 'object', 'name', 'createdat', 'updatedat']);

const NEEDS_NO_ID: ReadonlySet<Role> = new Set(['list', 'create', 'createMany']);

/** Finds the list in a response; its entries are items, or contain one each. */
function findItemList(schema: Schema, core: ResourceCore, api: Api): ListEnvelope | undefined {
  const list = findListEnvelope(schema, api, nounOf(core));
  if (list === undefined || isItem(list.item, core, api)) return list;
  const inner = findEnclosedItem(list.item, api, (one) => isItem(one, core, api) && isLike(one, core, api));
  const {
    path: [member, ...deeper],
    isList,
  } = inner?.envelope ?? BARE;
  if (inner === undefined || member === undefined || deeper.length > 0 || isList) return list;
  return { path: list.path, item: inner.schema, entry: { schema: list.item, member } };
}

/** Why an operation has a role: its path and method, or its word; a role that no schema confirms is not sure. */
function basisOf(
  { method, source }: Operation,
  { place, item, role }: { readonly place: OperationPlace; readonly item: unknown; readonly role: Role },
): Basis {
  if (place.kind === 'verb') return place.call.basis;
  if (place.kind === 'corrected') return { reason: 'a correction says so', isSure: true };
  const reason = {
    own: `it is ${method.toUpperCase()} on the path`,
    action:
      item === undefined ? 'it is below the item and named like a flag of it' : 'it is below the item and returns it',
    view: 'it is below the collection and shows its items',
  };
  const isSure = item !== undefined || role === 'list' || role === 'delete' || role === 'create';
  return { reason: reason[place.kind], isSure, place: source };
}

/** Finds the item in a response: of several objects with an id, the one with the item's name, or with its members. */
function findItemOf(
  schema: Schema,
  core: ResourceCore,
  { role, api }: { readonly role: Role; readonly api: Api },
): ReturnType<typeof findEnclosedItem> {
  const items = role === 'create' ? itemsOf(schema, api) : undefined;
  if (items !== undefined) return { envelope: { path: [], isList: true }, schema: items };
  const list =
    role === 'create' && showsListOf(schema, core, api) ? findListEnvelope(schema, api, nounOf(core)) : undefined;
  return (
    findNamedItem(schema, { api, noun: nounOf(core), isItem: (one) => isItem(one, core, api) }) ??
    (list && { envelope: { path: list.path, isList: true }, schema: list.item }) ??
    findEnclosedItem(schema, api, (one) => isItem(one, core, api) && isLike(one, core, api)) ??
    findEnclosedItem(schema, api, (one) => isItem(one, core, api))
  );
}

interface ClassifyContext {
  readonly place: OperationPlace;
  readonly api: Api;
}

/** Whether the path of an operation alone does not say where it takes the id. */
function isCall({ kind, group }: OperationPlace, operation: Operation): boolean {
  return kind === 'verb' || (kind === 'corrected' && !group.itemOperations.includes(operation));
}

function idSlotOf(operation: Operation, { kind, group }: OperationPlace, api: Api): Slot | undefined {
  if (kind === 'corrected' && group.corrected !== undefined)
    return group.itemOperations.includes(operation)
      ? undefined
      : findCorrectedSlot(operation, group.collectionPath, group.corrected, api);
  return kind !== 'verb' || group.verbs === undefined ? undefined : findVerbSlot(operation, group.verbs, api);
}

function roleOf(operation: Operation, core: ResourceCore, { place, api }: ClassifyContext): Role | undefined {
  if (place.kind === 'action') return ['post', 'put', 'delete'].includes(operation.method) ? 'action' : undefined;
  if (place.kind === 'corrected') return place.role === 'create' ? correctedCreation(operation, core, api) : place.role;
  if (place.kind === 'view') return viewRole(operation, core, { group: place.group, api });
  if (place.kind === 'verb') return verbRole(operation, core, place.call.role, api);
  if (core.kind === 'singleton') return singletonRole(operation, core, api);
  return place.group.itemOperations.includes(operation)
    ? itemRole(operation)
    : collectionRole(operation, core, { place, api });
}

/** The verb decides the role; a creation must also return the new item or its id, or accept an item's members. */
function verbRole(operation: Operation, core: ResourceCore, role: Role, api: Api): Role | undefined {
  return role === 'create' ? createRole(operation, core, api) : role;
}

/** A creation that takes a list creates several items. */
function correctedCreation(operation: Operation, core: ResourceCore, api: Api): Role {
  const body = bodySchemaOf(operation);
  return body !== undefined && isListOf(body, core, api) ? 'createMany' : 'create';
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
  const shown = findSuccess(operation, 'patch')?.schema;
  return shown !== undefined && isLike(shown, core, api) ? 'patch' : undefined;
}

function collectionRole(operation: Operation, core: ResourceCore, { api }: ClassifyContext): Role | undefined {
  const body = bodySchemaOf(operation);
  switch (operation.method) {
    case 'get':
    case 'head':
      return 'list';
    case 'post':
      return createRole(operation, core, api);
    // The id in the body names the item.
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

/** A POST creates if it returns the new item, if it says so and lists new items, or if it accepts an item and does not return a list. */
function createRole(operation: Operation, core: ResourceCore, api: Api): Role | undefined {
  const [body, success] = [bodySchemaOf(operation), findSuccess(operation, 'create')];
  if (success === undefined) return undefined;
  if (body !== undefined && isListOf(body, core, api)) return 'createMany';
  const { schema } = success;
  if (
    schema !== undefined &&
    findEnclosedItem(schema, api, (one) => isItem(one, core, api) && isLike(one, core, api)) !== undefined
  )
    return 'create';
  if (body !== undefined && hasListOf(body, core, api) && schema !== undefined && showsListOf(schema, core, api))
    return 'createMany';
  if (isNamedCreation(operation) && schema !== undefined && showsListOf(schema, core, api)) return 'create';
  if (body === undefined || !sharesMembers(openBody(body, core, api), core.schema, api)) return undefined;
  if (schema === undefined || findListEnvelope(schema, api, nounOf(core)) === undefined) return 'create';
  // 201 means that the POST created something: the list contains the new item.
  return success.status === 201 && isListOf(schema, core, api) ? 'create' : undefined;
}

/** Operations on a path below a collection: other lists of its items, and the creation of several. */
function viewRole(operation: Operation, core: ResourceCore, { group, api }: GroupContext): Role | undefined {
  if (core.kind === 'singleton') return undefined;
  const body = bodySchemaOf(operation);
  const schema = findSuccess(operation, 'list')?.schema;
  if (operation.method === 'post' && body !== undefined) {
    const isShown = schema !== undefined && showsListOf(schema, core, api);
    if (isListOf(body, core, api) || (isShown && hasListOf(body, core, api))) return 'createMany';
    if (startsItem(body, schema, { core, group, api })) return 'create';
    if (takesItem(body, core, api) || changesItems(operation.path.split('/').at(-1) ?? '')) return undefined;
  }
  if (!['get', 'query', 'post'].includes(operation.method)) return undefined;
  const list = schema === undefined ? undefined : findItemList(schema, core, api);
  return list !== undefined && isLike(list.item, core, api) ? 'list' : undefined;
}

interface GroupContext {
  readonly group: PathGroup;
  readonly api: Api;
}

/**
 * Whether a call below a collection that nothing else fills begins an item, such as a job: the response shows its id, by
 * a name that only these ids have, and the request does not.
 */
function startsItem(
  body: Schema,
  shown: Schema | undefined,
  { core, group, api }: GroupContext & { readonly core: ResourceCore },
): boolean {
  const [name = '', ...deeper] = core.id?.path ?? [];
  const isNamed = wordsOf(name).length > 1 && deeper.length === 0 && core.itemParameters.includes(name);
  if (!isNamed || group.collectionOperations.length > 0 || membersOf(body, api).has(name)) return false;
  return shown !== undefined && isItem(shown, core, api) && isLike(shown, core, api);
}
