import { gzipSync } from 'node:zlib';
import path from 'node:path';

import { startMock } from '../entry/mock.js';
import type { Api, Operation } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import { toText } from '../runtime/serialize.js';
import { generateValue } from '../schema/generate-value.js';
import { startLoopTimer } from './loop-time.js';
import type { Figure } from './measure.js';

/** No request under a megabyte may keep the event loop for longer. Milliseconds. */
const MOST = 100;
/** A request that takes longer is sent again, and the shortest time counts: garbage of others is collected in between. */
const REPEATS = 4;
/** Of a spec with more operations, so many are attacked, evenly spread; twice as many with bodies as without. */
const MOST_OPERATIONS = 12;
const SIZE = 900_000;

/** Just below what is refused before it is parsed (`http/request/parse-json.ts`). */
const [MOST_COST, MOST_OBJECTS, MOST_MEMBERS] = [390_000, 12_000, 16_000] as const;

const GITHUB = path.join(import.meta.dirname, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const MOCKS = ['signing', 'generation', 'dictionary', 'engine', 'tables', 'notifications', GITHUB];

interface Attack {
  readonly name: string;
  readonly target: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** Sends a corpus of hostile requests to each mock, in process, and shows the slowest. */
export async function benchHostile(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of MOCKS) {
    await using mock = await startMock(name === GITHUB ? 'github' : name, {
      noRateLimit: true,
      ...(name === GITHUB ? { spec: GITHUB } : {}),
    });
    let worst = { took: 0, what: '' };
    let count = 0;
    for (const operation of choose(mock.api.operations)) {
      for (const attack of attacksOn(mock.api, operation)) {
        count += 1;
        const took = await timeAttack(mock.fetch, attack);
        // What it has left behind must not slow the next one down.
        await mock.reset();
        if (took > MOST) console.log(`  ${operation.id} ${attack.name}: ${Math.round(took)} ms`);
        if (took > worst.took) worst = { took, what: `${operation.id}, ${attack.name}` };
      }
    }
    figures.push({
      what: `${name === GITHUB ? 'GitHub REST' : name}: longest of ${count} requests`,
      value: `${Math.round(worst.took)} ms`,
      bound: `< ${MOST} ms`,
      within: worst.took < MOST,
      note: worst.what,
    });
  }
  return figures;
}

function choose(operations: readonly Operation[]): readonly Operation[] {
  const withBody = operations.filter(({ body }) => body !== undefined);
  const others = operations.filter(({ body }) => body === undefined);
  return [...spread(withBody, (MOST_OPERATIONS * 2) / 3), ...spread(others, MOST_OPERATIONS / 3)];
}

function spread(operations: readonly Operation[], most: number): readonly Operation[] {
  const step = Math.max(1, operations.length / most);
  return operations.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Only what is slow is sent again: the first one of a kind pays for what is loaded and compiled on first use. */
async function timeAttack(send: typeof fetch, attack: Attack): Promise<number> {
  let best = await timeOnce(send, attack);
  for (let repeat = 0; repeat < REPEATS && best > MOST; repeat += 1)
    best = Math.min(best, await timeOnce(send, attack));
  return best;
}

async function timeOnce(send: typeof fetch, { target, init }: Attack): Promise<number> {
  const controller = new AbortController();
  const stop = startLoopTimer();
  const response = await send(`http://mock${target}`, { ...init, signal: controller.signal });
  const took = stop();
  // A stream of events may have no end.
  await response.body?.cancel();
  controller.abort();
  return took;
}

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

function attacksOn(api: Api, operation: Operation): Attack[] {
  const credentials = credentialsFor(api, operation);
  const target = targetOf(api, operation);
  const method = operation.method.toUpperCase();
  const make = (name: string, init: RequestInit = {}, headers: Record<string, string> = {}, query = ''): Attack => ({
    name,
    target: target + (query === '' ? '' : `?${query}`),
    init: { method, ...init, headers: { ...credentials, ...headers } },
  });
  return [
    ...headerAttacks.map(([name, value]) => make(`header ${name}`, {}, { [name]: value })),
    ...queryAttacks(operation).map((query, index) => make(`query ${index}`, {}, {}, query)),
    ...bodyAttacks(api, operation).map(({ name, body, headers }) => make(name, { body }, headers)),
  ];
}

/** Servers take 16 kB of headers. */
const headerAttacks: readonly (readonly [string, string])[] = [
  ['prefer', 'a'.repeat(15_000)],
  ['prefer', 'code=200,'.repeat(1_500)],
  ['accept', 'a/b;q=0.1,'.repeat(1_500)],
  ['accept', `*/*;q="${'\\"'.repeat(7_000)}`],
  ['cookie', 'a=b; '.repeat(3_000)],
  ['if-none-match', '"a", '.repeat(3_000)],
  ['range', `bytes=${'0-1,'.repeat(3_000)}`],
  ['authorization', `Bearer ${'a'.repeat(15_000)}`],
  ['content-type', `application/json;${'a="'.repeat(5_000)}`],
];

function queryAttacks({ parameters }: Operation): string[] {
  const texts = [
    `${'1'.repeat(12_000)}x`,
    'C+'.repeat(6_000),
    ','.repeat(12_000),
    '%5B%5D'.repeat(2_000),
    '%2F..'.repeat(2_400),
  ];
  const own = parameters.filter((parameter) => parameter.in === 'query').slice(0, 12);
  const filled = own.flatMap(({ name }) => texts.map((text) => `${encodeURIComponent(name)}=${text}`));
  const [first = 'a'] = own.map(({ name }) => name);
  const many = [
    `${encodeURIComponent(first)}=1&`.repeat(700),
    'a[b]=1&'.repeat(1_800),
    `a${'[b]'.repeat(4_000)}=1`,
    '__proto__=1&'.repeat(1_000),
  ];
  return [...filled, ...many].map((query) => query.slice(0, 14_000));
}

interface HostileBody {
  readonly name: string;
  readonly body: BodyInit;
  readonly headers: Record<string, string>;
}

function bodyAttacks(api: Api, operation: Operation): HostileBody[] {
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
    ...[...jsonTexts(), ...corrupted].flatMap(([name, body]) =>
      body.length > 1_000_000 ? [] : [{ name: `body: ${name}`, body, headers }],
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

function targetOf(api: Api, { path: template, parameters }: Operation): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => {
    const schema = parameters.find((one) => one.name === name)?.schema ?? true;
    const made = generateValue(api, schema, { direction: 'request', seed: 1 });
    return encodeURIComponent(made.ok ? toText(made.value) : 'x');
  });
}

function credentialsFor(api: Api, { security }: Operation): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(security[0] ?? {})) {
    const scheme = api.securitySchemes.get(name);
    if (scheme?.type === 'apiKey' && scheme.in === 'header') headers[scheme.name] = 'key';
    else
      headers['authorization'] =
        scheme?.type === 'http' && scheme.scheme === 'basic' ? `Basic ${btoa('k:s')}` : 'Bearer t';
  }
  return headers;
}
