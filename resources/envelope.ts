import { takeAt } from '../schema/value-path.js';
import type { Api, Operation } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, toSingular } from './inflection.js';
import { nounOf } from './path-template.js';
import type { ItemEnvelope, ListEnvelope } from './resource.js';
import { isFreeObject, isObjectSchema, isSameSchema, itemsOf, membersOf, typesOf } from '../schema/facts/members.js';
import { successSchema } from './success-response.js';

/** Usual names of members that contain lists or items. */
const USUAL_MEMBERS: ReadonlySet<string> = new Set([
  'items',
  'data',
  'results',
  'result',
  'value',
  'values',
  'records',
  'entries',
  'rows',
  'content',
  'list',
  'response',
  '_embedded',
]);

/** No envelope: the item is the body. */
export const BARE: ItemEnvelope = { path: [], isList: false };

/**
 * Returns how a page contains its items: as a list of objects, or in a member at most two levels down. `undefined` if a
 * schema is not a page.
 */
export function findListEnvelope(schema: Schema, api: Api, noun: string): ListEnvelope | undefined {
  return typesOf(schema, api).has('array') ? toList(schema, [], api) : findListMember(schema, api, { noun, path: [] });
}

function findListMember(
  schema: Schema,
  api: Api,
  { noun, path }: { readonly noun: string; readonly path: readonly string[] },
): ListEnvelope | undefined {
  const members = membersOf(schema, api);
  // An object with an id of its own and a list is an item, not a page.
  if (members.has('id') || members.has('_id')) return undefined;
  const lists = [...members.values()].flatMap(({ name, schema: member }) =>
    typesOf(member, api).has('array') ? (toList(member, [...path, name], api) ?? []) : [],
  );
  const usual = lists.find((list) => isUsual(list.path.at(-1) ?? '', noun));
  if (lists.length > 0 || path.length > 0) return lists.length === 1 && path.length === 0 ? lists[0] : usual;
  const inner = [...members.values()].flatMap(({ name, schema: member }) =>
    isObjectSchema(member, api) && isUsual(name, noun)
      ? (findListMember(member, api, { noun, path: [name] }) ?? [])
      : [],
  );
  return inner.length === 1 ? inner[0] : undefined;
}

function toList(schema: Schema, path: readonly string[], api: Api): ListEnvelope | undefined {
  const item = itemsOf(schema, api);
  return item !== undefined && isObjectSchema(item, api) ? { path, item } : undefined;
}

function isUsual(member: string, noun: string): boolean {
  return isUsualName(member) || isSameNoun(member, noun) || isSameNoun(member.replace(/_?list$/i, ''), noun);
}

/** Whether a member is named after a collection's noun: `pet` or `pets` for `/pets`. */
export function isSameNoun(member: string, noun: string): boolean {
  return foldName(toSingular(member)) === foldName(toSingular(noun));
}

/** An item inside a schema. */
export interface EnclosedItem {
  readonly envelope: ItemEnvelope;
  readonly schema: Schema;
}

/**
 * Finds the item in a body's schema: the body itself, a member, or a member of its envelope, as in `{ data: { gadget }
 * }`.
 *
 * @param isItem - whether a schema describes an item.
 */
export function findEnclosedItem(
  schema: Schema,
  api: Api,
  isItem: (schema: Schema) => boolean,
): EnclosedItem | undefined {
  if (isObjectSchema(schema, api) && isItem(schema)) return { envelope: BARE, schema };
  const inner = itemsInMembers(schema, [], { api, isItem });
  if (inner.length > 0) return inner.length === 1 ? inner[0] : undefined;
  const objects = [...membersOf(schema, api).values()].filter((member) => isObjectSchema(member.schema, api));
  const envelopes = objects.filter(({ name }) => objects.length === 1 || isUsualName(name));
  // An object of any members, such as `metadata`, is no item there.
  const isDescribed = (one: Schema): boolean => !isFreeObject(one, api) && isItem(one);
  const deeper = envelopes.flatMap(({ name, schema: outer }) =>
    itemsInMembers(outer, [name], { api, isItem: isDescribed }),
  );
  return deeper.length === 1 ? deeper[0] : undefined;
}

/** The only member with the name of a collection that is an item, in a body that is no item itself. */
export function findNamedItem(
  schema: Schema,
  { api, noun, isItem }: ItemTest & { readonly noun: string },
): EnclosedItem | undefined {
  const named = [...membersOf(schema, api).values()].filter(
    (member) => isSameNoun(member.name, noun) && isObjectSchema(member.schema, api) && isItem(member.schema),
  );
  const [only] = named.length === 1 && !isItem(schema) ? named : [];
  return only && { envelope: { path: [only.name], isList: false }, schema: only.schema };
}

