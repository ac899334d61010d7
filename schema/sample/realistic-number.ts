import { makeTime } from './realistic-format.js';
import { wordsOf } from './realistic-names.js';
import type { Random } from './random.js';

/** Numbers that look right for a member. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Digits after the point. */
  readonly decimals: number;
}

type Entry = readonly [pattern: RegExp, min: number, max: number, decimals?: number];

const BY_NAME: readonly Entry[] = [
  [/\b(lat|latitude)$/, -60, 70, 4],
  [/\b(lng|lon|long|longitude)$/, -150, 150, 4],
  [/\byear$/, 2015, 2026],
  [/\bmonth$/, 1, 12],
  [/\b(day|day of month)$/, 1, 28],
  [/\bhours?$/, 0, 23],
  [/\b(minutes?|seconds?)$/, 0, 59],
  [/\bage$/, 18, 80],
  [/\bport$/, 1024, 9999],
  [/\b(status|status code|http status)$/, 200, 204],
  [/\b(percent|percentage)$/, 0, 100],
  [/\b(ratio|probability|score|confidence|temperature|factor|similarity)$/, 0, 1, 2],
  [/\b(price|amount|total|cost|balance|fee|tax)$/, 1, 500, 2],
  [/\b(page|page number|index|offset|position|order|rank|level|priority|version|revision)$/, 1, 10],
  [/\b(take|limit|page size|per page|top|max results)$/, 10, 100],
  [
    /\b(count|quantity|qty|size of|total count|items?|votes|likes|stars|forks|comments|replies|attempts|retries)$/,
    0,
    50,
  ],
  [/\b(bytes|size|length|content length)$/, 100, 100_000],
  [/\b(width|height)$/, 100, 2000],
  [/\b(ms|milliseconds|duration|timeout|ttl|interval)$/, 100, 60_000],
  [/\b(rating)$/, 1, 5],
  [/\b(ids?|number)$/, 1, 100_000],
];

const WHOLE: NumberRange = { min: 1, max: 1000, decimals: 0 };
const BROKEN: NumberRange = { min: 0, max: 1000, decimals: 2 };

/** The entries that words have been looked up for. */
const entries = new Map<string, Entry | 'none'>();

export function realisticRange(name: string, isInteger: boolean): NumberRange {
  const words = wordsOf(name);
  let entry = entries.get(words);
  if (entry === undefined) {
    entry = BY_NAME.find(([pattern]) => pattern.test(words)) ?? 'none';
    if (entries.size < 50_000) entries.set(words, entry);
  }
  if (entry === 'none') return isInteger ? WHOLE : BROKEN;
  const [, min, max, decimals = 0] = entry;
  return { min, max, decimals: isInteger ? 0 : decimals };
}

/** A moment as seconds since 1970, where a whole number of that name must be one. */
export function epochNumber(
  random: Random,
  { name, format, now }: { name: string; format: string | undefined; now: number },
): number | undefined {
  const isTime =
    format === 'unix-time' ||
    /\b(created|updated|modified|deleted|expires?|started|finished|last \w+|next \w+|available|ended) (at|on|time)$|\btimestamp$/.test(
      wordsOf(name),
    );
  return isTime ? makeTime(random, { name, now }) / 1000 : undefined;
}
