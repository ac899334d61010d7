import { FORMATS } from '../known-formats.js';
import { base64, formatMakers, letters } from './realistic-format.js';
import { realisticSentence, realisticText } from './realistic-text.js';
import { NoValue, type ValueContext, type ValuePlace } from './sample-context.js';
import { createLinearPattern, matchesLinear } from '../linear-pattern.js';
import { describePattern, makePatternText, matchesPattern } from './pattern.js';
import type { Shape } from './shape.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Whether a text fits a shape. Length counts characters, not UTF-16 units. */
export function fitsString(shape: Shape, text: string): boolean {
  return (
    fitsLength(shape, text) &&
    shape.formats.every((format) => FORMATS.get(format)?.string?.(text) ?? true) &&
    shape.patterns.every((pattern) => matchesPattern(pattern, text) || matchesLinear(pattern, text))
  );
}

function fitsLength({ minLength, maxLength }: Shape, text: string): boolean {
  const units = text.length;
  if (units < minLength || units > maxLength * 2) return false;
  if (units <= maxLength && units >= minLength * 2) return true;
  const length = [...text].length;
  return length >= minLength && length <= maxLength;
}

/** Maximum length of texts without a pattern. */
const MAX_TEXT = 100_000;

/** How many searches for the text of a shape are tried for one value. */
const TEXT_SEARCHES = 3;

/** Makes a text that fits a shape and, if possible, suits its place. */
export function makeString(
  shape: Shape,
  place: ValuePlace,
  { failedTexts }: Pick<ValueContext, 'failedTexts'>,
): string | NoValue {
  if (shape.minLength > shape.maxLength) return new NoValue('minLength is above maxLength');
  if (shape.minLength > MAX_TEXT) return new NoValue(`a text of ${shape.minLength} characters is too long to make`);
  if (shape.patterns.some((pattern) => isUnchecked(pattern, shape.minLength)))
    return new NoValue('a pattern that nests repetitions is not tried on long texts');
  const failed = failedTexts.get(shape) ?? 0;
  const found = failed < TEXT_SEARCHES ? findText(shape, place) : undefined;
  if (found !== undefined) return found;
  failedTexts.set(shape, failed + 1);
  return new NoValue(describeShape(shape));
}

/** Whether the texts of a pattern are too long to be matched against it. */
function isUnchecked(pattern: string, minLength: number): boolean {
  const { maxLength = Infinity } = createLinearPattern(pattern);
  return maxLength < Infinity && Math.max(minLength, describePattern(pattern).min) > maxLength;
}

function findText(shape: Shape, place: ValuePlace): string | undefined {
  const fits = (text: string): boolean => fitsString(shape, text);
  const realistic = findRealistic(shape, place, fits);
  if (realistic !== undefined) return realistic;
  for (const pattern of shape.patterns) {
    const { min, max, alphabet } = describeOthers(shape, pattern);
    const made = makePatternText(
      pattern,
      { min, max },
      { random: place.random.fork('pattern'), accepts: fits, alphabet },
    );
    if (made !== undefined) return made;
  }
  return fillerTexts(shape, place).find(fits);
}

/** The length and the characters that the shape and all its patterns except one require. */
function describeOthers({ patterns, minLength, maxLength }: Shape, one: string): ReturnType<typeof describePattern> {
  let rest: ReturnType<typeof describePattern> = { min: minLength, max: maxLength, alphabet: undefined };
  for (const pattern of patterns) {
    if (pattern === one) continue;
    const { min, max, alphabet } = describePattern(pattern);
    rest = {
      min: Math.max(rest.min, min),
      max: Math.min(rest.max, max),
      alphabet:
        rest.alphabet === undefined
          ? alphabet
          : new Set([...rest.alphabet].filter((char) => alphabet?.has(char) ?? true)),
    };
  }
  return rest;
}

/** Finds the most realistic text that fits: by format, by encoding, by name. */
function findRealistic(shape: Shape, place: ValuePlace, fits: (text: string) => boolean): string | undefined {
  let hasMakers = false;
  for (const format of shape.formats) {
    for (const make of formatMakers(format)) {
      hasMakers = true;
      const text = make(place.random, place);
      if (fits(text)) return text;
    }
  }
  return hasMakers ? undefined : unformattedTexts(shape, place).find(fits);
}

function unformattedTexts(shape: Shape, place: ValuePlace): string[] {
  if (shape.contentEncoding === 'base64' || shape.contentEncoding === 'base64url')
    return [base64(place.random, 4), base64(place.random, 1)];
  if (shape.contentMediaType !== undefined && /json/i.test(shape.contentMediaType)) return ['{}'];
  const text = realisticText(place.random, place);
  return [text, shorten(text, shape.maxLength)];
}

/** Texts without meaning whose length fits. */
function fillerTexts({ minLength, maxLength, formats }: Shape, { random }: ValuePlace): string[] {
  if (formats.some((format) => FORMATS.has(format))) return fillFormat(formats[0] ?? '', minLength);
  const sentence = `${realisticSentence(random)} `;
  const long = sentence
    .repeat(Math.ceil(Math.max(minLength, 1) / sentence.length))
    .slice(0, Math.min(Math.max(minLength, sentence.length), maxLength));
  return [trimEnd(long), letters(random, Math.min(Math.max(minLength, 1), maxLength)), ''];
}

/** Long texts of formats without a maximum length. */
function fillFormat(format: string, length: number): string[] {
  const fill = (start: string, end = ''): string =>
    start + 'a'.repeat(Math.max(0, length - start.length - end.length)) + end;
  switch (format) {
    case 'email':
      return [
        `${'a'.repeat(50)}@${`${'a'.repeat(40)}.`.repeat(Math.ceil(Math.max(0, length - 51) / 41))}example.com`,
        fill('', '@example.com'),
      ];
    case 'hostname':
      return [`${`${'a'.repeat(40)}.`.repeat(Math.ceil(length / 41))}com`, fill('')];
    case 'byte':
      return ['A'.repeat(Math.ceil(length / 4) * 4)];
    case 'json-pointer':
      return [fill('/')];
    case 'regex':
      return [fill('a')];
    default:
      return [fill('https://example.com/')];
  }
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : trimEnd([...text].slice(0, length).join(''));
}

/** Replaces a trailing space that a cut can leave, so that the length stays the same. */
function trimEnd(text: string): string {
  return text.endsWith(' ') ? `${text.slice(0, -1)}s` : text;
}

function describeShape({ patterns, formats, minLength, maxLength }: Shape): string {
  const wanted = [
    ...patterns.map((pattern) => `the pattern ${stringifyExactJson(pattern.slice(0, 80))}`),
    ...formats.map((format) => `the format ${stringifyExactJson(format.slice(0, 80))}`),
  ];
  if (minLength > 0 || maxLength < Infinity) wanted.push(`a length of ${minLength} to ${maxLength}`);
  return `no text was found for ${wanted.join(' and ')}`;
}
