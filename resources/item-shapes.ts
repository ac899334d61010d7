import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { BARE, type EnclosedItem, findEnclosedItem, findListEnvelope, isSameNoun, sharesMembers } from './envelope.js';
import { nounOf } from './path-template.js';
import type { ItemEnvelope, ResourceCore } from './resource.js';
import { isFreeObject, isObjectSchema, isSameSchema, itemsOf, membersOf, typesOf } from '../schema/facts/members.js';
import { bodySchemaOf } from './success-response.js';

/** Whether a body has an item, or a list of them, in a member with its noun: it is no search. */
export function takesItem(body: Schema, core: ResourceCore, api: Api): boolean {
  return [...membersOf(body, api).values()].some(
    ({ name, schema }) =>
      isSameNoun(name, nounOf(core)) && (isObjectSchema(schema, api) || itemsOf(schema, api) !== undefined),
  );
}

export function isListOf(body: Schema, core: ResourceCore, api: Api): boolean {
  const items = typesOf(body, api).has('array') ? itemsOf(body, api) : undefined;
  return items !== undefined && isLike(items, core, api);
}

/** Whether a body has a single list, which is one of items: `{ "invites": [] }`. */
export function hasListOf(body: Schema, core: ResourceCore, api: Api): boolean {
  const lists = [...membersOf(body, api).values()].filter(({ schema }) => itemsOf(schema, api) !== undefined);
  return lists.length === 1 && lists.every(({ schema }) => isListOf(schema, core, api));
}

export function showsListOf(schema: Schema, core: ResourceCore, api: Api): boolean {
  const list = findListEnvelope(schema, api, nounOf(core));
  return list !== undefined && isItem(list.item, core, api) && isLike(list.item, core, api);
}

export function findBodyList(operation: Operation, core: ResourceCore, api: Api): ItemEnvelope {
  const members = [...membersOf(bodySchemaOf(operation) ?? true, api).values()];
  const list = members.find(({ schema }) => isListOf(schema, core, api));
  return list === undefined ? BARE : { path: [list.name], isList: false };
}

/** Whether a schema describes an item: the same schema, or one with the same id and most of the members. */
export function isLike(schema: Schema, core: ResourceCore, api: Api): boolean {
  return (
    isSameSchema(schema, core.schema) ||
    sharesMembers(schema, core.schema, api) ||
    sharesMembers(core.schema, schema, api)
  );
}

/** Whether a schema has the id of an item. */
export function isItem(
  schema: Schema,
  { id, kind, schema: canonical, itemParameters }: ResourceCore,
  api: Api,
): boolean {
  if (kind === 'singleton')
    return (
      isSameSchema(schema, canonical) ||
      (sharesMembers(schema, canonical, api) && sharesMembers(canonical, schema, api))
    );
  if (id === undefined) return isFreeObject(schema, api);
  if (isFreeObject(schema, api)) return itemParameters.length > 0 && isSameSchema(schema, canonical);
  const [outer = '', inner] = id.path;
  const member = membersOf(schema, api).get(outer);
  return member !== undefined && (inner === undefined || membersOf(member.schema, api).has(inner));
}

export function findBodyEnvelope(operation: Operation, core: ResourceCore, api: Api): ItemEnvelope {
  const body = bodySchemaOf(operation);
  return (body === undefined ? undefined : findBodyItem(body, core, api))?.envelope ?? BARE;
}

export function openBody(body: Schema, core: ResourceCore, api: Api): Schema {
  return findBodyItem(body, core, api)?.schema ?? body;
}

/**
 * Finds the item in a body. It may lack the id, so an envelope is recognized by its members, `{ entry: { name, email }
 * }`, or by the name of its only member, `{ invoice: { fees } }`, which may take other members than the item has.
 */
function findBodyItem(body: Schema, core: ResourceCore, api: Api): EnclosedItem | undefined {
  const members = [...membersOf(body, api).values()];
  const known = membersOf(core.schema, api);
  const named = members.find(
    ({ name, schema }) => isSameNoun(name, nounOf(core)) && isObjectSchema(schema, api) && !known.has(name),
  );
  // Beside options, such as `{ status, invoice: { fees } }`, it must have members of the item.
  if (named !== undefined && (members.length === 1 || looksLikeBody(named.schema, core, api)))
    return { envelope: { path: [named.name], isList: false }, schema: named.schema };
  const found = findEnclosedItem(body, api, (schema) => looksLikeBody(schema, core, api));
  // A member of the item is no envelope, although it takes any members: `ticket_attributes` of a ticket.
  return known.has(found?.envelope.path[0] ?? '') ? undefined : found;
}

function looksLikeBody(schema: Schema, core: ResourceCore, api: Api): boolean {
  return isFreeObject(schema, api) || sharesMembers(schema, core.schema, api);
}
