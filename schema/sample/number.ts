import { remember } from '../../model/maps.js';
import { FORMATS } from '../known-formats.js';
import { NoValue, type ValuePlace } from './sample-context.js';
import type { Random } from './random.js';
import type { Shape } from './shape.js';
import { isMultipleOf } from '../../runtime/checks.js';
import { makeTime } from './realistic-format.js';
import { spacedWords } from './realistic-names.js';

export function fitsNumber(shape: Shape, value: number): boolean {
  return (
    Number.isFinite(value) &&
    (!shape.isInteger || Number.isInteger(value)) &&
    value >= shape.minimum &&
    value > shape.exclusiveMinimum &&
    value <= shape.maximum &&
    value < shape.exclusiveMaximum &&
    shape.multiples.every((multiple) => isMultipleOf(value, multiple)) &&
    shape.formats.every((format) => FORMATS.get(format)?.number?.(value) ?? true)
  );
}

/** Makes a number that fits a shape and, if possible, suits its place. */
export function makeNumber(shape: Shape, place: ValuePlace): number | NoValue {
  const { random, now } = place;
  const epoch = epochNumber(random, { name: place.name, format: shape.formats[0], now });
  const low = Math.max(shape.minimum, shape.exclusiveMinimum);
  const high = Math.min(shape.maximum, shape.exclusiveMaximum);
  const wanted = realisticRange(place.name, shape.isInteger);
  const range = overlap(wanted, low, high);
  const likely = [
    ...(epoch === undefined ? [] : [epoch]),
    draw(random, range.min, range.max, wanted.decimals),
    draw(random, range.min, range.max, 0),
  ];
  const fits = (value: number): boolean => fitsNumber(shape, value);
  const multiple = shape.multiples.length === 0 ? undefined : drawMultiple(shape, random, range);
  const found = multiple ?? likely.find(fits) ?? edges(low, high).find(fits);
  return found ?? new NoValue('no number fits its bounds');
}

function overlap(wanted: { min: number; max: number }, low: number, high: number): { min: number; max: number } {
  if (low > wanted.max) return { min: low, max: Math.min(high, low + Math.max(100, Math.abs(low) / 10)) };
  if (high < wanted.min) return { min: Math.max(low, high - Math.max(100, Math.abs(high) / 10)), max: high };
  return { min: Math.max(low, wanted.min), max: Math.min(high, wanted.max) };
}

function draw(random: Random, min: number, max: number, decimals: number): number {
  const value = min + random.next() * (max - min);
  if (decimals === 0) return Math.round(value) + 0;
  return Number(value.toFixed(decimals)) + 0;
}

function edges(low: number, high: number): number[] {
  const isBounded = Number.isFinite(low) && Number.isFinite(high);
  const middle = isBounded ? [low + (high - low) / 2, Math.floor(high), Math.ceil(low)] : [];
  return [
    ...middle,
    low,
    high,
    low + 1,
    high - 1,
    Math.floor(low) + 1,
    Math.ceil(high) - 1,
    low + Math.abs(low) / 1e6,
    0,
    1,
  ].filter((value) => Number.isFinite(value));
}

const MULTIPLE_ATTEMPTS = 30;

/** Draws a multiple of the first divisor (or of all of them together) within the range. */
function drawMultiple(shape: Shape, random: Random, range: { min: number; max: number }): number | undefined {
  const [first] = shape.multiples;
  if (first === undefined || first <= 0) return undefined;
  const step = shape.multiples.every((multiple) => Number.isInteger(multiple))
    ? shape.multiples.reduce(leastCommonMultiple)
    : first;
  const from = Math.ceil(range.min / step);
  const to = Math.floor(range.max / step);
  for (let attempt = 0; attempt < MULTIPLE_ATTEMPTS; attempt += 1) {
    const count =
      attempt < MULTIPLE_ATTEMPTS / 2 ? random.int(from, Math.max(from, to)) : from + attempt - MULTIPLE_ATTEMPTS / 2;
    const value = Number((count * step).toPrecision(15)) + 0;
    if (fitsNumber(shape, value)) return value;
  }
  return [0, step, Math.ceil(shape.minimum / step) * step].find((value) => fitsNumber(shape, value));
}

function leastCommonMultiple(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, a % b];
  return a === 0 ? one : (one / a) * other;
}

/** Numbers that look right for a member. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Digits after the decimal point. */
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

/** Cached entries by words. */
const entries = new Map<string, Entry | 'none'>();

function realisticRange(name: string, isInteger: boolean): NumberRange {
  const words = spacedWords(name);
  let entry = entries.get(words);
  if (entry === undefined) {
    entry = BY_NAME.find(([pattern]) => pattern.test(words)) ?? 'none';
    if (entries.size < 50_000) entries.set(words, entry);
  }
  if (entry === 'none') return isInteger ? WHOLE : BROKEN;
  const [, min, max, decimals = 0] = entry;
  return { min, max, decimals: isInteger ? 0 : decimals };
}

const namesTime = remember((name) =>
  /\b(created|updated|modified|deleted|expires?|started|finished|last \w+|next \w+|available|ended) (at|on|time)$|\btimestamp$/.test(
    spacedWords(name),
  ),
);

/** A time in seconds since 1970, if the name of an integer says that it is one. */
function epochNumber(
  random: Random,
  { name, format, now }: { name: string; format: string | undefined; now: number },
): number | undefined {
  const isTime = format === 'unix-time' || namesTime(name);
  return isTime ? makeTime(random, { name, now }) / 1000 : undefined;
}
