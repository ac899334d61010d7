import { isRecord } from '../../model/document/records.js';
import { appendPointer, resolvePointer, toPointer } from '../../model/document/pointer.js';
import { itemsIn, listPathIn } from '../../resources/envelope.js';
import { idsOf, lastPartOf } from '../../resources/extract-id.js';
import { scalarText } from '../../http/request/write-request.js';
import { readSource } from '../reproduction/capture.js';
import { memberPath } from '../reproduction/member-path.js';
import type { Exchange } from '../types.js';
import type { Evidence, IdValue, ListPlace } from './assertion.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Finds the items of a list and their ids. `path`: where the spec puts the items. */
export function findListPlace(pages: readonly Exchange[], parameter: string, path?: readonly string[]): ListPlace {
  const place = path ?? listPathIn(pages[0]?.json) ?? [];
  const items = pages.flatMap((page) => itemsIn(page.json, place) ?? []);
  const idAt = items.map((item) => pointerToId(item, parameter))[0];
  return { pages, itemsAt: place.reduce(appendPointer, ''), ...(idAt === undefined ? {} : { idAt }) };
}

function pointerToId(item: unknown, parameter: string): string | undefined {
  const [id] = idsOf(item, parameter);
  const open: [string, unknown][] = [['', item]];
  for (let count = 0; open.length > 0 && count < 500; count += 1) {
    const [pointer, value] = open.shift() ?? ['', undefined];
    if (value === id) return pointer;
    if (!isRecord(value)) continue;
    for (const [key, member] of Object.entries(value)) open.push([appendPointer(pointer, key), member]);
  }
  return undefined;
}

/** The items of all pages. */
export function itemsOf({ pages, itemsAt }: ListPlace, { responseTo }: Evidence): readonly unknown[] {
  return pages.flatMap((page) => {
    const items = resolvePointer(responseTo(page).json, itemsAt);
    return Array.isArray(items) ? (items as readonly unknown[]) : [];
  });
}

/** The ids of all items, or whole items as JSON. */
export function listIds(list: ListPlace, evidence: Evidence): string[] {
  return itemsOf(list, evidence).map((item) => {
    const id = list.idAt === undefined ? undefined : resolvePointer(item, list.idAt);
    return id === undefined ? stringifyExactJson(item) : scalarText(id);
  });
}

export function readId({ value, exchange, source }: IdValue, { responseTo }: Evidence): string | number | bigint {
  return (source === undefined ? undefined : readSource(source, responseTo(exchange))) ?? value;
}

/** The item with an id. Lists may put the collection before it. */
export function findItem(list: ListPlace, id: IdValue, evidence: Evidence): unknown {
  const wanted = lastPartOf(readId(id, evidence));
  return itemsOf(list, evidence).find((item) => lastPartOf(resolvePointer(item, list.idAt ?? '')) === wanted);
}

/** The code for the id of an `item`. */
export function idCode({ idAt }: ListPlace): string {
  return idAt === undefined ? 'item' : `item${memberPath(idAt, '?')}`;
}

/** The code that reads a member of an item at a path. */
export function memberCode(path: readonly string[]): string {
  return memberPath(toPointer(path), '?');
}

/** The code for `lastPartOf`. */
export function lastPartCode(code: string): string {
  return `String(${code}).split('/').at(-1)`;
}
