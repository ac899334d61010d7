import { remember } from '../../model/maps.js';
import { fakerFor } from './realistic-faker.js';
import { emailAt } from './realistic-kin.js';
import { spacedWords } from './realistic-names.js';
import type { Random } from './random.js';

/** The place of a text, and the current date. */
export interface TextPlace {
  /** Name of the member that contains it, or of its list. */
  readonly name: string;
  /** Name of the schema that has the member. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The source of the object around it. */
  readonly kin?: Random | undefined;
}

export type MakeText = (random: Random, place: TextPlace) => string;

const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DAY = 86_400_000;

/** Texts by `format`; later entries of a list are shorter, for small maximum lengths. */
const BY_FORMAT: Readonly<Record<string, readonly MakeText[]>> = {
  uuid: [makeUuid],
  email: [emailAt, (random) => `${letters(random, 2)}@${letters(random, 1)}.io`, (random) => `${letters(random, 1)}@b`],
  'date-time': [(random, place) => new Date(makeTime(random, place)).toISOString().replace('.000Z', 'Z')],
  'date-time-local': [(random, place) => new Date(makeTime(random, place)).toISOString().slice(0, 19)],
  date: [(random, place) => new Date(makeTime(random, place)).toISOString().slice(0, 10)],
  time: [(random, place) => `${new Date(makeTime(random, place)).toISOString().slice(11, 19)}Z`],
  duration: [(random) => random.pick(['PT15M', 'PT1H', 'PT24H', 'P1D', 'P7D', 'P30D'])],
  uri: [makeUrl, (random) => `https://${letters(random, 3)}.io`, (random) => `a:${letters(random, 1)}`],
  'uri-reference': [makeUrl, (random) => `/${letters(random, 4)}`, () => 'a'],
  'uri-template': [(random) => `https://example.com/${letters(random, 5)}/{id}`, () => '/{id}', () => 'a'],
  hostname: [(random) => `${letters(random, 6)}.example.com`, (random) => letters(random, 3), () => 'a'],
  ipv4: [(random) => `192.0.2.${random.int(1, 254)}`, (random) => `10.0.0.${random.int(1, 9)}`],
  ipv6: [(random) => `2001:db8::${random.int(1, 9999)}`, () => '::1', () => '::'],
  byte: [(random) => base64(random, 4), (random) => base64(random, 1), () => ''],
  binary: [(random) => words(random, 3)],
  password: [(random) => `${letters(random, 8)}-${random.int(1000, 9999)}-A`],
  'json-pointer': [(random) => `/${letters(random, 5)}/0`, () => '/a', () => ''],
  'relative-json-pointer': [() => '0', () => '1/a'],
  regex: [() => '^[a-z]+$', () => 'a'],
  int64: [(random) => String(random.int(1, 1_000_000_000)), (random) => String(random.int(1, 9))],
  int32: [(random) => String(random.int(1, 100_000))],
  decimal: [(random) => `${random.int(1, 500)}.${random.int(10, 99)}`, (random) => String(random.int(1, 9))],
};

const SAME_AS: Readonly<Record<string, string>> = {
  url: 'uri',
  iri: 'uri',
  'iri-reference': 'uri-reference',
  'idn-email': 'email',
  'idn-hostname': 'hostname',
  uint64: 'int64',
  uint32: 'int32',
  guid: 'uuid',
  datetime: 'date-time',
  timestamp: 'date-time',
  'google-datetime': 'date-time',
  base64: 'byte',
  ip: 'ipv4',
  host: 'hostname',
  phone: 'phone',
};

/** Functions that make texts of a format, the most realistic first; empty for an unknown format. */
export function formatMakers(format: string): readonly MakeText[] {
  const key = Object.hasOwn(SAME_AS, format) ? (SAME_AS[format] ?? format) : format;
  return Object.hasOwn(BY_FORMAT, key) ? (BY_FORMAT[key] ?? []) : [];
}

const kindOfTime = remember((name) => {
  const words = spacedWords(name);
  return {
    isAhead: /\b(expir\w*|due|until|deadline|end|ends|next|valid to|scheduled|renew\w*)\b/.test(words),
    isBirth: /\b(birth\w*|dob)\b/.test(words),
  };
});

/** A time that suits its name: an expiry is in the future, a creation in the past. In whole seconds. */
export function makeTime(random: Random, { name, now }: Pick<TextPlace, 'name' | 'now'>): number {
  const { isAhead, isBirth } = kindOfTime(name);
  const days = isBirth ? -random.int(7000, 25_000) : isAhead ? random.int(1, 90) : -random.int(0, 90);
  return Math.floor((now + days * DAY) / 1000) * 1000 + random.int(0, 86_399) * 1000 * (isAhead ? 1 : -1);
}

/** Random bytes (three for each block) in Base64. */
export function base64(random: Random, blocks: number): string {
  return characters(random, BASE64, blocks * 4);
}

/** A few lower-case letters. */
export function letters(random: Random, count: number): string {
  return characters(random, 'abcdefghijklmnopqrstuvwxyz', count);
}

/** Lower-case hexadecimal digits. */
export function hexDigits(random: Random, count: number): string {
  return characters(random, HEX, count);
}

function characters(random: Random, alphabet: string, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) text += alphabet[random.int(0, alphabet.length - 1)] ?? '';
  return text;
}

function makeUuid(random: Random): string {
  const variant = HEX[8 + random.int(0, 3)] ?? '8';
  return `${hexDigits(random, 8)}-${hexDigits(random, 4)}-4${hexDigits(random, 3)}-${variant}${hexDigits(random, 3)}-${hexDigits(random, 12)}`;
}

const targetOfUrl = remember((name): 'image' | 'hook' | 'page' => {
  const words = spacedWords(name);
  if (/\b(image|avatar|photo|picture|logo|icon|thumbnail)\b/.test(words)) return 'image';
  return /\b(callback|webhook|hook|redirect|notify)\b/.test(words) ? 'hook' : 'page';
});

function makeUrl(random: Random, { name }: TextPlace): string {
  const target = targetOfUrl(name);
  if (target === 'image') return `https://example.com/images/${letters(random, 8)}.png`;
  if (target === 'hook') return `https://example.com/hooks/${letters(random, 6)}`;
  return `https://example.com/${words(random, 2).replaceAll(' ', '/')}`;
}

function words(random: Random, count: number): string {
  return fakerFor(random)
    .word.words({ count: { min: count, max: count } })
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '');
}
