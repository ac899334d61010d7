import path from 'node:path';

import { expect, test } from 'vitest';

import { checkResponse, measureCoverage, runContract, toHtml, toJunit, toSarif, toText } from '../../entry/contract.js';
import { startMock, startProxy } from '../../entry/mock.js';
import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';
import { sampleOf } from '../support/sample-of.js';
import { tempFolder } from '../support/temp-folder.js';

import { placeOf } from '../../contract/expectations/filters.js';
import { isSorted } from '../../contract/expectations/list-kinds.js';

const WIDE = 9_007_199_254_740_993n;
const int64 = { type: 'integer', format: 'int64' };
const list = (items: object): object => ({ type: 'array', items });

/** Where an order can have integers beyond 2^53. */
const SHAPES: Readonly<Record<string, object>> = {
  'members of the objects of a list': { lines: list({ type: 'object', properties: { productId: int64 } }) },
  'a list': { products: list(int64) },
  'a set': { products: { ...list(int64), uniqueItems: true } },
  'a list of lists': { grid: list(list(int64)) },
  'a map': { counts: { type: 'object', additionalProperties: int64 } },
  'a map of lists': { counts: { type: 'object', additionalProperties: list(int64) } },
  'an alternative': { payer: { oneOf: [int64, { type: 'object', properties: { id: int64 }, required: ['id'] }] } },
  'an enum': { kind: { ...int64, enum: [1, 2] } },
  'a value at its bound': { size: { ...int64, minimum: 1, maximum: 9_007_199_254_740_991 } },
};

const json = (schema: object): object => ({ 'application/json': { schema } });
const ORDER = { $ref: '#/components/schemas/Order' };

/** The spec of orders with some members; `id`: the schema of their ids. */
function specOf(members: object, id: object = { type: 'string' }): object {
  const ok = (schema: object): object => ({
    description: 'ok',
    headers: { 'X-Trace': { schema: int64 } },
    content: json(schema),
  });
  const no = {
    description: 'no',
    content: json({ type: 'object', properties: { given: {}, limit: int64 } }),
  };
  const filters = [{ name: 'number', in: 'query', schema: int64 }];
  const one = { parameters: [{ name: 'id', in: 'path', required: true, schema: id }] };
  const body = { required: true, content: json(ORDER) };
  return {
    openapi: '3.1.0',
    info: { title: 'orders', version: '1' },
    paths: {
      '/orders': {
        get: { operationId: 'listOrders', parameters: filters, responses: { 200: ok(list(ORDER)), 400: no } },
        post: { operationId: 'addOrder', requestBody: body, responses: { 201: ok(ORDER), 400: no } },
      },
      '/orders/{id}': {
        ...one,
        get: { operationId: 'getOrder', responses: { 200: ok(ORDER), 404: no } },
        put: { operationId: 'putOrder', requestBody: body, responses: { 200: ok(ORDER), 400: no, 404: no } },
        delete: { operationId: 'deleteOrder', responses: { 204: { description: 'gone' }, 404: no } },
      },
    },
    components: {
      schemas: {
        Order: {
          type: 'object',
          properties: { id: { ...id, readOnly: true }, number: int64, ...members },
        },
      },
    },
  };
}

function writeSpec(spec: object): string {
  return path.join(tempFolder({ 'orders.json': JSON.stringify(spec) }), 'orders.json');
}

/** Each wide integer in a value, plus 1. */
function shifted(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n;
  if (Array.isArray(value)) return value.map((item) => shifted(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shifted(member)]));
}

/** Numbers as they are beyond 2^53, at any depth. */
function widened(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return WIDE + BigInt(value);
  if (Array.isArray(value)) return value.map((item) => widened(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, widened(member)]));
}

type Change = (value: unknown) => unknown;

/** A server of orders whose ids are beyond 2^53. `read` changes what it shows later, `write` what it keeps. */
function serveOrders({
  read = (value) => value,
  write = (value) => value,
}: {
  read?: Change;
  write?: Change;
}): typeof fetch {
  const orders = new Map<string, Record<string, unknown>>();
  let next = WIDE;
  const respond = (status: number, value: unknown): Response =>
    new Response(stringifyExactJson(value), {
      status,
      headers: { 'content-type': 'application/json', 'x-trace': String(WIDE), allow: 'GET' },
    });
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const id = decodeURIComponent(pathname.split('/')[2] ?? '');
    const text = await request.text();
    let body: unknown;
    try {
      body = text === '' ? undefined : parseExactJson(text);
    } catch {
      return respond(400, { given: text, limit: WIDE });
    }
    const isOrder = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (pathname === '/orders' && request.method === 'GET') {
      const number = searchParams.get('number');
      const all = [...orders.values()].filter((one) => number === null || String(one['number']) === number);
      return respond(200, all.map(read));
    }
    if (['POST', 'PUT'].includes(request.method) && !isOrder) return respond(400, { given: body, limit: WIDE });
    if (pathname === '/orders' && request.method === 'POST') {
      next += 1n;
      const order = { ...(write(body) as object), id: next };
      orders.set(String(next), order);
      return respond(201, order);
    }
    const known = orders.get(id);
    if (known === undefined) return respond(404, { given: id, limit: WIDE });
    if (request.method === 'DELETE') return orders.delete(id) ? new Response(null, { status: 204 }) : respond(404, {});
    if (request.method === 'PUT') orders.set(id, { ...(write(body) as object), id: known['id'] });
    else if (request.method !== 'GET') return respond(405, {});
    return respond(200, request.method === 'GET' ? read(orders.get(id)) : orders.get(id));
  };
}

