import { writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  type InfiniteData,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
  dehydrate,
  hydrate,
  skipToken,
} from '@tanstack/react-query';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../../entry/specmill.js';
import { OutputFolder } from '../../support/output-folder.js';
import { tempFolder } from '../../support/temp-folder.js';
import { type Shape, TEXT, listOf, object, smallSpec } from '../../support/small-spec.js';

const ref = (name: string): Record<string, unknown> => ({ $ref: `#/components/schemas/${name}` });
const ORDER = object(
  { id: TEXT, at: { type: 'string', format: 'date-time' }, count: { type: 'integer', format: 'int64' } },
  ['id'],
);
const number = { type: 'integer' };
const SHAPES: Readonly<Record<string, Shape>> = {
  'GET /orders/{id} getOrder': {
    returns: ref('Order'),
    query: { at: { type: 'string', format: 'date-time' }, big: { type: 'integer', format: 'int64' }, api_key: TEXT },
  },
  'POST /orders createOrder': { takes: ref('Order'), returns: ref('Order'), status: 201 },
  'DELETE /orders/{id} deleteOrder': { status: 204 },
  'POST /orders/search searchOrders': { takes: object({ text: TEXT }), returns: listOf(ref('Order')) },
  'GET /touch touch': { status: 204 },
  'GET /by-offset byOffset': {
    returns: object({ items: listOf(ref('Order')), total: number }),
    query: { skip: number, take: number },
  },
  'GET /by-page byPage': { returns: listOf(ref('Order')), query: { page: number, size: number } },
  'GET /by-token byToken': { returns: object({ items: listOf(ref('Order')), next: TEXT }), query: { token: TEXT } },
  'GET /by-link byLink': {
    returns: listOf(ref('Order')),
    query: { cursor: TEXT },
    headers: { Link: { schema: TEXT } },
  },
};

/** What a list says of its pages. */
const PAGING: Readonly<Record<string, object>> = {
  byOffset: { style: 'offset', items: '/items', skip: 'skip', size: 'take' },
  byPage: { style: 'page', items: '', page: 'page', size: 'size' },
  byToken: { style: 'token', items: '/items', token: 'token', next: '/next' },
  byLink: { style: 'page', items: '', page: 'cursor' },
};

function spec(): Record<string, unknown> {
  const document = structuredClone(smallSpec(SHAPES, { Order: ORDER })) as {
    paths: Record<string, Record<string, { operationId: string; tags?: string[] }>>;
  };
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      const paging = PAGING[operation.operationId];
      operation.tags =
        operation.operationId === 'getOrder' ? ['reads', 'orders'] : paging === undefined ? ['orders'] : ['lists'];
      if (paging !== undefined) Object.assign(operation, { 'x-pagination': paging });
    }
  return document;
}

type Make = (context: object, request?: unknown, options?: object) => never;
type Queries = Readonly<Record<string, Make>> & {
  shopKeys: Record<string, never> & {
    all: string[];
    tag: (name: string) => never;
    operation: (name: string) => never;
    scope: (name: string) => never;
  };
};

const output = new OutputFolder();
let queries: Queries;
afterAll(() => output[Symbol.dispose]());

beforeAll(async () => {
  output.linkPackages();
  output.write('spec.json', JSON.stringify(spec()));
  const emitter = ['tanstack-query', { queries: { searchOrders: 'query' } }] as const;
  const shop = {
    spec: 'spec.json',
    output: 'shop',
    only: ['types', 'client'],
    dates: 'Date',
    int64: 'bigint',
    emitters: [emitter],
  } as const;
  const { apis } = await generate({ cwd: output.folder, config: { apis: { shop } } });
  if (apis[0]?.status !== 'written') throw apis[0]?.error ?? new Error(JSON.stringify(apis[0]));
  queries = await output.run<Queries>('shop/query.ts');
}, 60_000);

/** A server in the process that counts requests, and a context that calls it. */
function serve(respond: (url: URL, request: Request) => Response | Promise<Response>) {
  const seen: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    seen.push(`${request.method} ${url.pathname}${url.search}`);
    return Promise.resolve(respond(url, request));
  };
  return { seen, context: { baseUrl: 'https://shop.test', fetch } };
}

const list = (ids: readonly number[]): object[] => ids.map((id) => ({ id: String(id) }));
const ALL = [1, 2, 3, 4, 5];

