import { anySignal } from './client.js';
import type { CallOptions, RequestValues } from './context.js';
import type { HeaderValues } from './errors.js';
import { readPointer } from './helpers.js';

/** Options of a listing. */
export interface PageOptions extends CallOptions {
  /** Items per page. Default: the size in the request, else the server's maximum. */
  readonly pageSize?: number | undefined;
  /**
   * How many pages are requested ahead: concurrently with paging by offset, one after the other with paging by token or
   * link. Default: 0.
   */
  readonly prefetch?: number | undefined;
}

/**
 * The items of a listing, page by page. Loops over items, loops over pages and calls of `page` all continue where the
 * last one ended.
 */
export interface Listing<Item> extends AsyncGenerator<Item, void, undefined> {
  /** The items of the next page; `undefined` after the last one. */
  readonly page: () => Promise<readonly Item[] | undefined>;
  /** The pages. */
  readonly pages: () => AsyncGenerator<readonly Item[], void, undefined>;
}

type Pages = AsyncGenerator<readonly unknown[], void, undefined>;

/** Lists the items of pages. Leaving a loop ends the listing and aborts the pages that were requested ahead. */
function listPages<Item>(
  start: (signal: AbortSignal) => Pages,
  { options }: Pick<PageArguments<never>, 'options'>,
): Listing<Item> {
  const controller = new AbortController();
  const ahead: Promise<IteratorResult<readonly unknown[], void>>[] = [];
  const source = start(controller.signal);
  const page = async (): Promise<readonly Item[] | undefined> => {
    while (ahead.length <= (options?.prefetch ?? 0)) {
      const next = source.next();
      // An error is thrown when the page is read, not as an unhandled rejection.
      next.catch(() => undefined);
      ahead.push(next);
    }
    return (await ahead.shift())?.value as readonly Item[] | undefined;
  };
  async function* pages(): AsyncGenerator<readonly Item[], void, undefined> {
    try {
      for (let next = await page(); next !== undefined; next = await page()) yield next;
    } finally {
      controller.abort();
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const next of pages()) yield* next;
  }
  return Object.assign(items(), { page, pages });
}

/** Returns options whose signal also aborts when the listing ends. */
function endWith(options: PageOptions | undefined, signal: AbortSignal): PageOptions | undefined {
  if (!options?.prefetch) return options;
  return { ...options, signal: options.signal === undefined ? signal : anySignal([options.signal, signal]) };
}

/** A listing cannot continue: the server links in a circle or to another server, or has more items than it lists. */
export class PagingError extends Error {
  override readonly name: string = 'PagingError';
}

/** The response that a page is read from. */
export interface PageResponse {
  readonly data: unknown;
  readonly headers: HeaderValues;
  readonly response: Response;
}

/** Requests one page. */
export type PageCall<Request> = (request: Request, options: CallOptions | undefined) => Promise<PageResponse>;

/** The request and the options of a listing. */
export interface PageArguments<Request> {
  readonly request: Request | undefined;
  readonly options: PageOptions | undefined;
}

/** Options of all styles of paging. */
export interface PagePlan {
  /** JSON pointer to the items in the response. */
  readonly items: string;
  /** Query parameter of the page size. */
  readonly size?: string;
  /** The largest page. */
  readonly maxSize?: number;
}

/** The items of a response; none if the server omits an empty list. */
export function itemsOf({ data }: PageResponse, { items }: PagePlan): readonly unknown[] {
  const list = readPointer(data, items) ?? [];
  if (!Array.isArray(list)) throw new PagingError(`The response has no list at ${JSON.stringify(items)}.`);
  return list;
}

/**
 * The page size that the caller requests.
 *
 * @throws RangeError if a page cannot be that large.
 */
export function wantedSize<Request extends RequestValues>(
  { size, maxSize = Infinity }: PagePlan,
  { request, options }: PageArguments<Request>,
): number | undefined {
  const given = queryOf(request)[size ?? ''];
  const wanted = options?.pageSize ?? (typeof given === 'bigint' ? Number(given) : given);
  if (wanted === undefined || wanted === null) return undefined;
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted > maxSize || wanted < (given === 0 ? 0 : 1))
    throw new RangeError(`A page has 1 to ${maxSize} items, not ${JSON.stringify(wanted)}.`);
  return wanted;
}

/** Returns the request with additional query values. */
export function withQuery<Request extends RequestValues>(request: Request | undefined, query: object): Request {
  return { ...request, query: { ...request?.query, ...query } } as unknown as Request;
}