interface ItemTest {
  readonly api: Api;
  readonly isItem: (schema: Schema) => boolean;
}

function itemsInMembers(schema: Schema, outer: readonly string[], test: ItemTest): EnclosedItem[] {
  return [...membersOf(schema, test.api).values()].flatMap((member) =>
    itemInMember([...outer, member.name], member.schema, test),
  );
}

/** A list counts only if it is limited to one item: otherwise it is a page. */
function itemInMember(path: readonly string[], member: Schema, { api, isItem }: ItemTest): EnclosedItem[] {
  if (isObjectSchema(member, api)) return isItem(member) ? [{ envelope: { path, isList: false }, schema: member }] : [];
  const items = typeof member === 'object' && member.maxItems === 1 ? itemsOf(member, api) : undefined;
  if (items === undefined || !(isItem(items) || isFreeObject(items, api))) return [];
  return [{ envelope: { path, isList: true }, schema: items }];
}

/** Puts an item into its envelope. */
export function encloseItem({ path, isList }: ItemEnvelope, item: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), isList ? [item] : item);
}

/** Takes an item out of its envelope. */
export function openItem({ path, isList }: ItemEnvelope, body: unknown): unknown {
  const inner = path.reduce((at, name) => (isRecord(at) ? at[name] : at), body);
  return isList && Array.isArray(inner) ? inner[0] : inner;
}

/** Whether an item has most members of a body. */
export function sharesMembers(body: Schema, item: Schema, api: Api): boolean {
  if (isSameSchema(body, item)) return true;
  const members = membersOf(item, api);
  const names = [...membersOf(body, api).keys()];
  return names.length > 0 && names.filter((name) => members.has(name)).length * 2 >= names.length;
}

/** The items in a response to an operation; `undefined` if it is not a list. */
export function listedItems(operation: Operation, body: unknown, api: Api): readonly unknown[] | undefined {
  return itemsIn(body, listPathOf(operation, api));
}

/** The list in a body: where the spec puts it, else the body itself, its only list, or the one with a usual name. */
export function itemsIn(body: unknown, path?: readonly string[]): readonly unknown[] | undefined {
  const place = path ?? listPathIn(body);
  const list = place && takeAt(body, place);
  return Array.isArray(list) ? list : undefined;
}

const listEnvelopes = new WeakMap<Operation, { readonly found: ListEnvelope | undefined }>();

function listEnvelopeOf(operation: Operation, api: Api): ListEnvelope | undefined {
  const known = listEnvelopes.get(operation);
  if (known !== undefined) return known.found;
  const found = findListEnvelope(successSchema(operation), api, nounOf({ collectionPath: operation.path }));
  listEnvelopes.set(operation, { found });
  return found;
}

/** The path to the list in an operation's success response, if the spec documents one. */
export function listPathOf(operation: Operation, api: Api): readonly string[] | undefined {
  return listEnvelopeOf(operation, api)?.path;
}

/** The schema of the items in an operation's success response, if the spec documents a list. */
export function listItemOf(operation: Operation, api: Api): Schema | undefined {
  return listEnvelopeOf(operation, api)?.item;
}

/** The path to the list in a body, judging by the body alone. */
export function listPathIn(body: unknown): readonly string[] | undefined {
  if (Array.isArray(body)) return [];
  if (!isRecord(body)) return undefined;
  const lists = listsIn(body);
  const found = lists.length === 1 ? lists[0] : lists.find(isUsualName);
  if (found !== undefined || lists.length > 0) return found === undefined ? undefined : [found];
  const inner = Object.keys(body).flatMap((name) => {
    const member = isUsualName(name) ? body[name] : undefined;
    const list = isRecord(member) ? listsIn(member).find(isUsualName) : undefined;
    return list === undefined ? [] : [[name, list]];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

function listsIn(body: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(body).filter((name) => Array.isArray(body[name]));
}

function isUsualName(name: string): boolean {
  return USUAL_MEMBERS.has(name.toLowerCase());
}

/** The items that a response shows: those of its list, else the body and its only object. */
export function shownItems(body: unknown): readonly unknown[] {
  const items = itemsIn(body);
  if (items !== undefined || !isRecord(body)) return items ?? [];
  return Object.keys(body).length === 1 ? Object.values(body) : [body];
}
