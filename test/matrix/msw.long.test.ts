import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { UNCHECKED } from '../../generator/split-output.js';
import { STRICTEST } from '../support/output-folder.js';
import { TEXT, listOf, object, smallSpec } from '../support/small-spec.js';
import { writeTo } from '../support/temp-folder.js';

const folder = mkdtempSync(path.join(tmpdir(), 'specmill-msw-'));
const ref = (name: string): Record<string, unknown> => ({ $ref: `#/components/schemas/${name}` });
const integer = { type: 'integer' };
const ORDER = object(
  { id: TEXT, item: TEXT, at: { type: 'string', format: 'date-time' }, count: { type: 'integer', format: 'int64' } },
  ['id', 'item', 'at'],
);

function spec(): object {
  const document = smallSpec(
    {
      'GET /orders listOrders': {
        returns: listOf(ref('Order')),
        query: {
          take: integer,
          tags: listOf(TEXT),
          open: { type: 'boolean' },
          since: { type: 'string', format: 'date-time' },
        },
      },
      'POST /orders createOrder': {
        takes: object({ item: TEXT, at: { type: 'string', format: 'date-time' } }, ['item']),
        returns: ref('Order'),
        status: 201,
      },
      'GET /orders/{id} getOrder': { returns: ref('Order'), headers: { ETag: { required: true, schema: TEXT } } },
      'GET /orders/search searchOrders': { returns: listOf(TEXT) },
      'DELETE /orders/{id} deleteOrder': { status: 204 },
      'GET /customers/{id}/orders customerOrders': { returns: object({ orders: listOf(ref('Order')) }) },
      'GET /files/{file}.json getFile': { returns: object({ name: { type: 'string', example: 'x' } }) },
      'POST /models/{model}:generate generate': { returns: TEXT },
      'GET /spans/{a}-{b} span': { returns: TEXT },
    },
    { Order: ORDER },
  ) as { paths: Record<string, Record<string, Record<string, never>>> } & Record<string, unknown>;
  document['openapi'] = '3.2.0';
  const { paths } = document;
  const done = (content: object): object => ({ responses: { 200: { description: 'Done.', content } } });
  const bracketed = {
    name: 'where',
    in: 'query',
    style: 'deepObject',
    explode: true,
    schema: object({ min: integer, tags: listOf(TEXT) }, []),
  };
  Object.assign(paths, {
    '/find': {
      query: { operationId: 'find', ...done({ 'application/json': { schema: TEXT } }) },
      additionalOperations: { COPY: { operationId: 'copy', responses: { 202: { description: 'Copied.' } } } },
      get: { operationId: 'deep', parameters: [bracketed], ...done({ 'application/json': { schema: TEXT } }) },
    },
    '/lines': { get: { operationId: 'lines', ...done({ 'application/jsonl': { itemSchema: ref('Order') } }) } },
    '/events': {
      get: {
        operationId: 'events',
        ...done({ 'text/event-stream': { itemSchema: object({ data: TEXT, event: TEXT }, ['data']) } }),
      },
    },
    '/form': {
      post: {
        operationId: 'sendForm',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: object({ count: integer, tags: listOf(TEXT) }, ['count']) },
          },
        },
        responses: {
          200: { description: 'Done.', content: { 'text/plain': { schema: TEXT, example: 'sent' } } },
          422: { description: 'Wrong.' },
        },
      },
    },
    '/document': {
      get: {
        operationId: 'getDocument',
        ...done({ 'application/xml': { schema: { ...object({ name: TEXT }), xml: { name: 'doc' } } } }),
      },
    },
  });
  const media = {
    schema: ref('Order'),
    examples: { wrong: { value: { id: 1 } }, tea: { value: { id: '7', item: 'tea', at: '2026-01-01T00:00:00Z' } } },
  };
  Object.assign(paths['/orders/{id}']?.['get']?.['responses']?.['200'] ?? {}, {
    content: { 'application/json': media },
  });
  return document;
}

