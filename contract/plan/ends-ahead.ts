import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { foldName } from '../../resources/inflection.js';
import type { CallBody } from '../types.js';

/** Names of members that say when something ends. */
const ENDS =
  /^(?:ends?(?:s?(?:at|on|date|time)?)|expir\w*|valid(?:to|until|till|through)|until|due\w*|deadline|notafter)$/;
const ENDS_LATER = /(?:enddate|endtime|endsat|endat|until|expiry|expiration|expiresat|deadline|duedate|dueat)$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?=T|$)/;

/** Dates ahead are a year from the start of today, so that requests of one day are the same. */
const AHEAD_MS = 365 * 86_400_000;

/** Returns the same body with the dates that end something a year ahead, as far as its schema allows. */
export function withEndsAhead(body: CallBody, api: Api): CallBody {
  const day = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 10);
  const value = moveEnds(body.value, day, 0);
  if (value === body.value || !isValidValue(value, body.media.schema ?? true, api)) return body;
  return { ...body, value };
}

const MAX_DEPTH = 6;

function moveEnds(value: unknown, day: string, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => moveEnds(item, day, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const isEnd = typeof member === 'string' && MOMENT.test(member) && endsSomething(name);
    return [name, isEnd ? member.replace(MOMENT, day) : moveEnds(member, day, depth + 1)] as const;
  });
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

function endsSomething(name: string): boolean {
  const folded = foldName(name);
  return ENDS.test(folded) || ENDS_LATER.test(folded);
}