describe('queries', () => {
  it('a key has operation, tags and parameters as JSON, without credentials, the context and functions', () => {
    const request = {
      path: { id: '1' },
      query: { at: new Date(0), big: 2n ** 60n, api_key: 'secret' },
      body: { file: new Blob(['x']), f: () => 1 },
    };
    const key = queries['getOrderQueryKey']?.(request, { queryScope: 'me', fetch, credentials: 1 });
    expect(key).toEqual([
      'shop',
      {
        op: 'getOrder',
        tags: ['reads', 'orders'],
        tag: { reads: true, orders: true },
        scope: 'me',
        path: { id: '1' },
        query: { at: '1970-01-01T00:00:00.000Z', big: '1152921504606846976' },
        body: {},
      },
    ]);
    expect(JSON.stringify(queries['touchQueryKey']?.(undefined as never))).toBe(
      '["shop",{"op":"touch","tags":["orders"],"tag":{"orders":true}}]',
    );
  });

  it('keys match by operation, by each of several tags, by parameter and by scope', async () => {
    const client = new QueryClient();
    const { context } = serve(() => Response.json({ id: '1' }));
    await client.fetchQuery(
      queries['getOrderOptions']?.({ ...context, queryScope: 'me' }, { path: { id: '1' } }) as never,
    );
    const count = (queryKey: unknown): number => client.getQueryCache().findAll({ queryKey: queryKey as never }).length;
    const { shopKeys } = queries;
    expect(
      [
        shopKeys.tag('orders'),
        shopKeys.tag('reads'),
        shopKeys.operation('getOrder'),
        shopKeys.scope('me'),
        shopKeys.all,
      ].map(count),
    ).toEqual([1, 1, 1, 1, 1]);
    expect(
      [
        ['shop', { path: { id: '1' } }],
        ['shop', { tags: ['reads'] }],
      ].map(count),
    ).toEqual([1, 1]);
    expect([shopKeys.tag('lists'), shopKeys.scope('you'), ['shop', { path: { id: '2' } }]].map(count)).toEqual([
      0, 0, 0,
    ]);
  });

  it('a query makes one request, also if it fails, and a failure has its status', async () => {
    const { seen, context } = serve(() => new Response('', { status: 404 }));
    const failed = new QueryClient().fetchQuery(queries['getOrderOptions']?.(context, { path: { id: '7' } }) as never);
    await expect(failed).rejects.toMatchObject({ status: 404 });
    expect(seen).toEqual(['GET /orders/7']);
    expect(queries['getOrderOptions']?.(context, { path: { id: '7' } })).toMatchObject({ retry: false });
    expect(queries['getOrderOptions']?.({ ...context, retry: false }, { path: { id: '7' } })).not.toHaveProperty(
      'retry',
    );
  });

  it('no data is null, a search by POST is a query, and a mutation makes one request', async () => {
    const { seen, context } = serve((_url, { method }) =>
      method === 'POST' ? Response.json([{ id: '1' }]) : new Response(null, { status: 204 }),
    );
    const client = new QueryClient();
    expect(await client.fetchQuery(queries['touchOptions']?.(context) as never)).toBeNull();
    expect(
      await client.fetchQuery(queries['searchOrdersOptions']?.(context, { body: { text: 'tea' } }) as never),
    ).toEqual([{ id: '1' }]);
    const remove = new MutationObserver<unknown, Error, unknown>(
      client,
      queries['deleteOrderMutation']?.(context) as never,
    );
    expect(await remove.mutate({ path: { id: '1' } })).toBeNull();
    expect(seen).toEqual(['GET /touch', 'POST /orders/search', 'DELETE /orders/1']);
    expect(queries).not.toHaveProperty('searchOrdersMutation');
  });

  it('a query with skipToken waits, and keeps its key', () => {
    const { seen, context } = serve(() => Response.json({}));
    const options = queries['getOrderOptions']?.(context, skipToken) as unknown as {
      queryKey: unknown;
      queryFn: unknown;
    };
    expect(options.queryFn).toBe(skipToken);
    expect(options.queryKey).toMatchObject(['shop', { op: 'getOrder' }]);
    const observer = new QueryObserver(new QueryClient(), options as never);
    observer.subscribe(() => undefined)();
    expect([observer.getCurrentResult().fetchStatus, seen]).toEqual(['idle', []]);
  });

  it('a query without observers aborts its request', async () => {
    const { context } = serve((_url, { signal }) => {
      signal.addEventListener('abort', () => leaving.resolve());
      return new Promise(() => undefined);
    });
    const leaving = { resolve: (): void => undefined };
    const aborted = new Promise<void>((resolve) => (leaving.resolve = resolve));
    const options = queries['getOrderOptions']?.(context, { path: { id: '1' } }) as never;
    const leave = new QueryObserver(new QueryClient(), options).subscribe(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1));
    leave();
    expect(await aborted).toBeUndefined();
  });

  it('data that a server has prefetched is in the cache of a browser', async () => {
    const { seen, context } = serve(() => Response.json({ id: '1', count: 5 }));
    const options = queries['touchOptions']?.(context) as never;
    const [server, browser] = [new QueryClient(), new QueryClient()];
    await server.prefetchQuery(options);
    hydrate(browser, JSON.parse(JSON.stringify(dehydrate(server))));
    expect(await browser.fetchQuery({ ...(options as object), staleTime: Infinity } as never)).toEqual({
      id: '1',
      count: 5,
    });
    expect(seen).toHaveLength(1);
  });
});