/** The values of a query by name. */
export function queryOf(request: RequestValues | undefined): Readonly<Record<string, unknown>> {
  return (request?.query ?? {}) as Record<string, unknown>;
}

/** Paging with a token for the next page in each response. */
export interface TokenPlan extends PagePlan {
  /** Query parameter for the token. */
  readonly token: string;
  /** JSON pointer to the token of the next page in the response. */
  readonly next: string;
}

/**
 * All items of a listing, page by page.
 *
 * @throws PagingError if the server returns a token twice.
 * @throws RangeError immediately if a page cannot be as large as requested.
 */
export function pageByToken<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: TokenPlan,
  given: PageArguments<Request>,
): Listing<Item> {
  const size = wantedSize(plan, given);
  const query = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  const request = withQuery(given.request, query);
  return listPages((signal) => tokenPages(call, plan, { request, options: endWith(given.options, signal) }), given);
}

async function* tokenPages<Request extends RequestValues>(
  call: PageCall<Request>,
  plan: TokenPlan,
  { request, options }: PageArguments<Request>,
): Pages {
  const seen = new Set<unknown>([queryOf(request)[plan.token]]);
  for (let token: unknown; ;) {
    const response = await call(
      token === undefined ? (request as Request) : withQuery(request, { [plan.token]: token }),
      options,
    );
    yield itemsOf(response, plan);
    token = readPointer(response.data, plan.next);
    if (token === undefined || token === null || token === '') return;
    if (seen.has(token)) throw new PagingError('The server links back to a page that was already read.');
    seen.add(token);
  }
}

/** Paging with the number of items to skip and to take. */
export interface OffsetPlan extends PagePlan {
  /** Query parameter: the number of items to skip. */
  readonly skip: string;
  /** Query parameter: the number of items to take. */
  readonly size: string;
  /** Page size if the caller sets none. */
  readonly defaultSize: number;
  /** Maximum of skip and take together. */
  readonly window?: number;
}

/**
 * All items of a listing, page by page.
 *
 * @throws PagingError after the last reachable item if the server has more items than its window, and if it sends the same
 * page again.
 * @throws RangeError immediately if a page cannot be as large as requested.
 */
export function pageByOffset<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: OffsetPlan,
  given: PageArguments<Request>,
): Listing<Item> {
  const sized = { ...plan, defaultSize: wantedSize(plan, given) ?? plan.defaultSize };
  return listPages(
    (signal) => offsetPages(call, sized, { ...given, options: endWith(given.options, signal) }),
    // `offsetPages` requests pages ahead itself.
    { options: undefined },
  );
}

async function* offsetPages<Request extends RequestValues>(
  call: PageCall<Request>,
  plan: OffsetPlan,
  { request, options }: PageArguments<Request>,
): Pages {
  const { window = Infinity } = plan;
  const ahead: { readonly take: number; readonly response: Promise<PageResponse> }[] = [];
  let last = '';
  for (let skip = Number(queryOf(request)[plan.skip] ?? 0); ;) {
    while (ahead.length <= (options?.prefetch ?? 0) && skip < window) {
      const take = Math.min(plan.defaultSize, window - skip);
      const response = call(withQuery(request, { [plan.skip]: skip, [plan.size]: take }), options);
      // An error is thrown when the page is read, not as an unhandled rejection.
      response.catch(() => undefined);
      ahead.push({ take, response });
      skip += take;
    }
    const next = ahead.shift();
    if (next === undefined)
      throw new PagingError(`The server lists only the first ${window} items; narrow the search to see the others.`);
    const items = itemsOf(await next.response, plan);
    const page = items.length < next.take ? '' : JSON.stringify(items, writeBigInt);
    // A server that ignores `skip` would be called forever.
    if (page !== '' && page === last) throw new PagingError('The server sent the same page twice.');
    yield items;
    if (items.length < next.take) return;
    last = page;
  }
}

/** JSON has no `bigint`. */
function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Paging by page number, with or without a `Link` header to the next page (RFC 8288). */
export interface LinkPlan extends PagePlan {
  /** Query parameter of the page number. */
  readonly page: string;
  /** The number of the first page. Default: 1. */
  readonly first?: number;
  /** JSON pointer to the number of all items in the response. */
  readonly total?: string;
  /**
   * Which pages are followed by number if no response has a `Link` header: `all`, or only `full` ones, because the spec
   * documents the header. Default: none.
   */
  readonly numbering?: 'all' | 'full';
}

