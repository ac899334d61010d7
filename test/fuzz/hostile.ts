import type { Api, Operation } from '../../model/api.js';
import { toText } from '../../runtime/serialize.js';
import { generateValue } from '../../schema/generate-value.js';

/** Random numbers by a seed, so that a run can be repeated (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** Texts that have broken parsers, validators, pages and shells. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\u{1f469}\u200d\u{1f4bb}',
  "' OR 1=1 --",
  '"><script>alert(1)</script>',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '__proto__',
  'constructor',
  '$ref',
  '1'.repeat(20_000),
  'a'.repeat(50_000),
  `${'a'.repeat(30_000)}!`,
  '+'.repeat(20_000),
  `C${'+'.repeat(20_000)}\nz`,
  '9'.repeat(400),
  '1e999',
  '-0',
  '2026-02-31T25:61:61Z',
  'P99999999999999Y',
  '{'.repeat(5_000),
  '[1'.repeat(5_000),
  '=&'.repeat(5_000),
  '%E0%A4%A',
];

const NUMBERS: readonly number[] = [0, -0, -1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 1e-320];

/** A value that is nested deeply. */
function nest(depth: number, dice: Dice): unknown {
  let value: unknown = dice.pick(TEXTS.slice(0, 10));
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { filters: value };
  return value;
}

function hostileValue(dice: Dice): unknown {
  switch (dice.below(7)) {
    case 0:
      return dice.pick(TEXTS);
    case 1:
      return dice.pick(NUMBERS);
    case 2:
      return null;
    case 3:
      return nest(dice.pick([3, 30, 600]), dice);
    case 4:
      return Array.from({ length: dice.pick([0, 2, 3_000]) }, () => dice.pick(NUMBERS));
    case 5:
      return Object.fromEntries(Array.from({ length: dice.pick([1, 20, 2_000]) }, (_, index) => [`k${index}`, index]));
    default:
      return dice.chance(0.5);
  }
}

/** A copy of a value in which some places hold something else. */
export function mutate(value: unknown, dice: Dice, probability = 0.08): unknown {
  if (dice.chance(probability)) return hostileValue(dice);
  if (Array.isArray(value)) return value.map((item) => mutate(item, dice, probability));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(() => !dice.chance(probability / 4))
    .map(([key, member]): [string, unknown] => [key, mutate(member, dice, probability)]);
  if (dice.chance(probability)) members.push([dice.pick(TEXTS), hostileValue(dice)]);
  return Object.fromEntries(members);
}

/** A request that is nearly valid. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request of an operation: a valid one with a few hostile places. */
export function makeRequest(api: Api, operation: Operation, dice: Dice): HostileRequest {
  const value = (name: string): string => {
    const parameter = operation.parameters.find((one) => one.name === name);
    const made = generateValue(api, parameter?.schema ?? true, { direction: 'request', seed: dice.below(1_000) });
    return made.ok && !dice.chance(0.4) ? toText(made.value) : dice.pick(TEXTS);
  };
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => encode(value(name)).slice(0, 4_000));
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && dice.chance(0.5))
    .map(({ name }) => `${encode(name)}=${encode(value(name)).slice(0, 7_000)}`);
  const headers: Record<string, string> = { ...credentialsFor(api, operation, dice) };
  if (dice.chance(0.3)) headers[dice.pick(HEADER_NAMES)] = headerText(dice.pick(TEXTS));
  const body = makeBody(api, operation, dice, headers);
  return {
    method: operation.method.toUpperCase(),
    target: path + (query.length === 0 ? '' : `?${query.join('&')}`),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

const HEADER_NAMES = [
  'prefer',
  'accept',
  'range',
  'if-match',
  'if-none-match',
  'origin',
  'cookie',
  'x-specmill-sandbox',
];

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 7_000);
}

function credentialsFor(api: Api, { security }: Operation, dice: Dice): Record<string, string> {
  const [alternative = {}] = security;
  const headers: Record<string, string> = {};
  for (const name of Object.keys(alternative)) {
    const scheme = api.securitySchemes.get(name);
    if (scheme?.type === 'apiKey' && scheme.in === 'header') headers[scheme.name] = 'key';
    else
      headers['authorization'] =
        scheme?.type === 'http' && scheme.scheme === 'basic' ? `Basic ${btoa('k:s')}` : 'Bearer t';
  }
  if (dice.chance(0.05)) headers['authorization'] = headerText(dice.pick(TEXTS));
  return headers;
}

function makeBody(api: Api, operation: Operation, dice: Dice, headers: Record<string, string>): string | undefined {
  const [media] = operation.body?.content ?? [];
  if (media === undefined || operation.method === 'get') return undefined;
  headers['content-type'] = dice.chance(0.1) ? dice.pick(MEDIA_TYPES) : media.mediaType;
  if (dice.chance(0.1)) return dice.pick(TEXTS);
  const made = generateValue(api, media.schema ?? true, { direction: 'request', seed: dice.below(1_000) });
  const text = JSON.stringify(mutate(made.ok ? made.value : {}, dice));
  return dice.chance(0.05) ? text.slice(0, dice.below(text.length)) : text;
}

const MEDIA_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain; charset=utf-7',
  'a/b/c',
];
