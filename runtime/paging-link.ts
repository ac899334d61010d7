import type { RequestValues } from './context.js';
import {
  itemsOf,
  type PageAnswer,
  type PageArguments,
  type PageCall,
  type PagePlan,
  PagingError,
  queryOf,
  wantedSize,
  withQuery,
} from './paging.js';

/** Pages by number, with the way to the next one in a `Link` header (RFC 8288). */
export interface LinkPlan extends PagePlan {
  /** Query parameter of the page number. */
  readonly page: string;
}

/**
 * All items of a listing, page by page, as far as links lead. Of a link only the query is used: calls always go to the
 * client's own server, with its credentials.
 *
 * @throws PagingError where a link leads to another server, or back.
 * @throws RangeError at once where a page cannot be as large as asked for.
 */
export function pageByLink<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: LinkPlan,
  given: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  const size = wantedSize(plan, given) ?? plan.maxSize;
  const query = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  return pages<Request, Item>(call, plan, { ...given, request: withQuery(given.request, query) });
}

async function* pages<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: LinkPlan,
  { request, options }: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set([`${(queryOf(request)[plan.page] as number | undefined) ?? 1}`]);
  for (let next: object = {}; ;) {
    const answer = await call(withQuery(request, next), options);
    yield* itemsOf(answer, plan) as readonly Item[];
    const link = findNext(answer);
    if (link === undefined) return;
    const page = link.searchParams.get(plan.page);
    const key = page ?? link.search;
    if (seen.has(key)) throw new PagingError('The link to the next page leads back to a page that was read already.');
    seen.add(key);
    // What the caller asked for stays; what the service adds (a page, a cursor) comes from the link.
    const added = [...link.searchParams].filter(
      ([name]) => name === plan.page || !Object.hasOwn(queryOf(request), name),
    );
    next = Object.fromEntries(added);
  }
}

/** The address of the next page, if there is one. */
function findNext({ headers, response }: PageAnswer): URL | undefined {
  for (const [, address = '', parameters = ''] of (headers['link'] ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if (!(relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) continue;
    // An answer that never was on a network has no address: a link from there must not have one either.
    const base = response.url === '' ? 'http://localhost' : response.url;
    if (!URL.canParse(address, base)) throw new PagingError('The link to the next page is no address.');
    const link = new URL(address, base);
    if (response.url !== '' && link.origin !== new URL(base).origin)
      throw new PagingError(`The link to the next page leads to another server, ${link.origin}.`);
    return link;
  }
  return undefined;
}
