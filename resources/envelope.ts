import type { Api } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, toSingular } from './inflection.js';
import type { ItemWrap, ListShape } from './resource.js';
import { isFreeObject, isObjectSchema, itemsOf, membersOf, typesOf } from './schema-members.js';

/** Members that lists and items usually stand in. */
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
]);

/** The plain form: the item is the body. */
export const UNWRAPPED: ItemWrap = { isList: false };

/** How a page of items looks, if a schema is one: a list of objects, or an object with such a member. */
export function findListShape(schema: Schema, api: Api, noun: string): ListShape | undefined {
  if (typesOf(schema, api).has('array')) return toShape(schema, api);
  const members = membersOf(schema, api);
  // A thing with an id of its own that has a list is no page.
  if (members.has('id') || members.has('_id')) return undefined;
  const lists = [...members.values()].flatMap(({ name, schema: member }) => {
    const shape = typesOf(member, api).has('array') ? toShape(member, api) : undefined;
    return shape === undefined ? [] : [{ ...shape, member: name }];
  });
  if (lists.length < 2) return lists[0];
  return lists.find(({ member }) => isUsual(member, noun));
}

function toShape(schema: Schema, api: Api): ListShape | undefined {
  const item = itemsOf(schema, api);
  return item !== undefined && isObjectSchema(item, api) ? { item } : undefined;
}

function isUsual(member: string, noun: string): boolean {
  return USUAL_MEMBERS.has(member.toLowerCase()) || foldName(toSingular(member)) === foldName(toSingular(noun));
}

/** An item inside a schema, and how it is wrapped. */
export interface WrappedItem {
  readonly wrap: ItemWrap;
  readonly schema: Schema;
}

/**
 * Finds the item in the schema of a body.
 *
 * @param isItem - whether a schema is that of an item.
 */
export function findItem(schema: Schema, api: Api, isItem: (schema: Schema) => boolean): WrappedItem | undefined {
  if (isObjectSchema(schema, api) && isItem(schema)) return { wrap: UNWRAPPED, schema };
  const inner = [...membersOf(schema, api).values()].flatMap(({ name, schema: member }) =>
    unwrapMember(name, member, { api, isItem }),
  );
  return inner.length === 1 ? inner[0] : undefined;
}

/** A list counts only where it is bound to one item: else it is a page of them. */
function unwrapMember(
  name: string,
  member: Schema,
  { api, isItem }: { readonly api: Api; readonly isItem: (schema: Schema) => boolean },
): WrappedItem[] {
  if (isObjectSchema(member, api))
    return isItem(member) ? [{ wrap: { member: name, isList: false }, schema: member }] : [];
  const items = typeof member === 'object' && member.maxItems === 1 ? itemsOf(member, api) : undefined;
  if (items === undefined || !(isItem(items) || isFreeObject(items, api))) return [];
  return [{ wrap: { member: name, isList: true }, schema: items }];
}

/** Puts an item into its wrap. */
export function wrapItem({ member, isList }: ItemWrap, item: unknown): unknown {
  const inner = isList ? [item] : item;
  return member === undefined ? inner : { [member]: inner };
}

/** Takes an item out of its wrap. */
export function unwrapItem({ member, isList }: ItemWrap, body: unknown): unknown {
  const inner = member !== undefined && isRecord(body) ? body[member] : body;
  return isList && Array.isArray(inner) ? inner[0] : inner;
}
