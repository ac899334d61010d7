import type { RequestValues } from './context.js';
import {
  type LinkPlan,
  type OffsetPlan,
  type PageResponse,
  type TokenPlan,
  announcesMore,
  findLink,
  itemsOf,
  valuesOf,
  withLink,
  withValues,
} from './paging.js';
import { readPointer } from './helpers.js';

/** How the pages of a list follow each other, for a query library that keeps all pages. */
export type QueryPages =
  | { readonly style: 'offset'; readonly plan: OffsetPlan }
  | { readonly style: 'page'; readonly plan: LinkPlan }
  | { readonly style: 'link'; readonly plan: LinkPlan }
  | { readonly style: 'token'; readonly plan: TokenPlan };

/** A page of a list whose next page is linked in the headers of the response. */
export interface LinkedPage<Data> {
  readonly data: Data;
  /** The query of the link to the next page; `null` on the last page. */
  readonly next: string | null;
}

/** A place in a list: a number of items or of a page, a token, or the query of a link. `null`: the start. */
type PageParam = number | string | null;

/** The first place in a list, which the request may name. */
function firstPage({ style, plan }: QueryPages, request: RequestValues | undefined): PageParam {
  const values = valuesOf(request, plan);
  if (style === 'offset') return Number(values[plan.skip] ?? 0);
  if (style === 'page') return Number(values[plan.page ?? ''] ?? plan.first ?? 1);
  return style === 'token' ? ((values[plan.token] ?? null) as PageParam) : null;
}

/** The request of a page. */
export function pageRequest<Request extends RequestValues>(
  how: QueryPages,
  request: Request | undefined,
  param: unknown,
): Request | undefined {
  if (param === null) return request;
  if (how.style === 'link') return withLink(new URL(param as string, 'http://localhost'), how.plan, request);
  return withValues(request, how.plan, { [parameterOf(how)]: param });
}

/** The parameter of the place in a list. */
function parameterOf({ style, plan }: Exclude<QueryPages, { readonly style: 'link' }>): string {
  if (style === 'offset') return plan.skip;
  return style === 'page' ? (plan.page ?? '') : plan.token;
}

/**
 * What a query keeps of the response of a page.
 *
 * @param given - the result of a call.
 */
export function pageOf({ style, plan }: QueryPages, given: unknown): never {
  const response = given as PageResponse;
  const data = response.data ?? null;
  // Cast: the caller knows the type of the data.
  return (style === 'link' ? { data, next: findLink(response, plan)?.search ?? null } : data) as never;
}

/** The members of a query with pages that say where each page is. */
export function pageParams(how: QueryPages, request: unknown): PageParams {
  const given = typeof request === 'symbol' ? undefined : (request as RequestValues | undefined);
  return {
    initialPageParam: firstPage(how, given),
    getNextPageParam: (_page, pages, param) => nextPage(how, given, pages, param),
    getPreviousPageParam: (_page, pages, param) => previousPage(how, given, pages, param),
  };
}

/** Finds the place beside a page. */
type FindPage = (page: unknown, pages: readonly unknown[], param: PageParam) => PageParam | undefined;

interface PageParams {
  readonly initialPageParam: PageParam;
  readonly getNextPageParam: FindPage;
  readonly getPreviousPageParam: FindPage;
}

/** The place after the last page; `undefined` after the end of the list. */
function nextPage(
  { style, plan }: QueryPages,
  request: RequestValues | undefined,
  pages: readonly unknown[],
  param: PageParam,
): PageParam | undefined {
  const data = pages.at(-1);
  if (style === 'link') return (data as LinkedPage<unknown>).next ?? undefined;
  const items = itemsOf({ data }, plan);
  if (items.length === 0) return undefined;
  if (style === 'token') {
    if (announcesMore({ data }, plan) === false) return undefined;
    const token = readPointer(plan.isInItem === true ? items.at(-1) : data, plan.next) as PageParam | undefined;
    return token === null || token === '' ? undefined : token;
  }
  const seen = pages.reduce<number>((sum, page) => sum + itemsOf({ data: page }, plan).length, 0);
  const start = Number(firstPage({ style, plan } as QueryPages, request));
  const end = style === 'offset' ? Number(param) + items.length : seen;
  const counts = style === 'offset' || start === (plan.first ?? 1);
  const goesOn =
    announcesMore({ data }, plan, counts ? end : 0) ?? !isShort({ style, plan } as QueryPages, request, items);
  if (!goesOn || (style === 'offset' && end >= (plan.window ?? Infinity))) return undefined;
  return style === 'offset' ? end : Number(param) + 1;
}

/** Whether a page has fewer items than requested, on a server that fills its pages. */
function isShort({ style, plan }: QueryPages, request: RequestValues | undefined, items: readonly unknown[]): boolean {
  const size = Number(valuesOf(request, plan)[plan.size ?? ''] ?? 0);
  const isFilled = style === 'offset' ? plan.mayBeShort !== true : style === 'page' && plan.numbering === 'full';
  return isFilled && items.length < size;
}

/** The place before the first page; `undefined` at the start of the list, and for lists that only lead on. */
function previousPage(
  { style, plan }: QueryPages,
  request: RequestValues | undefined,
  [first]: readonly unknown[],
  param: PageParam,
): PageParam | undefined {
  const place = Number(param);
  if (style === 'page') return place > (plan.first ?? 1) ? place - 1 : undefined;
  if (style !== 'offset' || place <= 0) return undefined;
  const size = Number(valuesOf(request, plan)[plan.size ?? ''] ?? itemsOf({ data: first }, plan).length);
  return Math.max(0, place - Math.max(1, size));
}