test.each(sampleOf(Object.entries(SHAPES), 12))(
  'a contract run against the mock ends without a finding with %s',
  async (_what, members) => {
    const spec = writeSpec(specOf(members));
    await using mock = await startMock('orders', { spec });
    const report = await runContract({ spec, url: mock.url, fetch: mock.fetch, maxExamples: 20 });
    expect(report.findings).toEqual([]);
    expect(report.requests).toBeGreaterThan(20);
  },
);

const WIDE_SERVERS: readonly [string, Parameters<typeof serveOrders>[0]][] = [
  ['what was sent', {}],
  ['wide numbers instead of others', { read: widened }],
  ['neighbours of the wide numbers', { read: shifted }],
  ['wide numbers that it keeps instead of others', { write: widened }],
];

test.each(sampleOf(WIDE_SERVERS, 3))(
  'a run ends with each report against a server with wide ids that shows %s',
  async (_what, server) => {
    const members = Object.assign({}, ...Object.values(SHAPES)) as object;
    const report = await runContract({
      spec: writeSpec(specOf(members, int64)),
      url: 'http://orders.mock',
      fetch: serveOrders(server),
      maxExamples: 20,
    });
    expect(report.requests).toBeGreaterThan(100);
    for (const render of [toText, toHtml, toJunit, toSarif]) expect(render(report).length).toBeGreaterThan(0);
  },
);

test('neighbouring integers beyond 2^53 are two values in findings', async () => {
  const spec = writeSpec(specOf({}, int64));
  const wide = (value: unknown): unknown => ({ ...(value as object), number: WIDE });
  const { findings } = await runContract({
    spec,
    url: 'http://orders.mock',
    fetch: serveOrders({ write: wide, read: (order) => ({ ...(order as object), number: WIDE + 1n }) }),
    phases: ['examples', 'stateful'],
  });
  expect(findings.map(({ actual }) => actual).join('\n')).toMatch(/900719925474099[34]/);
});

test('the proxy checks wide integers, and coverage reads its journal', async () => {
  const spec = writeSpec(specOf({ grid: list(list(int64)), size: { ...int64, maximum: 10 } }, int64));
  await using mock = await startMock('orders', { spec, port: 0 });
  await using proxy = await startProxy('orders', { spec, upstream: mock.url, port: 0 });
  const send = async (body: string): Promise<number> =>
    (await fetch(`${proxy.url}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
      .status;
  expect(await send('{"number":9007199254740993,"grid":[[9007199254740993]]}')).toBe(201);
  expect(await send('{"size":9007199254740993}')).toBeGreaterThanOrEqual(400);
  await fetch(`${proxy.url}/orders?number=9007199254740993`);
  const { operations } = await measureCoverage({ spec, journal: await proxy.requests() });
  expect(operations.find(({ operationId }) => operationId === 'addOrder')?.requests).toBe(2);
});

test('a single response with wide integers is checked', async () => {
  const spec = writeSpec(specOf({ size: { ...int64, maximum: 10 } }, int64));
  const response = new Response('{"size":9007199254740993,"number":9007199254740993}', {
    headers: { 'content-type': 'application/json', 'x-trace': '9007199254740993' },
  });
  const problems = await checkResponse({ spec, operation: 'getOrder', response });
  expect(problems.map(({ actual }) => actual)).toEqual(['9007199254740993']);
});

test('items are found by ids beyond 2^53', async () => {
  const spec = writeSpec(specOf({}, int64));
  const phases = ['stateful'] as const;
  const report = await runContract({ spec, url: 'http://orders.mock', fetch: serveOrders({}), phases });
  expect(report.findings).toEqual([]);
  const deleted = report.coverage.operations.find(({ operationId }) => operationId === 'deleteOrder');
  expect(deleted?.statuses['204']).toBeGreaterThan(0);
});

test('integers beyond 2^53 have an order among others', () => {
  expect(isSorted([1, 5, WIDE], false)).toBe(true);
  expect(isSorted([5, WIDE, 1], false)).toBe(false);
  expect(isSorted([WIDE, 5, 1], true)).toBe(true);
  expect(placeOf(WIDE)).toBeGreaterThan(placeOf(5) ?? Infinity);
});
