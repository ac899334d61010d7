import { FORMATS } from '../formats.js';
import { epochNumber, realisticRange } from './realistic-number.js';
import { Unmade, type ValuePlace } from './context.js';
import type { Random } from './random.js';
import type { Shape } from './shape.js';
import { isMultipleOf } from '../../runtime/checks.js';

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

/** A number that fits a shape, and suits its place where there is room. */
export function makeNumber(shape: Shape, place: ValuePlace): number | Unmade {
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
  return found ?? new Unmade('no number fits its bounds');
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

/** Multiples of the first divisor (or of all of them together) within the range. */
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
