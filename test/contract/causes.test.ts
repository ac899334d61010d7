import { expect, test } from 'vitest';

import {
  type ContractReport,
  runContract,
  toAnnotations,
  toJunit,
  toMarkdown,
  toSarif,
  toText,
} from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

const room = { $ref: '#/components/schemas/Room' };
const content = { 'application/json': { schema: room } };
const responses = { 200: { description: 'Done.', content }, 400: { description: 'Invalid.' } };
const write = (operationId: string, more: object = {}): object => ({
  operationId,
  requestBody: { required: true, content },
  responses,
  ...more,
});
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Rooms', version: '1' },
  paths: {
    '/book': { post: write('bookRoom') },
    '/price': { post: write('priceRoom') },
    '/rate': { post: write('rateRoom') },
    '/keys': { post: write('cutKey', { security: [{ key: [] }] }) },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Room: {
        type: 'object',
        required: ['kind', 'beds'],
        properties: {
          kind: { enum: ['single', 'double'] },
          beds: { type: 'integer', minimum: 1, maximum: 4 },
          view: { type: 'string', minLength: 3 },
        },
      },
    },
  },
};

interface Room {
  readonly kind?: unknown;
  readonly beds?: unknown;
  readonly view?: unknown;
}

const isShort = (view: unknown): boolean => view !== undefined && (typeof view !== 'string' || view.length < 3);

/** `rateRoom` checks nothing, the others do not know the kinds, and `cutKey` takes every credential but none. */
const serve: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  const text = await request.text();
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
  if (pathname === '/rate') return Response.json({ kind: 'single', beds: 2 });
  if (pathname === '/keys' && !request.headers.has('authorization')) return new Response(null, { status: 401 });
  const isJson = request.headers.get('content-type') === 'application/json';
  const body = isJson ? (parse(text) as Room | undefined) : undefined;
  const { kind, beds, view } = body ?? {};
  const isValid = typeof kind === 'string' && Number.isInteger(beds) && Number(beds) >= 1 && Number(beds) <= 4;
  if (!isValid || isShort(view)) return new Response(null, { status: 400 });
  return Response.json({ kind: 'single', beds: 2 });
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const DONE = find();

async function find(change: object = {}): Promise<ContractReport> {
  const api = await loadDocument(DOCUMENT);
  return runContract({ api, url: 'http://127.0.0.1:9', fetch: serve, phases: ['examples', 'negative'], ...change });
}

test('an operation that checks nothing is one finding, at its request body', async () => {
  const { findings } = await DONE;
  const own = findings.filter(({ operationId }) => operationId === 'rateRoom');
  expect(own.map(({ check }) => check)).toEqual(['invalid input refused']);
  expect(own[0]?.message).toMatch(/^rateRoom checks nothing: it accepted \d+ kinds of invalid requests, such as: body/);
  expect(own[0]?.alsoAt?.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['body/kind', 'body/beds']));
  expect(own[0]?.place?.pointer).toBe('/paths/~1rate/post/requestBody');
});

test('a rule that several operations break is one finding, with the place and the allowed values', async () => {
  const { findings } = await DONE;
  const [enumerated, ...others] = findings.filter(({ place }) => place?.pointer.endsWith('/kind/enum'));
  expect(others).toEqual([]);
  expect(enumerated).toMatchObject({
    check: 'invalid input refused',
    operationId: 'bookRoom',
    severity: 'warning',
    special: expect.stringMatching(/^body\/kind /) as string,
    allowed: '"single", "double"',
    place: { pointer: '/components/schemas/Room/properties/kind/enum', line: expect.any(Number) as number },
    alsoAt: [
      { operationId: 'priceRoom', pointer: 'body/kind' },
      { operationId: 'cutKey', pointer: 'body/kind' },
    ],
  });
});

/** Rooms that are stored and shown as they were sent, whatever it is. */
function serveUnchecked(): typeof fetch {
  const rooms: unknown[] = [];
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return Response.json(rooms);
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
    const sent = parse(await request.text());
    if (typeof sent !== 'object') return new Response(null, { status: 400 });
    rooms.push(sent);
    return Response.json(sent);
  };
}

test('invalid values that a server accepts, stores and shows are one finding, also with a baseline', async () => {
  const list = { 'application/json': { schema: { type: 'array', items: room } } };
  const paths = {
    '/rooms': {
      post: write('addRoom'),
      get: { operationId: 'listRooms', responses: { 200: { description: 'All.', content: list } } },
    },
  };
  const api = await loadDocument({ ...DOCUMENT, paths });
  const phases = ['examples', 'negative', 'fuzz'] as const;
  const run = async (change: object = {}): Promise<ContractReport> =>
    runContract({ api, url: 'http://127.0.0.1:9', fetch: serveUnchecked(), phases, ...change });
  const { findings } = await run();
  const about = findings.filter(({ place }) => place?.pointer.startsWith('/components/schemas/Room'));
  expect(about.map(({ check }) => check)).not.toContain('response schema');
  expect(findings.filter(({ check }) => check === 'response schema')).toEqual([]);
  expect(findings.flatMap(({ alsoAt = [] }) => alsoAt).map(({ operationId }) => operationId)).toContain('listRooms');
  expect((await run({ baseline: findings })).findings).toEqual([]);
});

