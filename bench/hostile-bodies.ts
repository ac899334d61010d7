import { gzipSync } from 'node:zlib';

import type { Api, Operation } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import { generateValue } from '../schema/generate-value.js';

const SIZE = 900_000;
/** Just below what is refused before it is parsed (`http/request/parse-json.ts`). */
const [MOST_COST, MOST_OBJECTS, MOST_MEMBERS] = [390_000, 12_000, 16_000] as const;

const TEXTS: Readonly<Record<string, string>> = {
  digits: `${'1'.repeat(SIZE)}x`,
  letters: `${'a'.repeat(SIZE)}!`,
  blanks: `${' '.repeat(SIZE)}x`,
  slashes: '/'.repeat(SIZE),
  uri: `A:/3.${'3.'.repeat(SIZE / 4)}${'0/.'.repeat(SIZE / 6)}\u0001`,
  email: `${'a.'.repeat(SIZE / 2)}@`,
  date: `2026-01-01T${'0'.repeat(SIZE)}`,
  brackets: '[(<{'.repeat(SIZE / 4),
  quotes: '"\\'.repeat(SIZE / 2),
  words: 'go west '.repeat(SIZE / 8),
  emoji: '\u{1F469}\u200D\u{1F4BB}'.repeat(SIZE / 12),
};

/** A body below a megabyte, made to take long. */
export interface HostileBody {
  readonly name: string;
  readonly body: BodyInit;
  readonly headers: Record<string, string>;
}

/** Bodies for an operation: right and wrong ones, as large as they may be. */
export function bodyAttacks(api: Api, operation: Operation): HostileBody[] {
  const [media] = operation.body?.content ?? [];
  if (media === undefined) return [];
  const headers = { 'content-type': media.mediaType };
  if (/form-urlencoded/.test(media.mediaType)) return formAttacks(headers);
  if (/multipart/.test(media.mediaType)) return multipartAttacks();
  if (!/json/.test(media.mediaType))
    return Object.entries(TEXTS).map(([name, body]) => ({ name: `body of ${name}`, body, headers }));
  const made = generateValue(api, media.schema ?? true, { direction: 'request', seed: 1, variant: 'full' });
  const corrupted = made.ok
    ? [...corrupt(made.value)].map(([name, value]) => [name, JSON.stringify(value)] as const)
    : [];
  return [
    ...[...jsonTexts(), ...corrupted, ...(operation.id === 'generateContent' ? schemaTexts() : [])].flatMap(
      ([name, body]) => (body.length > 1_000_000 ? [] : [{ name: `body: ${name}`, body, headers }]),
    ),
    ...bombs().map(([name, body]) => ({ name, body, headers: { ...headers, 'content-encoding': 'gzip' } })),
  ];
}

/** JSON for every operation. Much of it is as large as is just not refused for its size. */
const jsonTexts = once((): readonly (readonly [name: string, body: string])[] => {
  const values: readonly (readonly [string, unknown])[] = [
    ...Object.entries(TEXTS),
    ['nested lists', nest(500, (inner) => [inner])],
    ['many nested lists', Array.from({ length: 200 }, () => nest(400, (inner) => [inner]))],
    ['nested operators', nest(250, (inner) => ({ op: 'and', filters: [inner] }))],
    ['numbers', Array.from({ length: SIZE / 3 }, (_, index) => index % 10)],
    ['lists', Array.from({ length: MOST_COST / 5 }, () => [])],
    ['empty objects', Array.from({ length: MOST_OBJECTS }, () => ({}))],
    ['too many objects', Array.from({ length: SIZE / 3 }, () => ({}))],
    ['members', createMembers(MOST_MEMBERS)],
    ['too many members', createMembers(SIZE / 14)],
    ['objects of different members', Array.from({ length: 300 }, (_, index) => createMembers(200, `k${index}_`))],
    ['a large number', 10 ** 300],
  ];
  return [
    ...values.map(([name, value]) => [name, JSON.stringify(value)] as const),
    ['broken JSON', `{"a":${'['.repeat(SIZE)}`],
    ['wide integers', `[${'12345678901234567891,'.repeat(SIZE / 21)}0]`],
    ['a large number of digits', '9'.repeat(SIZE)],
    ['escapes', `["${'\\u0041'.repeat(SIZE / 6)}"]`],
    ['surrogates', `[${'"\\ud83d\\ude00",'.repeat(SIZE / 15)}0]`],
  ];
});

/** Less than a megabyte that expands to a great deal. */
const bombs = once((): readonly (readonly [name: string, body: Uint8Array<ArrayBuffer>])[] => {
  const objects = JSON.stringify(Array.from({ length: MOST_OBJECTS }, (_, index) => ({ [`k${index % 10}`]: index })));
  const bodies = {
    'a bomb': Buffer.alloc(200_000_000, 32),
    'a bomb of objects': Buffer.from('{},'.repeat(30_000_000)),
    'compressed objects': Buffer.from(objects.padEnd(1_999_000, ' ')),
    'compressed text': Buffer.from(JSON.stringify({ a: 'b'.repeat(1_990_000) })),
  };
  return Object.entries(bodies).map(([name, bytes]) => [name, gzipSync(bytes)]);
});

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function createMembers(count: number, prefix = 'k'): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));
}