/**
 * All items of a listing, page by page, following links. Only the query of a link is used: calls always go to the server of
 * the client, with its credentials. Without links, page numbers are counted until a page is empty.
 *
 * @throws PagingError if a link leads to another server, or back, and if a server without links sends the same page again.
 * @throws RangeError immediately if a page cannot be as large as requested.
 */
export function pageByLink<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: LinkPlan,
  given: PageArguments<Request>,
): Listing<Item> {
  const size = wantedSize(plan, given) ?? plan.maxSize;
  const query = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  const request = withQuery(given.request, query);
  const sized = { ...plan, ...(size === undefined ? {} : { maxSize: size }) };
  return listPages((signal) => linkPages(call, sized, { request, options: endWith(given.options, signal) }), given);
}

async function* linkPages<Request extends RequestValues>(
  call: PageCall<Request>,
  plan: LinkPlan,
  { request, options }: PageArguments<Request>,
): Pages {
  const start = Number(queryOf(request)[plan.page] ?? plan.first ?? 1);
  const findNumber = countPages(plan, start);
  const seen = new Set([`${start}`]);
  let hasLinks = false;
  for (let next: object | undefined = {}; next !== undefined;) {
    const isFirst: boolean = Object.keys(next).length === 0;
    const response: PageResponse = await call(withQuery(request, next), options);
    const items = itemsOf(response, plan);
    hasLinks ||= response.headers['link'] !== undefined;
    const number = hasLinks ? undefined : findNumber(items, response);
    // An empty page after others is only the end of them.
    if (items.length === 0 && !isFirst && !hasLinks) return;
    yield items;
    next = hasLinks ? followLink(response, { seen, page: plan.page, own: queryOf(request) }) : number;
  }
}

/** Returns a function that finds the query of the page after a page without a link; `undefined` after the last page. */
function countPages(
  { page, first = 1, total = '', numbering, maxSize = Infinity }: LinkPlan,
  start: number,
): (items: readonly unknown[], response: PageResponse) => object | undefined {
  let [number, count, last] = [start, 0, ''];
  return (items, { data }) => {
    const text = items.length === 0 ? '' : JSON.stringify(items, writeBigInt);
    // A server that ignores the number would be called forever.
    if (text !== '' && text === last) throw new PagingError('The server sent the same page twice.');
    last = text;
    count += items.length;
    // Only from the first page on, all items are counted.
    const all = start === first && total !== '' ? Number(readPointer(data, total)) : 0;
    if (numbering === undefined || items.length === 0 || (all > 0 && count >= all)) return undefined;
    // Servers may send fewer items than requested, so a short page is the last only where links are documented.
    if (numbering === 'full' && items.length < maxSize) return undefined;
    number += 1;
    return { [page]: number };
  };
}

interface LinkContext {
  /** The pages that were read. */
  readonly seen: Set<string>;
  /** Query parameter of the page number. */
  readonly page: string;
  /** The query of the caller. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** The query of the page that a response links to. */
function followLink(response: PageResponse, { seen, page, own }: LinkContext): object | undefined {
  const link = findNext(response);
  if (link === undefined) return undefined;
  const key = link.searchParams.get(page) ?? link.search;
  if (seen.has(key)) throw new PagingError('The link to the next page leads back to a page that was already read.');
  seen.add(key);
  // Keeps the caller's values; takes those that the server adds (a page, a cursor) from the link.
  return Object.fromEntries(queryEntries(link).filter(([name]) => name === page || !Object.hasOwn(own, name)));
}

/** The query of an address. Works without the `dom.iterable` library. */
function queryEntries({ searchParams }: URL): [string, string][] {
  const entries: [string, string][] = [];
  searchParams.forEach((value, name) => entries.push([name, value]));
  return entries;
}

/** The address of the next page. */
function findNext({ headers, response }: PageResponse): URL | undefined {
  for (const [, address = '', parameters = ''] of (headers['link'] ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if (!(relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) continue;
    // An in-process response has no address, so its links must be relative.
    const base = response.url === '' ? 'http://localhost' : response.url;
    if (!URL.canParse(address, base)) throw new PagingError('The link to the next page is not an address.');
    const link = new URL(address, base);
    if (response.url !== '' && link.origin !== new URL(base).origin)
      throw new PagingError(`The link to the next page leads to another server, ${link.origin}.`);
    return link;
  }
  return undefined;
}
