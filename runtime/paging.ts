import { anySignal } from './client.js';
import type { CallOptions, RequestValues } from './context.js';
import type { HeaderValues } from './errors.js';
import { readPointer, writePointer } from './helpers.js';

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
  /** JSON pointer to the object of the request that has the parameters. Default: `/query`. */
  readonly at?: string;
  /** Parameter of the page size. */
  readonly size?: string;
  /** The largest page. */
  readonly maxSize?: number;
  /** JSON pointer to what a response says of a next page: `false`, `null` or an empty text on the last page. */
  readonly more?: string;
}

/** Plans that count items or pages. */
interface CountPlan extends PagePlan {
  /** JSON pointer to the number of all items in the response. */
  readonly total?: string;
}

/** Whether a response says that pages follow, after so many items; `undefined` if it says nothing. */
export function announcesMore(
  { data }: Pick<PageResponse, 'data'>,
  { more, total }: CountPlan,
  count = 0,
): boolean | undefined {
  const next = more === undefined ? undefined : readPointer(data, more);
  if (next !== undefined) return next !== false && next !== null && next !== '';
  const all = total === undefined ? 0 : Number(readPointer(data, total));
  return all > 0 ? count < all : undefined;
}

/** The items of a response; none if the server omits an empty list. */
export function itemsOf({ data }: Pick<PageResponse, 'data'>, { items }: PagePlan): readonly unknown[] {
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
  plan: PagePlan,
  { request, options }: PageArguments<Request>,
): number | undefined {
  const { size, maxSize = Infinity } = plan;
  const given = valuesOf(request, plan)[size ?? ''];
  const wanted = options?.pageSize ?? (typeof given === 'bigint' ? Number(given) : given);
  if (wanted === undefined || wanted === null) return undefined;
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted > maxSize || wanted < (given === 0 ? 0 : 1))
    throw new RangeError(`A page has 1 to ${maxSize} items, not ${JSON.stringify(wanted)}.`);
  return wanted;
}

/** Returns the request with other values of the parameters of a plan. */
export function withValues<Request extends RequestValues>(
  request: Request | undefined,
  plan: Pick<PagePlan, 'at'>,
  values: object,
): Request {
  return writePointer(request ?? {}, plan.at ?? '/query', { ...valuesOf(request, plan), ...values }) as Request;
}

/** The values of the parameters of a plan, by name. */
export function valuesOf(request: RequestValues | undefined, { at = '/query' }: { at?: string }): Readonly<Fields> {
  return (readPointer(request, at) ?? {}) as Fields;
}

type Fields = Record<string, unknown>;

/** Paging with a token for the next page in each response. */
export interface TokenPlan extends PagePlan {
  /** Parameter for the token. */
  readonly token: string;
  /** JSON pointer to the token of the next page in the response. */
  readonly next: string;
  /** Whether `next` leads into the last item of the page instead, such as to its id. */
  readonly isInItem?: true;
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
  const values = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  const request = withValues(given.request, plan, values);
  return listPages((signal) => tokenPages(call, plan, { request, options: endWith(given.options, signal) }), given);
}

async function* tokenPages<Request extends RequestValues>(
  call: PageCall<Request>,
  plan: TokenPlan,
  { request, options }: PageArguments<Request>,
): Pages {
  const seen = new Set<unknown>([valuesOf(request, plan)[plan.token]]);
  for (let token: unknown; ;) {
    const response = await call(
      token === undefined ? (request as Request) : withValues(request, plan, { [plan.token]: token }),
      options,
    );
    const items = itemsOf(response, plan);
    // The last token leads to nothing.
    if (items.length === 0 && token !== undefined && plan.isInItem === true) return;
    yield items;
    if (announcesMore(response, plan) === false) return;
    token = readPointer(plan.isInItem === true ? items.at(-1) : response.data, plan.next);
    if (token === undefined || token === null || token === '') return;
    if (seen.has(token)) throw new PagingError('The server links back to a page that was already read.');
    seen.add(token);
  }
}