test('a missing and a wrong credential are two checks, with the place of the security requirement', async () => {
  const { findings } = await DONE;
  const found = findings.filter(({ check }) => /credential|authentication/.test(check));
  expect(found.map(({ check, place }) => [check, place?.pointer])).toEqual([
    ['wrong credential refused', '/paths/~1keys/post/security'],
  ]);
});

test('a security requirement that no operation enforces is one finding for each of its two checks', async () => {
  const responses = { 200: { description: 'Done.' }, 401: { description: 'No.' } };
  const paths = Object.fromEntries(
    ['rooms', 'floors', 'keys'].map((name) => [`/${name}`, { get: { operationId: name, responses } }]),
  );
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
  const info = { title: 'A', version: '1' };
  const api = await loadDocument({ openapi: '3.1.0', info, paths, components, security: [{ key: [] }] });
  const open: typeof fetch = async () => new Response(null, { status: 200 });
  const options = { headers: { 'x-key': 'own' }, phases: ['negative'] } as const;
  const { findings } = await runContract({ api, url: 'http://rooms.test', fetch: open, ...options });
  const found = findings.filter(({ check }) => /credential|authentication/.test(check));
  expect(found.map(({ check, place, alsoAt = [] }) => [check, place?.pointer, alsoAt.length])).toEqual([
    ['authentication required', '/security', 2],
    ['wrong credential refused', '/security', 2],
  ]);
});

test('recipes of other findings create their items with the right credential', async () => {
  const note = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
  const shown = { ...note, properties: { ...note.properties, id: { type: 'string' } } };
  const json = (schema: object): object => ({ 'application/json': { schema } });
  const documented = {
    200: { description: 'x', content: json(shown) },
    400: { description: 'x' },
    404: { description: 'x' },
  };
  const body = { required: true, content: json(note) };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const paths = {
    '/notes': { post: { operationId: 'add', requestBody: body, responses: documented } },
    '/notes/{id}': { parameters: [id], put: { operationId: 'change', requestBody: body, responses: documented } },
  };
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
  const info = { title: 'A', version: '1' };
  const api = await loadDocument({ openapi: '3.1.0', info, paths, components, security: [{ key: [] }] });
  const ids = new Set<string>();
  // Any key will do, and a change accepts any text.
  const lax: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const value = parse(await request.text()) as { text?: unknown } | undefined;
    if (!request.headers.has('x-key')) return new Response(null, { status: 401 });
    const [, , own] = new URL(request.url).pathname.split('/');
    if (own !== undefined && !ids.has(own)) return new Response(null, { status: 404 });
    if (own !== undefined) return Response.json({ text: 'x', id: own });
    if (typeof value?.text !== 'string' || value.text === '') return new Response(null, { status: 400 });
    ids.add(String(ids.size));
    return Response.json({ text: value.text, id: String(ids.size - 1) });
  };
  const report = await runContract({ api, url: 'http://notes.test', fetch: lax, headers: { 'x-key': 'own' } });
  const lines = toText(report).filter((line) => line.includes('curl '));
  const recipes = report.findings.map(({ check }) => check);
  expect(recipes).toEqual(expect.arrayContaining(['wrong credential refused', 'invalid input refused']));
  expect(lines.filter((line) => line.includes("'x-key;'"))).toHaveLength(1);
});

test('the findings of a report are a baseline for all their places', async () => {
  const { findings } = await DONE;
  expect((await find({ baseline: findings })).findings).toEqual([]);
});

test('each report has the place of the rule, and JUnit a case for each operation and check', async () => {
  const report = await DONE;
  const place = report.findings.find(({ allowed }) => allowed?.startsWith('"single"'))?.place;
  const at = `${place?.file}:${place?.line}:${place?.column}`;
  for (const text of [toText(report).join('\n'), toJunit(report), toMarkdown(report)]) expect(text).toContain(at);
  expect(toSarif(report)).toContain(`"startLine": ${place?.line}`);
  expect(
    toAnnotations(report).filter((line) => line.includes(`line=${place?.line},col=${place?.column},`)),
  ).toHaveLength(1);
  for (const id of ['bookRoom', 'priceRoom', 'cutKey', 'rateRoom'])
    expect(toJunit(report)).toContain(`name="${id}: invalid input refused"`);
});

test('ten annotations are the most, and a file outside of the repository has no line', async () => {
  const report = await DONE;
  const [first] = report.findings;
  const many = { ...report, findings: Array.from({ length: 30 }, () => first ?? expect.unreachable()) };
  const lines = toAnnotations(many, { pathInRepository: () => undefined });
  expect(lines).toHaveLength(10);
  expect(lines.join('\n')).not.toContain('file=');
});

test('text of a server or spec is code in Markdown', async () => {
  const report = await DONE;
  const [first] = report.findings;
  const hostile = { ...(first ?? expect.unreachable()), actual: '`</details>@all\n# x \u001b[2J|', alsoAt: [] };
  const text = toMarkdown({ ...report, findings: [hostile] });
  expect(text).toContain(String.raw`- actual: ${'``'} ${'`'}</details>@all\n# x \u001b[2J| ${'``'}`);
  expect(text).not.toContain('\u001b');
});
