import { expect, test } from 'vitest';

import { type Finding, checkResponse, runContract } from '../../entry/contract.js';
import type { Api } from '../../model/api.js';
import { loadDocument } from '../support/load-document.js';
import { runPastedTest } from '../support/run-pasted-test.js';

const URL_OF_SERVER = 'http://things.test';

/** The schema of a member besides `id` and `name`, whether a value fits it, and how the server stores or shows it. */
interface Shape {
  readonly schema: object;
  readonly isValid: (value: unknown) => boolean;
  /** What later responses show for a value. */
  readonly show?: (value: unknown) => unknown;
  /** Whether the response to a write shows the same as later ones. Default: it shows the value as sent. */
  readonly isShownAtOnce?: boolean;
}

type Item = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function apiWith(schema: object): Promise<Api> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const ok = { description: 'ok', content };
  const [bad, none] = [{ description: 'bad' }, { description: 'none' }];
  const requestBody = { required: true, content };
  return loadDocument({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: {
      '/things': { post: { operationId: 'addThing', requestBody, responses: { 201: ok, 400: bad, 415: bad } } },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'getThing', responses: { 200: ok, 404: none } },
        put: { operationId: 'putThing', requestBody, responses: { 200: ok, 400: bad, 404: none, 415: bad } },
        delete: { operationId: 'deleteThing', responses: { 204: { description: 'gone' }, 404: none } },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'value'],
          properties: {
            id: { type: 'string', readOnly: true },
            name: { type: 'string', minLength: 1, maxLength: 40 },
            value: schema,
          },
        },
      },
    },
  });
}

/** A server that is right but for what it shows. */
function serve({ isValid, show = (value) => value, isShownAtOnce = false }: Shape): typeof fetch {
  const items = new Map<string, Item>();
  let count = 0;
  const methods = { '/things': 'POST', '/things/': 'GET, PUT, DELETE' };
  return async (input, init) => {
    const request = new Request(input, init);
    const [, path = '', id] = /^(\/things\/?)([^/]*)$/.exec(new URL(request.url).pathname) ?? [];
    const allow = methods[path as keyof typeof methods];
    if (allow === undefined) return new Response(null, { status: 404 });
    if (!allow.split(', ').includes(request.method)) return new Response(null, { status: 405, headers: { allow } });
    const known = items.get(decodeURIComponent(id ?? ''));
    if (request.method !== 'POST' && known === undefined) return new Response(null, { status: 404 });
    if (request.method === 'DELETE') {
      items.delete(decodeURIComponent(id ?? ''));
      return new Response(null, { status: 204 });
    }
    if (request.method === 'GET') return Response.json(known);
    if (!/json/.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
    const sent: unknown = await request.json().catch(() => undefined);
    if (!isThing(sent) || !isValid(sent['value'])) return new Response(null, { status: 400 });
    count += known === undefined ? 1 : 0;
    const key = known === undefined ? String(count) : String(known['id']);
    const shown = { ...sent, id: key, value: show(sent['value']) };
    items.set(key, shown);
    return Response.json(isShownAtOnce ? shown : { ...sent, id: key }, {
      status: request.method === 'POST' ? 201 : 200,
    });
  };
}

function isThing(sent: unknown): sent is Item {
  if (!isRecord(sent) || !Object.keys(sent).every((name) => ['id', 'name', 'value'].includes(name))) return false;
  const { id, name } = sent;
  return (
    (id === undefined || typeof id === 'string') &&
    typeof name === 'string' &&
    name.length > 0 &&
    [...name].length <= 40
  );
}

async function findingsOf(shape: Shape, api: Api, seed: number): Promise<readonly Finding[]> {
  return (await runContract({ api, url: URL_OF_SERVER, fetch: serve(shape), seed, maxExamples: 5 })).findings;
}

const CITY = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
const isCity = (value: unknown): boolean => isRecord(value) && typeof value['city'] === 'string';

test.each<[string, unknown]>([
  ['null', null],
  ['an empty list', []],
])('an object that the server returns as %s is found, and its test fails on that server only', async (_what, shown) => {
  const shape: Shape = {
    schema: { ...CITY, type: ['object', 'null'] },
    isValid: (value) => value === null || isCity(value),
    show: (value) => (value === null ? null : shown),
  };
  const api = await apiWith(shape.schema);
  const findings = (await findingsOf(shape, api, 1)).filter(({ check }) => check === 'read back equal');
  expect(findings.map(({ pointer }) => pointer)).toContain('/value');
  for (const { test: code } of findings) {
    const run = (server: Shape): Promise<void> =>
      runPastedTest(code, {
        fetch: serve(server),
        checkResponse: ({ operation, response }: Parameters<typeof checkResponse>[0]) =>
          checkResponse({ api, operation, response }),
        process,
      });
    await expect(run(shape), code).rejects.toThrow(/expected/);
    await run({ ...shape, show: (value) => value });
  }
});

const WORDS = { type: 'array', minItems: 2, maxItems: 5, items: { type: 'string', minLength: 1, maxLength: 10 } };
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= 5 &&
  value.every((one) => typeof one === 'string' && one.length > 0 && [...one].length <= 10);

/** Lists of scalars that a server keeps as sets, at the top and in members of members. */
const SETS: readonly (readonly [string, Shape])[] = [
  ['a list of texts', { schema: WORDS, isValid: isWords, show: (value) => (value as string[]).toSorted() }],
  [
    'a list of texts in a member of a member',
    {
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['inner'],
        properties: {
          inner: { type: 'object', additionalProperties: false, required: ['words'], properties: { words: WORDS } },
        },
      },
      isValid: (value) =>
        isRecord(value) &&
        Object.keys(value).length === 1 &&
        isRecord(value['inner']) &&
        Object.keys(value['inner']).length === 1 &&
        isWords(value['inner']['words']),
      show: (value) => ({ inner: { words: (value as { inner: { words: string[] } }).inner.words.toSorted() } }),
    },
  ],
];

test.each(SETS.flatMap(([name, shape]) => [1, 7].map((seed) => [name, seed, shape] as const)))(
  'a server that sorts %s gets at most one finding, about the order (seed %i)',
  async (_name, seed, shape) => {
    const api = await apiWith(shape.schema);
    const findings = await findingsOf({ ...shape, isShownAtOnce: true }, api, seed);
    expect(findings.length).toBeLessThanOrEqual(1);
    for (const { message } of findings) expect(message).toMatch(/order/);
    expect(await findingsOf({ ...shape, show: (value) => value }, api, seed)).toEqual([]);
  },
);
