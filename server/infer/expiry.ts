import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Item } from './json-path.js';
import { type Member, keywordOf } from '../../schema/facts/members.js';
import { type FactsOf, perMember } from './per-member.js';

/** A member that says until when its item is valid: the extension `x-expires`. */
interface Ending {
  readonly name: string;
  /** How many milliseconds one of its numbers is. */
  readonly factor: number;
}

/** The members of a schema that say when an item ends. */
export const endingsOf: FactsOf<Ending> = perMember(toEnding);

/** Of the item as a whole: an end of something else, or the life of the member alone, does not end the item. */
function toEnding({ name, schema }: Member, api: Api): Ending[] {
  const said: unknown = keywordOf(schema, 'x-expires', api);
  if (!isRecord(said) || said['what'] !== undefined || said['after'] !== undefined) return [];
  return [{ name, factor: said['unit'] === 'milliseconds' ? 1 : 1_000 }];
}

/** Whether the end of an item has come. @param now - epoch milliseconds */
export function isOver(item: Item, endings: readonly Ending[], now: number): boolean {
  return endings.some(({ name, factor }) => {
    const end = Object.hasOwn(item, name) ? momentOf(item[name], factor) : Number.NaN;
    return end <= now;
  });
}

/** Numbers since 1970, also as text, and ISO 8601. NaN for all else. */
function momentOf(value: unknown, factor: number): number {
  if (typeof value === 'number') return value * factor;
  if (typeof value !== 'string') return Number.NaN;
  return /^-?\d+$/.test(value) ? Number(value) * factor : Date.parse(value);
}