/** Paging with the number of items to skip, and in most cases of those to take. */
export interface OffsetPlan extends CountPlan {
  /** Parameter: the number of items to skip. */
  readonly skip: string;
  /** Page size if the caller sets none. Default: the server's. */
  readonly defaultSize?: number;
  /** Maximum of skip and take together. */
  readonly window?: number;
  /** Whether the server may send fewer items than requested although more follow. */
  readonly mayBeShort?: true;
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
  const size = wantedSize(plan, given) ?? plan.defaultSize;
  const sized = { ...plan, ...(size === undefined ? {} : { defaultSize: size }) };
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
  const { window = Infinity, defaultSize } = plan;
  // Without a size, only a page says where the next one starts.
  const prefetch = defaultSize === undefined ? 0 : (options?.prefetch ?? 0);
  let ahead: RequestedPart[] = [];
  let last = '';
  for (let skip = Number(valuesOf(request, plan)[plan.skip] ?? 0); ;) {
    while (ahead.length <= prefetch && skip < window) {
      const part = requestPart(plan, skip, (values) => call(withValues(request, plan, values), options));
      ahead.push(part);
      skip += part.take;
    }
    const next = ahead.shift();
    if (next === undefined)
      throw new PagingError(`The server lists only the first ${window} items; narrow the search to see the others.`);
    const response = await next.response;
    const items = itemsOf(response, plan);
    const end = next.skip + items.length;
    const isShort = items.length < next.take;
    const goesOn = announcesMore(response, plan, end) ?? (plan.mayBeShort === true || !isShort);
    const page = items.length > 0 && goesOn ? JSON.stringify(items, writeBigInt) : '';
    // A server that ignores `skip` would be called forever.
    if (page !== '' && page === last) throw new PagingError('The server sent the same page twice.');
    yield items;
    if (page === '') return;
    last = page;
    // The pages that were requested ahead start too late.
    if (end !== next.skip + next.take) [skip, ahead] = [end, []];
  }
}

/** A part of a list that was requested. */
interface RequestedPart {
  readonly skip: number;
  /** 0 if the server chooses. */
  readonly take: number;
  readonly response: Promise<PageResponse>;
}

function requestPart(
  { skip: name, size, defaultSize, window = Infinity }: OffsetPlan,
  skip: number,
  call: (values: object) => Promise<PageResponse>,
): RequestedPart {
  const take = size === undefined || defaultSize === undefined ? 0 : Math.min(defaultSize, window - skip);
  const response = call({ [name]: skip, ...(size === undefined || take === 0 ? {} : { [size]: take }) });
  // An error is thrown when the page is read, not as an unhandled rejection.
  response.catch(() => undefined);
  return { skip, take, response };
}

/** JSON has no `bigint`. */
function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Paging by links to the next page, in a `Link` header (RFC 8288) or in the response, or by page number. */
export interface LinkPlan extends CountPlan {
  /** Parameter of the page: its number, or another value that only links give. Default: only links lead on. */
  readonly page?: string;
  /** JSON pointer to the address of the next page in the response. Default: the address is in the `Link` header. */
  readonly next?: string;
  /** The number of the first page. Default: 1. */
  readonly first?: number;
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
  const values = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  const request = withValues(given.request, plan, values);
  const sized = { ...plan, ...(size === undefined ? {} : { maxSize: size }) };
  return listPages((signal) => linkPages(call, sized, { request, options: endWith(given.options, signal) }), given);
}

async function* linkPages<Request extends RequestValues>(
  call: PageCall<Request>,
  plan: LinkPlan,
  { request, options }: PageArguments<Request>,
): Pages {
  const start = Number(valuesOf(request, plan)[plan.page ?? ''] ?? plan.first ?? 1);
  const findNumber = countPages(plan, start);
  const seen = new Set([`${start}`]);
  let hasLinks = plan.next !== undefined;
  for (let next: Request | undefined = request; next !== undefined;) {
    const isFirst: boolean = next === request;
    const response: PageResponse = await call(next, options);
    const items = itemsOf(response, plan);
    hasLinks ||= response.headers['link'] !== undefined;
    const number = hasLinks ? undefined : findNumber(items, response);
    // An empty page after others is only the end of them.
    if (items.length === 0 && !isFirst && !hasLinks) return;
    yield items;
    const counted = number === undefined ? undefined : withValues(request, plan, { [plan.page ?? '']: number });
    next = hasLinks ? followLink(response, plan, { seen, request }) : counted;
  }
}

