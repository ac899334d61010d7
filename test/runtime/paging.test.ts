import type { ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import type { RequestValues } from '../../runtime/context.js';
import type { ApiError } from '../../runtime/errors.js';
import { type PageOptions, PagingError } from '../../runtime/paging.js';
import { type LinkPlan, pageByLink } from '../../runtime/paging.js';
import { type OffsetPlan, pageByOffset } from '../../runtime/paging.js';
import { pageByToken } from '../../runtime/paging.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { collect, operationOf } from '../support/helper-call.js';

type Query = URLSearchParams;
type ReceivedResponse = (query: Query, response: ServerResponse) => unknown;

/** A server that responds to each query with a JSON value, or with a function. */
function startLister(received: ReceivedResponse): Promise<EchoServer> {
  return startEchoServer((request, response) => {
    const body = received(new URL(request.url, 'http://x').searchParams, response);
    if (body !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}

const queriesOf = (server: EchoServer): string[] => server.received.map(({ url }) => url.replace('/list', ''));
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(to - from, 0) }, (_, i) => from + i);

const sized = (page: number): string => (page === 1 ? '?size=50' : `?size=50&page=${page}`);
const sizedBy3 = (page: number): string => sized(page).replace('50', '3');

interface Given {
  readonly request?: RequestValues;
  readonly options?: PageOptions;
}

describe('by number, without links', () => {
  const plan: LinkPlan = { items: '/items', page: 'page', size: 'size', numbering: 'all' };

  /** A server with so many items, and at most three on a page whatever is requested. */
  const holding =
    (count: number, { first = 1, most = 3 } = {}): ReceivedResponse =>
    (query) => {
      const start = (Number(query.get('page') ?? first) - first) * most;
      return { items: range(start, Math.min(start + most, count)), total: count };
    };

  async function list(
    received: ReceivedResponse,
    changed: Partial<LinkPlan> = {},
    { request, options }: Given = {},
  ): Promise<{ values: number[]; error: unknown; queries: string[] }> {
    await using server = await startLister(received);
    const call = operationOf({ baseUrl: server.url });
    const found = await collect(pageByLink<RequestValues, number>(call, { ...plan, ...changed }, { request, options }));
    return { ...found, queries: queriesOf(server) };
  }

  it.each<[string, ReceivedResponse, Partial<LinkPlan>, string[]]>([
    ['an empty list', holding(0), {}, ['']],
    ['until a page is empty', holding(7), {}, ['', '?page=2', '?page=3', '?page=4']],
    ['short pages, as the server gives fewer than requested', holding(4), { maxSize: 50 }, [1, 2, 3].map(sized)],
    ['until all were seen', holding(6), { total: '/total' }, ['', '?page=2']],
    ['a total that is not known', () => ({ items: [], total: 0 }), { total: '/total' }, ['']],
    ['from zero', holding(4, { first: 0 }), { first: 0, total: '/total' }, ['', '?page=1']],
    ['one full page if links are documented', holding(3), { numbering: 'full', maxSize: 3 }, [1, 2].map(sizedBy3)],
    ['one short page if links are documented', holding(2), { numbering: 'full', maxSize: 3 }, [1].map(sizedBy3)],
  ])('pages by number are requested: %s', async (_what, received, changed, queries) => {
    const found = await list(received, changed);
    expect(found.error).toBeUndefined();
    expect(found.queries).toEqual(queries);
    expect(found.values).toEqual(range(0, found.values.length));
  });

  it('no empty page is yielded at the end', async () => {
    await using server = await startLister(holding(4));
    const call = operationOf({ baseUrl: server.url });
    const listing = pageByLink<RequestValues, number>(call, plan, { request: {}, options: { prefetch: 2 } });
    const pages: (readonly number[])[] = [];
    for await (const page of listing.pages()) pages.push(page);
    expect(pages).toEqual([[0, 1, 2], [3]]);
  });

  it('paging starts at the page of the request, and the total counts all pages', async () => {
    const found = await list(holding(7), { total: '/total' }, { request: { query: { page: 2 } } });
    expect(found.values).toEqual([3, 4, 5, 6]);
    expect(found.queries).toEqual(['?page=2', '?page=3', '?page=4']);
  });

  it('a server that ignores the page number is an error, not an endless loop', async () => {
    const found = await list(() => ({ items: [1, 2] }));
    expect(found).toMatchObject({ values: [1, 2], queries: ['', '?page=2'] });
    expect(found.error).toBeInstanceOf(PagingError);
  });

  it('links are followed as soon as a response has one', async () => {
    const found = await list((query, response) => {
      const page = query.get('page') ?? '1';
      if (page === '2') response.setHeader('link', '</list?page=7>; rel="next"');
      return { items: [Number(page)] };
    });
    expect(found).toEqual({ values: [1, 2, 7], error: undefined, queries: ['', '?page=2', '?page=7'] });
  });
});

describe('by offset', () => {
  const plan = { items: '', skip: 'Skip', size: 'Take', defaultSize: 100, maxSize: 100, window: 1000 };
  const holding =
    (count: number): ReceivedResponse =>
    (query) => {
      const skip = Number(query.get('Skip'));
      return range(skip, Math.min(skip + Number(query.get('Take')), count));
    };

  async function list(
    received: ReceivedResponse,
    { request, options }: Given = {},
  ): Promise<{ values: number[]; error: unknown; queries: string[] }> {
    await using server = await startLister(received);
    const call = operationOf({ baseUrl: server.url });
    const found = await collect(pageByOffset<RequestValues, number>(call, plan, { request, options }));
    return { ...found, queries: queriesOf(server) };
  }

  it.each([
    ['nothing', 0, {}, ['?Skip=0&Take=100']],
    ['a part of a page', 7, {}, ['?Skip=0&Take=100']],
    ['two full pages and an empty one', 200, {}, ['?Skip=0&Take=100', '?Skip=100&Take=100', '?Skip=200&Take=100']],
    ['smaller pages', 25, { options: { pageSize: 20 } }, ['?Skip=0&Take=20', '?Skip=20&Take=20']],
    [
      'the size and start of the request',
      25,
      { request: { query: { Take: 10, Skip: 10 } } },
      ['?Take=10&Skip=10', '?Take=10&Skip=20'],
    ],
  ])('pages by offset are requested: %s', async (_what, count, given: Given, queries) => {
    const { Skip: start = 0 } = (given.request?.query ?? {}) as { Skip?: number };
    expect(await list(holding(count), given)).toEqual({ values: range(start, count), error: undefined, queries });
  });

  it('paging by offset keeps the other values of the request', async () => {
    const { queries } = await list(holding(1), { request: { query: { Status: 'sent' } } });
    expect(queries).toEqual(['?Status=sent&Skip=0&Take=100']);
  });

  it('paging by offset yields the items within the window, then throws if there are more', async () => {
    const { values, error, queries } = await list(holding(5000), { options: { pageSize: 60 } });
    expect([values.length, queries.at(-1)]).toEqual([1000, '?Skip=960&Take=40']);
    expect(error).toBeInstanceOf(PagingError);
    expect((error as Error).message).toContain('1000');
  });

  it.each([101, 0, -1, 2.5, Number.NaN])('refuses pages of %s items before the first request', async (pageSize) => {
    await using server = await startLister(holding(1));
    const call = operationOf({ baseUrl: server.url });
    expect(() => pageByOffset(call, plan, { request: {}, options: { pageSize } })).toThrow(RangeError);
    expect(server.received).toEqual([]);
  });

  it.each<[string, ReceivedResponse, number]>([
    ['the same page again', () => range(0, 100), 100],
    ['no list', () => ({ items: [] }), 0],
  ])('paging by offset: %s is an error', async (_what, received, count) => {
    const { values, error } = await list(received);
    expect([values.length, error instanceof PagingError]).toEqual([count, true]);
  });

  it('paging by offset throws the failure of a page after the items before it', async () => {
    const { values, error } = await list((query, response) => {
      if (query.get('Skip') === '0') return range(0, 100);
      response.writeHead(503).end();
      return undefined;
    });
    expect([values.length, (error as ApiError).status]).toEqual([100, 503]);
  });
});

describe('by token', () => {
  const plan = { items: '/files', token: 'pageToken', next: '/next', size: 'pageSize', maxSize: 100 };

  async function list(
    received: ReceivedResponse,
    { request, options }: Given = {},
  ): Promise<{ values: string[]; error: unknown; queries: string[] }> {
    await using server = await startLister(received);
    const call = operationOf({ baseUrl: server.url });
    const found = await collect(pageByToken<RequestValues, string>(call, plan, { request, options }));
    return { ...found, queries: queriesOf(server) };
  }

  const pages: Readonly<Record<string, unknown>> = {
    '': { files: ['a'], next: 'x/1' },
    'x/1': { next: 'x 2' },
    'x 2': { files: ['b', 'c'], next: '' },
  };

  it('paging by token sends tokens unchanged, and continues after a page without items', async () => {
    expect(await list((query) => pages[query.get('pageToken') ?? ''])).toEqual({
      values: ['a', 'b', 'c'],
      error: undefined,
      queries: ['', '?pageToken=x%2F1', '?pageToken=x%202'],
    });
  });

  it('paging by token sends the page size with each page', async () => {
    const { queries } = await list((query) => pages[query.get('pageToken') ?? ''], { options: { pageSize: 5 } });
    expect(queries).toEqual(['?pageSize=5', '?pageSize=5&pageToken=x%2F1', '?pageSize=5&pageToken=x%202']);
  });

  it.each<[string, ReceivedResponse, number]>([
    ['the token that was sent', (query) => ({ files: ['a'], next: query.get('pageToken') ?? 't' }), 2],
    ['a cycle of tokens', (query) => ({ files: ['a'], next: query.get('pageToken') === 't' ? 'u' : 't' }), 3],
  ])('paging by token: %s is an error', async (_what, received, count) => {
    const { values, error } = await list(received);
    expect([values.length, error instanceof PagingError]).toEqual([count, true]);
  });
});

describe('by link', () => {
  const plan = { items: '', page: 'page', size: 'per_page', maxSize: 50 };

  async function list(
    received: ReceivedResponse,
    given: Given = {},
  ): Promise<{ values: string[]; error: unknown; queries: string[] }> {
    await using server = await startLister(received);
    const call = operationOf({ baseUrl: server.url });
    const found = await collect(
      pageByLink<RequestValues, string>(call, plan, { request: given.request, options: given.options }),
    );
    return { ...found, queries: queriesOf(server) };
  }

  const linking =
    (link: (page: string) => string | undefined): ReceivedResponse =>
    (query, response) => {
      const page = query.get('page') ?? '1';
      const header = link(page);
      if (header !== undefined) response.setHeader('link', header);
      return [page];
    };

  it.each<[string, (page: string) => string | undefined, string[]]>([
    ['no link', () => undefined, ['1']],
    [
      'the next of several',
      (page) =>
        page === '3'
          ? '</list?page=1>; rel="first"'
          : `</list?page=1>; rel="prev", </list?page=${Number(page) + 1}>; rel="next", </list?page=3>; rel="last"`,
      ['1', '2', '3'],
    ],
    [
      'a relation without quotes, or one of two',
      (page) =>
        page === '1' ? '<?page=2>;rel=next' : page === '2' ? '<?page=3>; title="a, b"; rel="last NEXT"' : undefined,
      ['1', '2', '3'],
    ],
    ['commas in an address', (page) => (page === '1' ? '</list?x=1,2&page=2>; rel="next"' : undefined), ['1', '2']],
  ])('paging by link: %s', async (_what, link, values) => {
    const found = await list(linking(link));
    expect([found.values, found.error]).toEqual([values, undefined]);
  });

  it('paging by link asks for full pages, and sends the parameters of the caller and of the link', async () => {
    const { queries } = await list(
      linking((page) => (page === '1' ? '</list?page=2&per_page=9&cursor=z>; rel="next"' : undefined)),
      { request: { query: { all: true } } },
    );
    expect(queries).toEqual(['?all=true&per_page=50', '?all=true&per_page=50&page=2&cursor=z']);
  });

  it.each<[string, string]>([
    ['another server', '<https://evil.test/list?page=2>; rel="next"'],
    ['the same host by another scheme', '<https://127.0.0.1/list?page=2>; rel="next"'],
    ['no address', '<http://[>; rel="next"'],
    ['the page itself', '</list?page=1>; rel="next"'],
  ])('a link to %s is an error, and is not followed', async (_what, link) => {
    const { values, error, queries } = await list(linking(() => link));
    expect([values, error instanceof PagingError, queries]).toEqual([['1'], true, ['?per_page=50']]);
  });
});

describe('pages', () => {
  const token = { items: '/items', token: 'pageToken', next: '/next', size: 'n' };
  const offset = { items: '', skip: 'Skip', size: 'Take', defaultSize: 2, maxSize: 2 };
  const byToken: ReceivedResponse = (query) => {
    const page = Number(query.get('pageToken') ?? 0);
    return { items: [page * 2, page * 2 + 1], ...(page < 2 ? { next: `${page + 1}` } : {}) };
  };
  const byOffset: ReceivedResponse = (query) =>
    range(Number(query.get('Skip')), Math.min(Number(query.get('Skip')) + 2, 5));

  it('whole pages can be read in a loop, or one by one', async () => {
    await using server = await startLister(byToken);
    const call = operationOf({ baseUrl: server.url });
    const given = { request: {}, options: undefined };
    const all = await collect(pageByToken<RequestValues, number>(call, token, given).pages());
    expect(all.values).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    const listing = pageByToken<RequestValues, number>(call, token, given);
    expect([await listing.page(), await listing.page()]).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect((await collect(listing)).values).toEqual([4, 5]);
    expect(await listing.page()).toBeUndefined();
  });

  it('pages are not requested before they are read, unless they are prefetched', async () => {
    await using server = await startLister(byToken);
    const call = operationOf({ baseUrl: server.url });
    for await (const _item of pageByToken<RequestValues, number>(call, token, { request: {}, options: undefined }))
      break;
    expect(server.received).toHaveLength(1);
    const listing = pageByToken<RequestValues, number>(call, token, { request: {}, options: { prefetch: 1 } });
    expect(await listing.page()).toEqual([0, 1]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.received).toHaveLength(3);
    expect((await collect(listing)).values).toEqual([2, 3, 4, 5]);
  });

  it('pages by offset are prefetched concurrently, and yielded in order', async () => {
    const waiting: (() => void)[] = [];
    await using server = await startLister((query, response) => {
      // The server responds only when three requests wait.
      const body = JSON.stringify(byOffset(query, response));
      waiting.push(() => void response.setHeader('content-type', 'application/json').end(body));
      if (waiting.length >= 3) for (const respond of waiting.splice(0).toReversed()) respond();
      return undefined;
    });
    const call = operationOf({ baseUrl: server.url });
    const listing = pageByOffset<RequestValues, number>(call, offset, { request: {}, options: { prefetch: 2 } });
    expect((await collect(listing)).values).toEqual([0, 1, 2, 3, 4]);
  });

  it('prefetched pages are aborted when the loop is left', async () => {
    let aborted = 0;
    await using server = await startLister((query, response) => {
      response.on('close', () => (aborted += response.writableEnded ? 0 : 1));
      return query.get('Skip') === '0' ? [0, 1] : undefined;
    });
    const call = operationOf({ baseUrl: server.url });
    const listing = pageByOffset<RequestValues, number>(call, offset, { request: {}, options: { prefetch: 2 } });
    for await (const _item of listing) break;
    await expect.poll(() => aborted).toBe(2);
  });

  it('the error of a prefetched page is thrown when that page is read', async () => {
    await using server = await startLister((query, response) => {
      if (query.get('Skip') === '0') return [0, 1];
      response.writeHead(500).end();
      return undefined;
    });
    const call = operationOf({ baseUrl: server.url });
    const listing = pageByOffset<RequestValues, number>(call, offset, { request: {}, options: { prefetch: 3 } });
    const { values, error } = await collect(listing);
    expect([values, (error as ApiError).status]).toEqual([[0, 1], 500]);
  });
});

describe('what pages say of their end', () => {
  /** A server with nine items, and at most three on a page whatever is requested. */
  const capped: ReceivedResponse = (query) => {
    const skip = Number(query.get('skip'));
    const items = range(skip, Math.min(skip + Math.min(Number(query.get('take') ?? 3), 3), 9));
    return { items, total: 9, next: skip + 3 < 9 ? 'more' : null };
  };

  it.each<[string, Partial<OffsetPlan>, PageOptions, number]>([
    ['the total', { total: '/total' }, { pageSize: 5 }, 3],
    ['the total, with prefetched pages', { total: '/total' }, { pageSize: 5, prefetch: 1 }, 6],
    ['a next page that is null', { more: '/next' }, { pageSize: 5 }, 3],
    ['an empty page', { mayBeShort: true }, { pageSize: 5 }, 4],
    ['an empty page, with the size of the server', {}, {}, 4],
  ])('a server that sends shorter pages than requested is read whole, until %s', async (_, more, options, requests) => {
    await using server = await startLister(capped);
    const call = operationOf({ baseUrl: server.url });
    const plan: OffsetPlan = { items: '/items', skip: 'skip', size: 'take', ...more };
    const found = await collect(pageByOffset<RequestValues, number>(call, plan, { request: {}, options }));
    expect(found).toEqual({ values: range(0, 9), error: undefined });
    expect(server.received.length).toBe(requests);
  });

  it('a server that ignores the number of items to skip is an error, also without a size', async () => {
    await using server = await startLister(() => ({ items: [1, 2] }));
    const call = operationOf({ baseUrl: server.url });
    const plan: OffsetPlan = { items: '/items', skip: 'skip' };
    const found = await collect(pageByOffset<RequestValues, number>(call, plan, { request: {}, options: {} }));
    expect(found.values).toEqual([1, 2]);
    expect(found.error).toBeInstanceOf(PagingError);
  });

  it('a token of the last page is not followed if the page says that it is the last', async () => {
    await using server = await startLister((query) => ({ items: [Number(query.get('t'))], token: 'x', more: false }));
    const call = operationOf({ baseUrl: server.url });
    const plan = { items: '/items', token: 't', next: '/token', more: '/more' };
    const found = await collect(pageByToken<RequestValues, number>(call, plan, { request: {}, options: {} }));
    expect(found).toEqual({ values: [0], error: undefined });
    expect(queriesOf(server)).toEqual(['']);
  });

  it('an address in the response leads on, and one of another server does not', async () => {
    await using server = await startLister((query) =>
      query.get('c') === null
        ? { items: [1], next: '?c=2&size=9' }
        : { items: [2], next: 'https://other.example/?c=3' },
    );
    const call = operationOf({ baseUrl: server.url });
    const plan: LinkPlan = { items: '/items', next: '/next', size: 'size' };
    const given = { request: { query: { size: 1 } }, options: {} };
    const found = await collect(pageByLink<RequestValues, number>(call, plan, given));
    expect(found.values).toEqual([1, 2]);
    expect(found.error).toBeInstanceOf(PagingError);
    expect(queriesOf(server)).toEqual(['?size=1', '?size=1&c=2']);
  });
});