describe('queries with pages', () => {
  it.each([
    [
      'byOffset',
      { query: { take: 2 } },
      (url: URL) => {
        const skip = Number(url.searchParams.get('skip'));
        return Response.json({ items: list(ALL.slice(skip, skip + 2)), total: 5 });
      },
      [0, 2, 4],
    ],
    [
      'byPage',
      { query: { size: 2 } },
      (url: URL) => {
        const page = Number(url.searchParams.get('page'));
        return Response.json(list(ALL.slice(page * 2 - 2, page * 2)));
      },
      [1, 2, 3, 4],
    ],
    [
      'byToken',
      undefined,
      (url: URL) => {
        const start = Number(url.searchParams.get('token') ?? 0);
        return Response.json({
          items: list(ALL.slice(start, start + 2)),
          ...(start < 4 ? { next: String(start + 2) } : {}),
        });
      },
      [null, '2', '4'],
    ],
    [
      'byLink',
      undefined,
      (url: URL) => {
        const start = Number(url.searchParams.get('cursor') ?? 0);
        const headers = start < 4 ? { link: `</by-link?cursor=${start + 2}>; rel="next"` } : {};
        return Response.json(list(ALL.slice(start, start + 2)), { headers });
      },
      [null, '?cursor=2', '?cursor=4'],
    ],
  ])('%s reads every item once, page by page', async (name, request, respond, params) => {
    const { context } = serve(respond);
    const client = new QueryClient();
    const options = queries[`${name}InfiniteOptions`]?.(context, request) as never;
    const observer = new InfiniteQueryObserver(client, options);
    for (let count = 0; count < 9; count += 1) {
      await observer.fetchNextPage();
      if (!observer.getCurrentResult().hasNextPage) break;
    }
    const { pages, pageParams } = observer.getCurrentResult().data as unknown as InfiniteData<{
      items?: object[];
      data?: object[];
    }>;
    expect(pageParams).toEqual(params);
    expect(pages.flatMap((page) => (Array.isArray(page) ? page : (page.items ?? page.data ?? [])))).toEqual(list(ALL));
    expect(queries[`${name}InfiniteQueryKey`]?.(request as never)).toMatchObject([
      'shop',
      { op: name, infinite: true },
    ]);
  });

  it('a list by offset or page leads back from where it starts', async () => {
    const { context } = serve(() => Response.json({ items: list([3, 4]), total: 5 }));
    const client = new QueryClient();
    const options = queries['byOffsetInfiniteOptions']?.(context, { query: { skip: 2, take: 2 } }) as never;
    const observer = new InfiniteQueryObserver(client, options);
    await observer.fetchNextPage();
    expect(observer.getCurrentResult().hasPreviousPage).toBe(true);
    await observer.fetchPreviousPage();
    expect((observer.getCurrentResult().data as unknown as InfiniteData<unknown>).pageParams).toEqual([0, 2]);
    expect(observer.getCurrentResult().hasPreviousPage).toBe(false);
  });
});

it('an operation that the options name and the API does not have is an error', async () => {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'spec.json'), JSON.stringify(spec()));
  const shop = {
    spec: 'spec.json',
    output: 'out',
    emitters: [['tanstack-query', { mutations: ['searchOrder'] }] as const],
  };
  const [api] = (await generate({ cwd: folder, config: { apis: { shop } } })).apis;
  expect(api?.diagnostics.find(({ severity }) => severity === 'error')?.message).toContain('"searchOrder"');
  const wrong = { spec: 'spec.json', output: 'out', emitters: [['tanstack-query', { framework: 'reakt' }] as const] };
  await expect(generate({ cwd: folder, config: { apis: { shop: wrong } } })).rejects.toThrow(
    'The option framework of the emitter "tanstack-query" must be one of react, preact, vue, solid, svelte, angular, core.',
  );
});

it('queries of a large output are split as its functions are, and one file exports them all', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, index) => [
      `GET /${index % 2 ? 'odd' : 'even'}/${index} getThing${index}`,
      { returns: TEXT },
    ]),
  );
  output.write('large.json', JSON.stringify(smallSpec(many)));
  const large = { spec: 'large.json', output: 'large', only: ['types', 'client', 'tanstack-query'] };
  const { apis } = await generate({ cwd: output.folder, config: { apis: { large } } });
  const changed = apis[0]?.changes.map(({ path: file }) => file).filter((file) => file.startsWith('query'));
  expect(changed).toEqual(['query/base.ts', 'query/even.ts', 'query/odd.ts', 'query.ts']);
  const all = await output.run<Record<string, object>>('large/query.ts');
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['getThing0Options', 'getThing99QueryKey', 'largeKeys']));
});

it('an output with queries is unchanged in the next run, until an option of the emitter changes', async () => {
  const folder = tempFolder({ 'spec.json': JSON.stringify(spec()) });
  const run = async (framework: string): Promise<string | undefined> => {
    const shop = {
      spec: 'spec.json',
      output: 'out',
      only: ['types'],
      emitters: [['tanstack-query', { framework }] as const],
    };
    return (await generate({ cwd: folder, config: { apis: { shop } } })).apis[0]?.status;
  };
  expect([await run('react'), await run('react'), await run('vue')]).toEqual(['written', 'unchanged', 'written']);
});
