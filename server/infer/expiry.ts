import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { parseIsoTime } from '../http-dates.js';
import type { KeyCondition } from '../stores/store.js';
import type { Item } from './json-path.js';
import { type Member, keywordOf, type FactsOf, perMember } from '../../schema/facts/members.js';

/** A member with the time when its item expires, marked by the extension `x-expires`. */
interface Ending {
  readonly name: string;
  /** Milliseconds in one unit of its numbers. */
  readonly factor: number;
}

/** Returns the members of a schema with the expiry time of the item. */
export const endingsOf: FactsOf<Ending> = perMember(toEnding);

/** Ignores extensions about something other than the item (`what`), or with a lifetime instead of a time (`after`). */
function toEnding({ name, schema }: Member, api: Api): Ending[] {
  const said: unknown = keywordOf(schema, 'x-expires', api);
  if (!isRecord(said) || said['what'] !== undefined || said['after'] !== undefined) return [];
  return [{ name, factor: said['unit'] === 'milliseconds' ? 1 : 1_000 }];
}

/** Whether an item has expired. @param now - epoch milliseconds */
export function isOver(item: Item, endings: readonly Ending[], now: number): boolean {
  return endTimes(item, endings).some((end) => end <= now);
}

/** The condition that an item has expired. @param now - epoch milliseconds */
export function isOverBy(endings: readonly Ending[], now: number): KeyCondition {
  return { name: 'end', keysOf: (item) => endTimes(item as Item, endings), test: 'to', values: [now] };
}

function endTimes(item: Item, endings: readonly Ending[]): readonly number[] {
  return endings
    .map(({ name, factor }) => (Object.hasOwn(item, name) ? momentOf(item[name], factor) : Number.NaN))
    .filter((end) => !Number.isNaN(end));
}

/** Reads numbers since 1970, also as text, and ISO 8601. Returns NaN for other values. */
function momentOf(value: unknown, factor: number): number {
  if (typeof value === 'number') return value * factor;
  if (typeof value !== 'string') return Number.NaN;
  return /^-?\d+$/.test(value) ? Number(value) * factor : parseIsoTime(value);
}
