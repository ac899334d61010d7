import type { PlaceForm } from '../../../resources/paging.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { seedFrom } from '../json-path.js';
import { readToken, writeToken } from '../../cut-page.js';

/** A place between two items of a list, and what finds it again after items were added or removed. */
export interface Place {
  /** The item before it, for `after`, or behind it, for `before`. */
  readonly id: string;
  readonly side: 'after' | 'before';
  /** The item on the other side of it; empty at an end of the list. */
  readonly other: string;
  /** The number of items before it, and of all items, when it was written. */
  readonly skip: number;
  readonly total: number;
}

/** Where a list remembers the places of items that it gave, for ids of items that are deleted since. */
export type PlaceMemory = Map<string, Place>;

/** The most places that are remembered. */
const MAX_PLACES = 1_000;

interface Writing {
  /** The name of the list: a place of another list is not valid. */
  readonly list: string;
  readonly form: PlaceForm;
  readonly memory: PlaceMemory;
}

/** Writes a place as a parameter takes it. */
export function writePlace(place: Place, { list, form, memory }: Writing): string {
  if (form === 'position') return String(place.skip);
  const { id, side, other, skip, total } = place;
  if (form === 'token') return writeToken(shorten(list), [side, id, other, skip, total]);
  rememberPlace(memory, keyOf(list, id, side), place);
  return id;
}

function rememberPlace(memory: PlaceMemory, key: string, place: Place): void {
  memory.delete(key);
  memory.set(key, place);
  const [oldest] = memory.keys();
  if (memory.size > MAX_PLACES && oldest !== undefined) memory.delete(oldest);
}

function keyOf(list: string, id: string, side: Place['side']): string {
  return stringifyExactJson([list, id, side]);
}

/** A short text instead of a path of any length, which would make tokens longer than a parameter may be. */
function shorten(list: string): string {
  return seedFrom(list).toString(36);
}

/** Where items are in a list. A list of ids is such positions. */
export interface Positions {
  /** The number of all items. */
  readonly length: number;
  /** -1 if the item is not in the list. */
  indexOf(id: string): number;
}

interface Reading extends Writing {
  readonly ids: Positions;
  /** The side of an item that a plain id means. */
  readonly side: Place['side'];
}

/** The number of items before a place and the side on which the page is; `undefined` for a text that is no place. */
export function readPlace(
  text: string,
  { list, form, memory, ids, side }: Reading,
): { readonly skip: number; readonly side: Place['side'] } | undefined {
  const place = decodePlace(text, list);
  if (place !== undefined) return { skip: findSkip(place, ids), side: place.side };
  const index = ids.indexOf(text);
  if (index !== -1) return { skip: index + (side === 'after' ? 1 : 0), side };
  if (form === 'position' && /^\d{1,15}$/.test(text)) return { skip: Math.min(Number(text), ids.length), side };
  const known = memory.get(keyOf(list, text, side));
  return known === undefined ? undefined : { skip: findSkip(known, ids), side };
}

/** The ids of the items whose positions say where a place is. */
export function idsOfPlace(text: string, { list, memory }: Omit<Writing, 'form'>): readonly string[] {
  const known = (['after', 'before'] as const).map((side) => memory.get(keyOf(list, text, side)));
  const places = [decodePlace(text, list), ...known].filter((place) => place !== undefined);
  return [...new Set([text, ...places.flatMap(({ id, other }) => [id, other])])];
}

/**
 * The number of items before a place: next to either of its items, else as many as before. Of removed items, as many as
 * possible count as those before the place: an item that is shown twice is better than one that is lost.
 */
function findSkip({ id, side, other, skip, total }: Place, ids: Positions): number {
  const [before, behind] = side === 'after' ? [id, other] : [other, id];
  const [own, next] = [ids.indexOf(before), ids.indexOf(behind)];
  if (side === 'before' && next !== -1) return next;
  if (own !== -1) return own + 1;
  if (next !== -1) return next;
  return Math.min(Math.max(0, skip - Math.max(0, total - ids.length)), ids.length);
}

function decodePlace(token: string, list: string): Place | undefined {
  const key = readToken(token, shorten(list))?.key;
  if (!Array.isArray(key)) return undefined;
  const [side, id, other, skip, total]: readonly unknown[] = key;
  if (side !== 'after' && side !== 'before') return undefined;
  if (typeof id !== 'string' || typeof other !== 'string' || !isCount(skip) || !isCount(total)) return undefined;
  return { side, id, other, skip, total };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
