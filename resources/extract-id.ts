import { splitPointer } from '../model/document/pointer.js';
import type { Operation } from '../model/api.js';
import type { Exchange } from '../contract/types.js';
import { isObject, memberOf, plain } from '../contract/resources/id-slot.js';

export type Id = string | number;

/** The id of an item, from the item itself. */
export function idOf(item: unknown, parameter: string): Id | undefined {
  return idsOf(item, parameter)[0];
}

/**
 * What may be the id of an item, the likeliest first: the member that is called as the parameter is, also one object
 * deeper, then `id` and its like.
 */
export function idsOf(item: unknown, parameter: string): Id[] {
  if (!isObject(item)) return [];
  const wanted = plain(parameter);
  const inner = Object.values(item).filter(isObject);
  const only = inner.length === 1 ? inner : [];
  const loose = wanted.endsWith('id') ? ['id'] : ['id', `${wanted}id`];
  const found = [
    namedMember(item, wanted),
    ...inner.map((member) => namedMember(member, wanted)),
    ...loose.map((name) => namedMember(item, name)),
    ...only.flatMap((member) => loose.map((name) => namedMember(member, name))),
    ...['uuid', 'guid', 'key', 'name'].map((name) => namedMember(item, name)),
  ];
  return [...new Set(found.filter((id) => id !== undefined))];
}

/** An id as it was shown, and as the number that it may be elsewhere: some items have as text what paths take as an integer. */
export function idReadings(id: Id): Id[] {
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(id) ? [id, Number(id)] : [id];
}

function namedMember(item: Readonly<Record<string, unknown>>, wanted: string): Id | undefined {
  const value = Object.entries(item).find(([name]) => plain(name) === wanted)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? value : undefined;
}

/** What may be the id of an item that was just created: `Location` leads to the item, so it counts most. */
export function createdIds(exchange: Exchange, parameter: string, read: Operation | undefined): Id[] {
  const path = pathOf(exchange.headers.get('location'));
  const exact = path === undefined || read === undefined ? undefined : matchLast(path, read.path, parameter);
  const last = path?.split('/').at(-1);
  const ids = [exact, ...idsOf(exchange.json, parameter), last].filter((id) => id !== undefined);
  return [...new Set(ids)].filter((id) => id !== '');
}

function pathOf(location: string | null): string | undefined {
  return location?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0];
}

/** The value of a template's parameter in a path that ends as the template does. */
function matchLast(path: string, template: string, parameter: string): string | undefined {
  const parts = template.split('/').filter((part) => part !== '');
  const actual = path.split('/').filter((part) => part !== '');
  const offset = actual.length - parts.length;
  if (offset < 0) return undefined;
  const isFit = parts.every((part, index) => part.includes('{') || part === actual[index + offset]);
  const place = parts.indexOf(`{${parameter}}`);
  const found = isFit && place !== -1 ? actual[place + offset] : undefined;
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}

/** The list of items in an answer: the answer itself, or its only list. */
export function itemsIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  const lists = Object.values(body).filter((member): member is unknown[] => Array.isArray(member));
  return lists.length === 1 ? lists[0] : undefined;
}

/** A value by a JSON pointer, or nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce<unknown>(
    (at, key) => (Array.isArray(at) ? (at as unknown[])[Number(key)] : memberOf(at, key)),
    value,
  );
}

/** The items that an answer shows: those of its list, else itself and its only object. */
export function shownItems(body: unknown): readonly unknown[] {
  const items = itemsIn(body);
  if (items !== undefined || !isObject(body)) return items ?? [];
  return Object.keys(body).length === 1 ? Object.values(body) : [body];
}
