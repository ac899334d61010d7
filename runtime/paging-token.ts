import type { RequestValues } from './context.js';
import {
  itemsOf,
  type PageArguments,
  type PageCall,
  type PagePlan,
  PagingError,
  queryOf,
  wantedSize,
  withQuery,
} from './paging.js';
import { readPointer } from './pointer.js';

/** Pages by a token that each page gives for the next. */
export interface TokenPlan extends PagePlan {
  /** Query parameter that takes the token. */
  readonly token: string;
  /** JSON pointer to the token of the next page in an answer. */
  readonly next: string;
}

/**
 * All items of a listing, page by page.
 *
 * @throws PagingError where the service gives a token twice.
 * @throws RangeError at once where a page cannot be as large as asked for.
 */
export function pageByToken<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: TokenPlan,
  given: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  const size = wantedSize(plan, given);
  const query = plan.size === undefined || size === undefined ? {} : { [plan.size]: size };
  return pages<Request, Item>(call, plan, { ...given, request: withQuery(given.request, query) });
}

async function* pages<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: TokenPlan,
  { request, options }: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>([queryOf(request)[plan.token]]);
  for (let token: unknown; ;) {
    const answer = await call(
      token === undefined ? (request as Request) : withQuery(request, { [plan.token]: token }),
      options,
    );
    yield* itemsOf(answer, plan) as readonly Item[];
    token = readPointer(answer.data, plan.next);
    if (token === undefined || token === null || token === '') return;
    if (seen.has(token)) throw new PagingError('The service leads back to a page that was read already.');
    seen.add(token);
  }
}