/** MSW 2, whose types the compiler of this repository does not have. */
type Make = (
  resolver?: unknown,
  options?: object,
) => { readonly info: { readonly path: string | RegExp; readonly method: string | RegExp } };
type Handlers = Readonly<Record<string, Make>> & { readonly shopHandlers: (options?: object) => ReturnType<Make>[] };
interface MswServer {
  readonly listen: (options: { readonly onUnhandledRequest: 'bypass' | 'error' }) => void;
  readonly use: (...handlers: readonly unknown[]) => void;
  readonly resetHandlers: () => void;
  readonly close: () => void;
}

/** Compiles an output so that Node runs it beside MSW 2. */
async function load(name: string, options: object): Promise<Handlers> {
  const shop = { spec: 'spec.json', output: name, only: ['types', 'msw'], ...options };
  const { apis } = await generate({ cwd: folder, config: { apis: { shop } } });
  if (apis[0]?.status !== 'written') throw apis[0]?.error ?? new Error(JSON.stringify(apis[0]));
  const outfile = path.join(folder, `${name}.mjs`);
  await build({
    entryPoints: [path.join(folder, name, 'msw.ts')],
    bundle: true,
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as Handlers;
}

let msw: Handlers;
let server: MswServer;
beforeAll(async () => {
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(path.resolve('test/matrix/node_modules/msw-2'), path.join(folder, 'node_modules/msw'));
  writeTo(folder, 'package.json', '{"type":"module"}');
  writeTo(folder, 'spec.json', JSON.stringify(spec()));
  writeTo(folder, 'server.mjs', "export { setupServer } from 'msw/node';");
  msw = await load('shop', {});
  const node = (await import(pathToFileURL(path.join(folder, 'server.mjs')).href)) as {
    setupServer: (...handlers: readonly unknown[]) => MswServer;
  };
  server = node.setupServer(...msw.shopHandlers());
  server.listen({ onUnhandledRequest: 'error' });
}, 60_000);
afterEach(() => server.resetHandlers());
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const SHOP = 'https://shop.test/v1';
const at = (target: string, init?: RequestInit): Promise<Response> => fetch(SHOP + target, init);
const json = async (target: string, init?: RequestInit): Promise<unknown> => (await at(target, init)).json();
const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('handlers without a resolver', () => {
  it('the first documented success has its own status: 201, and 204 without a body', async () => {
    expect((await at('/orders', post({ item: 'tea' }))).status).toBe(201);
    const gone = await at('/orders/1', { method: 'DELETE' });
    expect([gone.status, gone.body, gone.headers.get('content-type')]).toEqual([204, null, null]);
    expect((await at('/find', { method: 'COPY' })).status).toBe(202);
  });

  it('the data is the first valid example with the id of the path and required headers', async () => {
    const response = await at('/orders/42');
    expect(await response.json()).toEqual({ id: '42', item: 'tea', at: '2026-01-01T00:00:00Z' });
    expect(response.headers.get('etag')).toBeTruthy();
    expect(await (await at('/form', { method: 'POST' })).text()).toBe('sent');
  });

  it('two equal requests get the same fixture, and a seed changes it', async () => {
    const first = await json('/customers/1/orders');
    expect(await json('/customers/1/orders')).toEqual(first);
    const seeds = [0, 1, 2, 3].map(async (seed) => {
      server.use(msw['listOrdersHandler']?.(undefined, { seed }));
      return JSON.stringify(await json('/orders'));
    });
    expect(new Set(await Promise.all(seeds)).size).toBeGreaterThan(1);
  });

  it('paths of every form reach their own operation', async () => {
    const { shopHandlers } = msw;
    const infos = shopHandlers().map(({ info }) => `${String(info.method)} ${String(info.path)}`);
    expect(infos).toEqual(
      expect.arrayContaining(['GET */orders/:id', 'GET */orders/search', 'GET */customers/:id/orders']),
    );
    expect(await json('/orders/search')).toBeInstanceOf(Array);
    for (const [op, target, init] of [
      ['getFile', '/files/a%20b.json', {}],
      ['generate', '/models/a:b:generate', { method: 'POST' }],
      ['span', '/spans/1-2-3', {}],
      ['find', '/find', { method: 'QUERY' }],
    ] as const) {
      const seen: unknown[] = [];
      server.use(msw[`${op}Handler`]?.(({ path: values }: { path?: unknown }) => void seen.push(values ?? null)));
      expect((await at(target, init)).status, op).toBe(200);
      expect(seen, op).toEqual([
        { getFile: { file: 'a b' }, generate: { model: 'a:b' }, span: { a: '1', b: '2-3' }, find: null }[op],
      ]);
    }
  });

  it('a relative address matches at any host, and another address does not match', async () => {
    server.use(msw['getOrderHandler']?.({ id: '1', item: 'x', at: 'now' }, { baseUrl: '/v1' }));
    expect(await json('/orders/9')).toEqual({ id: '1', item: 'x', at: 'now' });
    server.use(msw['getOrderHandler']?.({ id: '2', item: 'x', at: 'now' }, { baseUrl: 'https://other.test/' }));
    expect(await json('/orders/9')).toMatchObject({ id: '1' });
    expect(await (await fetch('https://other.test/orders/9')).json()).toMatchObject({ id: '2' });
  });

  it('streams are written item by item, and XML as XML', async () => {
    const lines = (await (await at('/lines')).text()).trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).includes('item'))).toEqual([true, true]);
    const events = await at('/events');
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    expect(await events.text()).toMatch(/^data: .*\n\n/m);
    expect(await (await at('/document')).text()).toMatch(/^<\?xml .*<doc><name>.*<\/doc>$/s);
  });
});