/** Returns a function that finds the number of the page after a page without a link; `undefined` after the last page. */
function countPages(
  plan: LinkPlan,
  start: number,
): (items: readonly unknown[], response: PageResponse) => number | undefined {
  const { first = 1, numbering, maxSize = Infinity } = plan;
  let [number, count, last] = [start, 0, ''];
  return (items, response) => {
    const text = items.length === 0 ? '' : JSON.stringify(items, writeBigInt);
    // A server that ignores the number would be called forever.
    if (text !== '' && text === last) throw new PagingError('The server sent the same page twice.');
    last = text;
    count += items.length;
    // Only from the first page on, all items are counted.
    const goesOn = announcesMore(response, plan, start === first ? count : 0);
    if (numbering === undefined || items.length === 0 || goesOn === false) return undefined;
    // Servers may send fewer items than requested, so a short page is the last only where links are documented.
    if (numbering === 'full' && items.length < maxSize) return undefined;
    number += 1;
    return number;
  };
}

interface LinkContext<Request> {
  /** The pages that were read. */
  readonly seen: Set<string>;
  /** The request of the first page. */
  readonly request: Request | undefined;
}

/** The request of the page that a response links to. */
function followLink<Request extends RequestValues>(
  response: PageResponse,
  plan: LinkPlan,
  { seen, request }: LinkContext<Request>,
): Request | undefined {
  const link = findLink(response, plan);
  if (link === undefined) return undefined;
  const key = linkedPage(link, plan) ?? link.search;
  if (seen.has(key)) throw new PagingError('The link to the next page leads back to a page that was already read.');
  seen.add(key);
  return withLink(link, plan, request);
}

/** The value of the page's parameter in a link. */
function linkedPage({ searchParams }: URL, plan: LinkPlan): string | null {
  return plan.page === undefined ? null : searchParams.get(addressName(plan, plan.page));
}

/** The request of the page that a link leads to. */
export function withLink<Request extends RequestValues>(link: URL, plan: LinkPlan, request?: Request): Request {
  const page = plan.page === undefined ? undefined : addressName(plan, plan.page);
  const value = linkedPage(link, plan);
  // Keeps the caller's values, also of `filter[name]`; takes those that the server adds (a cursor) from the link.
  const has = (name: string): boolean => Object.hasOwn(request?.query ?? {}, name);
  const isOwn = (name: string): boolean => has(name) || has(name.replace(/\[.*/, ''));
  const added = queryEntries(link).filter(([name]) => name !== page && !isOwn(name));
  const moved = value === null ? request : withValues(request, plan, { [plan.page ?? '']: value });
  return withValues(moved, {}, Object.fromEntries(added));
}

/** The name of a parameter in an address: `page[number]` for a member of an object. */
function addressName({ at = '' }: LinkPlan, name: string): string {
  const object = /^\/query\/(.+)$/.exec(at)?.[1];
  return object === undefined ? name : `${object}[${name}]`;
}

/** The query of an address. Works without the `dom.iterable` library. */
function queryEntries({ searchParams }: URL): [string, string][] {
  const entries: [string, string][] = [];
  searchParams.forEach((value, name) => entries.push([name, value]));
  return entries;
}

/** The address of the next page. */
export function findLink({ data, headers, response }: PageResponse, { next }: LinkPlan): URL | undefined {
  const address = next === undefined ? linkedNext(headers['link'] ?? '') : readPointer(data, next);
  if (address === undefined || address === null || address === '') return undefined;
  // An in-process response has no address, so its links must be relative.
  const base = response.url === '' ? 'http://localhost' : response.url;
  if (typeof address !== 'string' || !URL.canParse(address, base))
    throw new PagingError('The link to the next page is not an address.');
  const link = new URL(address, base);
  if (response.url !== '' && link.origin !== new URL(base).origin)
    throw new PagingError(`The link to the next page leads to another server, ${link.origin}.`);
  return link;
}

/** The target of the relation `next` in a `Link` header. */
function linkedNext(header: string): string | undefined {
  for (const [, address = '', parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return address;
  }
  return undefined;
}
