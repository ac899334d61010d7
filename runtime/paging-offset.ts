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

/** Pages by how many items to leave out and how many to take. */
export interface OffsetPlan extends PagePlan {
  /** Query parameter: how many items to leave out. */
  readonly skip: string;
  /** Query parameter: how many items to take. */
  readonly size: string;
  /** How many to take where the caller does not say. */
  readonly defaultSize: number;
  /** The most that skip and take together may be. */
  readonly window?: number;
}

/**
 * All items of a listing, page by page.
 *
 * @throws PagingError after the last item in reach, where the service has more than its window; and where it sends the
 * same page again.
 * @throws RangeError at once where a page cannot be as large as asked for.
 */
export function pageByOffset<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: OffsetPlan,
  given: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  return pages<Request, Item>(call, { ...plan, defaultSize: wantedSize(plan, given) ?? plan.defaultSize }, given);
}

async function* pages<Request extends RequestValues, Item>(
  call: PageCall<Request>,
  plan: OffsetPlan,
  { request, options }: PageArguments<Request>,
): AsyncGenerator<Item, void, undefined> {
  const { window = Infinity } = plan;
  let last = '';
  for (let skip = Number(queryOf(request)[plan.skip] ?? 0); ;) {
    const take = Math.min(plan.defaultSize, window - skip);
    if (take < 1)
      throw new PagingError(`The service lists the first ${window} items only; narrow the search to see the others.`);
    const answer = await call(withQuery(request, { [plan.skip]: skip, [plan.size]: take }), options);
    const items = itemsOf(answer, plan);
    const page = items.length < take ? '' : JSON.stringify(items);
    // A service that leaves `skip` out of account would be asked without end.
    if (page !== '' && page === last) throw new PagingError('The service sent the same page twice.');
    yield* items as readonly Item[];
    if (items.length < take) return;
    last = page;
    skip += items.length;
  }
}