/** Values of the right shape with one place that is not. */
function* corrupt(value: unknown, depth = 0, where = ''): Generator<[string, unknown]> {
  if (depth > 3) return;
  const texts = Object.entries(TEXTS).filter((_, index) => depth < 2 || index % 3 === 0);
  for (const [name, text] of texts) if (typeof value === 'string') yield [`${where} ${name}`, text];
  if (typeof value === 'number') yield [`${where} as digits`, '1'.repeat(SIZE)];
  if (Array.isArray(value)) {
    const item: unknown = value[0] ?? {};
    const text = JSON.stringify(item);
    const length = Math.floor(Math.min(SIZE / (text.length + 1), MOST_COST / costOf(text)));
    yield [`${where} with ${length} right items`, Array.from({ length }, () => item)];
    yield [`${where} with wrong items`, Array.from({ length: SIZE / 10 }, (_, index) => `${index}`)];
    yield [
      `${where} with wrong objects`,
      Array.from({ length: MOST_OBJECTS }, (_, index) => ({ [`k${index % 10}`]: index })),
    ];
    for (const [name, inner] of corrupt(item, depth + 1, `${where}/0`)) yield [name, [inner]];
  } else if (isRecord(value)) {
    yield [`${where} with further members`, { ...value, ...createMembers(MOST_MEMBERS - Object.keys(value).length) }];
    for (const [key, member] of Object.entries(value))
      for (const [name, inner] of corrupt(member, depth + 1, `${where}/${key}`))
        yield [name, { ...value, [key]: inner }];
  }
}

/** Requests of content generation whose schema the response is to follow. */
const schemaTexts = once((): readonly (readonly [name: string, body: string])[] => {
  const names = (count: number): string[] => Array.from({ length: count }, (_none, index) => `text${index}`);
  const defs = (count: number, make: (name: string, next: string) => unknown): Record<string, unknown> =>
    Object.fromEntries(names(count).map((name, index) => [name, make(name, `text${index + 1}`)]));
  const list = (items: unknown): unknown => ({ type: 'array', minItems: 1_000, items });
  const twice = (next: string): unknown => ({ $ref: `#/$defs/${next}` });
  const schemas: readonly (readonly [string, unknown])[] = [
    ['too large an enum', { enum: names(60_000) }],
    ['an enum', { enum: names(19_000) }],
    ['members', { properties: defs(1_900, () => ({ type: 'string' })), required: names(1_900) }],
    ['alternatives', { anyOf: names(1_900).map((name) => ({ type: 'object', required: [name] })) }],
    [
      'anchors',
      { properties: defs(900, (name) => ({ $ref: `#${name}` })), $defs: defs(900, ($anchor) => ({ $anchor })) },
    ],
    ['a chain', { $defs: { ...defs(900, (_name, next) => twice(next)), text900: {} }, $ref: '#/$defs/text0' }],
    ['lists in lists', list(list(list({ type: 'string' })))],
    [
      'a tree',
      {
        $ref: '#/$defs/text0',
        $defs: {
          ...defs(40, (_name, next) => ({ required: ['a', 'b'], properties: { a: twice(next), b: twice(next) } })),
          text40: { type: 'string' },
        },
      },
    ],
  ];
  return schemas.map(([name, responseJsonSchema]) => {
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema };
    return [`schema: ${name}`, JSON.stringify({ contents: [{ parts: [{ text: 'a' }] }], generationConfig })];
  });
});

/** What the parser of requests counts for a text. */
function costOf(text: string): number {
  const count = (character: string): number => text.split(character).length - 1;
  return 1 + count(',') + 4 * count('[') + 32 * count('{');
}

function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = { field: 5 };
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

function formAttacks(headers: Record<string, string>): HostileBody[] {
  const texts = {
    ...TEXTS,
    pairs: 'a=1&'.repeat(SIZE / 4),
    brackets: 'a[b][c]=1&'.repeat(SIZE / 10),
    percents: '%'.repeat(SIZE),
  };
  return Object.entries(texts).map(([name, text]) => ({ name: `form of ${name}`, body: `n=${text}`, headers }));
}

function multipartAttacks(): HostileBody[] {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = (head: string): string => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n1\r\n`;
  const heads = {
    names: 'name="a"'.padEnd(60, ' '),
    quotes: `name="a"; x=${';a="\\"'.repeat(2_000)}`,
    blanks: `name=a;${' '.repeat(15_000)}`,
  };
  return Object.entries(heads).map(([name, head]) => ({
    name: `parts with ${name}`,
    body: `${part(head).repeat(Math.floor(SIZE / part(head).length))}--b--`,
    headers,
  }));
}