describe('resolvers', () => {
  it('get the parsed request and make documented responses, or none', async () => {
    const seen: unknown[] = [];
    type Call = Record<string, unknown> & { respond: ((...args: unknown[]) => Response) & { network: () => Response } };
    server.use(
      msw['listOrdersHandler']?.(({ query, respond }: Call) => {
        seen.push(query);
        return respond(200, [{ id: '1', item: 'tea', at: '2026-01-01T00:00:00Z' }], { 'x-total': '1' });
      }),
      msw['createOrderHandler']?.(({ body, respond }: Call) => {
        seen.push(body);
        return respond(400);
      }),
      msw['deepHandler']?.(({ query, respond }: Call) => respond(200, JSON.stringify(query))),
      msw['getOrderHandler']?.(({ respond }: Call) => respond.network()),
      msw['sendFormHandler']?.(({ body }: Call) => Response.json(body)),
      msw['eventsHandler']?.(({ respond }: Call) => respond(200, [{ event: 'a', data: 'b' }])),
    );
    const list = await at('/orders?take=2&tags=a&tags=b&open=true&other=1');
    expect([list.headers.get('x-total'), await list.json()]).toEqual([
      '1',
      [{ id: '1', item: 'tea', at: '2026-01-01T00:00:00Z' }],
    ]);
    expect((await at('/orders', post({ item: 'tea' }))).status).toBe(400);
    expect(seen).toEqual([{ take: 2, tags: ['a', 'b'], open: true }, { item: 'tea' }]);
    expect(JSON.parse((await json('/find?where[min]=3&where[tags][]=a')) as string)).toEqual({
      where: { min: 3, tags: ['a'] },
    });
    await expect(at('/orders/1')).rejects.toThrow('Failed to fetch');
    expect(await json('/form', { method: 'POST', body: new URLSearchParams({ count: '2', tags: 'a' }) })).toEqual({
      count: 2,
      tags: ['a'],
    });
    expect(await (await at('/events')).text()).toBe('event: a\ndata: b\n\n');
  });

  it('shopHandlers takes overrides, an address and a delay for all', async () => {
    const given = {
      overrides: { getOrder: { id: '5', item: 'own', at: 'now' } },
      baseUrl: 'https://own.test',
      delay: 1,
    };
    server.use(...msw.shopHandlers(given));
    expect(await (await fetch('https://own.test/orders/1')).json()).toMatchObject({ item: 'own' });
    server.use(msw['getOrderHandler']?.({ id: '6' }, { once: true }));
    expect([await json('/orders/1'), await json('/orders/1')]).toMatchObject([{ id: '6' }, { item: 'tea' }]);
  });

  it('an operation with the name of a member of all objects has no override', async () => {
    writeTo(
      folder,
      'odd.json',
      JSON.stringify(smallSpec({ 'GET /x toString': { returns: TEXT }, 'GET /y valueOf': { returns: TEXT } })),
    );
    server.use(...(await load('odd', { spec: 'odd.json' })).shopHandlers());
    expect([typeof (await json('/x')), typeof (await json('/y'))]).toEqual(['string', 'string']);
  });

  it('with types of dates and integers, values are converted in both directions', async () => {
    const typed = await load('typed', { dates: 'Date', int64: 'bigint' });
    const seen: unknown[] = [];
    const order = { id: '1', item: 'x', at: new Date(0), count: 2n ** 60n };
    server.use(
      typed['listOrdersHandler']?.(({ query }: { query: { since: unknown } }) => void seen.push(query.since)),
      typed['createOrderHandler']?.(({ body }: { body: { at: unknown } }) => void seen.push(body.at)),
      typed['getOrderHandler']?.(order),
    );
    await at('/orders?since=1970-01-01T00:00:00Z');
    await at('/orders', post({ item: 'x', at: '1970-01-01T00:00:00Z' }));
    expect(seen).toEqual([new Date(0), new Date(0)]);
    expect(await (await at('/orders/1')).text()).toBe(
      '{"id":"1","item":"x","at":"1970-01-01T00:00:00.000Z","count":1152921504606846976}',
    );
  });
});

