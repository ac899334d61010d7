import { splitPointer, valueAtPath } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { idInText } from '../../resources/extract-id.js';
import type { MappedId, MappedOperation, MappedResource } from '../../resources/map/resource-map.js';

/** A response, read completely. */
export interface Reading {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly text: string;
}

/** The status and the first words of a refusal. */
export function showRefusal({ status, text }: Reading): string {
  return `${status} ${text.slice(0, 200)}`.trimEnd();
}

/** The value at a pointer into a body, or the body itself. */
export function openMember(body: unknown, pointer: string | undefined): unknown {
  return pointer === undefined ? body : valueAtPath(body, splitPointer(pointer));
}

/** The id at the place that the map names for responses of creations. */
export function createdIdIn({ json }: Reading, { id }: MappedResource): string | undefined {
  return id?.inResponse === undefined
    ? undefined
    : textAt(json, id.inResponse, id.prefix === undefined ? {} : { prefix: id.prefix });
}

/** The id of the item that a response shows. */
export function idIn(response: Reading, { id }: MappedResource, { itemIn }: MappedOperation): string | undefined {
  const shown = openMember(response.json, itemIn);
  const item: unknown = Array.isArray(shown) ? shown[0] : shown;
  return id === undefined ? undefined : textAt(item, id.member, id);
}

/** The ids of the items that a list shows. */
export function idsIn(response: Reading, { id }: MappedResource, { itemsIn }: MappedOperation): string[] | undefined {
  const list = itemsIn === undefined ? undefined : valueAtPath(response.json, splitPointer(itemsIn));
  if (!Array.isArray(list) || id === undefined) return undefined;
  return list.flatMap((item: unknown) => textAt(item, id.member, id) ?? []);
}

/** The id at a pointer into an item, without its prefix. */
export function textAt(
  item: unknown,
  member: string,
  { prefix = '', isLink }: Pick<MappedId, 'prefix' | 'isLink'>,
): string | undefined {
  const value = valueAtPath(item, splitPointer(member));
  if (!['string', 'number', 'bigint'].includes(typeof value)) return undefined;
  const text = String(value);
  return idInText(text, isLink === true ? { prefix, isLink } : { prefix });
}

/** The last segment of `Location`. */
export function idInLocation({ headers }: Reading): string | undefined {
  const path = headers.get('location')?.split(/[?#]/, 1)[0];
  const last = path?.split('/').at(-1);
  return last === undefined || last === '' ? undefined : decodeURIComponent(last);
}

/** The first member of a sent item that a read shows with another value. Only texts and whole numbers are compared. */
export function findLost(sent: unknown, shown: unknown, idMember: string | undefined): string | undefined {
  if (!isRecord(sent) || !isRecord(shown)) return undefined;
  const [id] = idMember === undefined ? [] : splitPointer(idMember);
  return Object.keys(sent).find((name) => {
    const [one, other] = [sent[name], shown[name]];
    const isComparable = typeof one === 'string' || typeof one === 'bigint' || Number.isSafeInteger(one);
    if (!isComparable || name === id || !Object.hasOwn(shown, name) || String(other) === String(one)) return false;
    // Decimal numbers as texts: `20` may be shown as `20.0`. A number cannot show another text.
    return Number.isNaN(Number(one)) ? typeof other === typeof one : Number(one) !== Number(other);
  });
}