it('with validate, invalid requests are refused with their violations', async () => {
  const strict = await load('strict', { emitters: [['msw', { validate: true }]] });
  server.use(...strict.shopHandlers());
  const refused = await at('/orders', post({ at: 'x' }));
  expect([refused.status, refused.headers.get('content-type'), await refused.json()]).toMatchObject([
    400,
    'application/problem+json',
    {
      violations: [
        { in: 'body', pointer: '/item', message: 'must be present' },
        { in: 'body', pointer: '/at' },
      ],
    },
  ]);
  const refusals = [
    at('/orders?take=x'),
    at('/orders', { ...post({}), body: '{' }),
    at('/orders', { method: 'POST', body: 'tea' }),
    at('/form', { method: 'POST', body: new URLSearchParams({ count: 'x' }) }),
    at('/find?where[min]=x'),
    at('/orders', post({ item: 'tea' })),
  ];
  expect((await Promise.all(refusals)).map(({ status }) => status)).toEqual([400, 400, 415, 422, 400, 201]);
  expect((await json('/orders?take=x')) as object).toMatchObject({ violations: [{ in: 'query', pointer: '/take' }] });
});

it('the handlers of a large output are split by tag, and one file exports them all', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, index) => [
      `GET /${index % 2 ? 'odd' : 'even'}/${index} getThing${index}`,
      { returns: TEXT },
    ]),
  );
  writeTo(folder, 'large.json', JSON.stringify(smallSpec(many)));
  const large = await load('large', { spec: 'large.json' });
  expect(Object.keys(large)).toEqual(expect.arrayContaining(['getThing0Handler', 'getThing99Handler', 'shopHandlers']));
  expect(large.shopHandlers()).toHaveLength(101);
  expect(readFileSync(path.join(folder, 'large/msw.ts'), 'utf8')).toContain("export * from './msw/even.js';");
  // Compilers of users do not check these files; here they are checked.
  const parts = ['msw.ts', 'msw/base.ts', 'msw/even.ts', 'msw/odd.ts'].map((file) => path.join('large', file));
  for (const file of parts) writeTo(folder, file, readFileSync(path.join(folder, file), 'utf8').replace(UNCHECKED, ''));
  const compilerOptions = { ...STRICTEST, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
  writeTo(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, files: parts }));
  const { stdout } = spawnSync(path.resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('handlers import nothing of Node, and nothing but MSW', () => {
  const files = [
    'msw.ts',
    'runtime/msw.ts',
    'runtime/msw-fields.ts',
    'runtime/msw-parameters.ts',
    'runtime/msw-bodies.ts',
  ];
  const imports = files.flatMap((file) => [
    ...readFileSync(path.join(folder, 'shop', file), 'utf8').matchAll(/ from '([^.][^']*)'/g),
  ]);
  expect(imports.map(([, name]) => name)).toEqual(['msw']);
});
