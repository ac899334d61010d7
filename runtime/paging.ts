import type { CallOptions, RequestValues } from './context.js';
import type { HeaderValues } from './errors.js';
import { readPointer } from './pointer.js';

/** What one listing can do otherwise. */
export interface PageOptions extends CallOptions {
  /** How many items to ask for at a time. Default: what the request says, else the most that the service allows. */
  readonly pageSize?: number | undefined;
}

/** A listing cannot go on: the service leads in a circle or elsewhere, or has more than it lists. */
export class PagingError extends Error {
  override readonly name: string = 'PagingError';
}

/** What a page is read from. */
export interface PageAnswer {
  readonly data: unknown;
  readonly headers: HeaderValues;
  readonly response: Response;
}

/** Asks for one page. */
export type PageCall<Request> = (request: Request, options: CallOptions | undefined) => Promise<PageAnswer>;

/** What a listing starts with. */
export interface PageArguments<Request> {
  readonly request: Request | undefined;
  readonly options: PageOptions | undefined;
}

/** What every style of paging knows. */
export interface PagePlan {
  /** JSON pointer to the items in an answer. */
  readonly items: string;
  /** Query parameter of the page size. */
  readonly size?: string;
  /** The largest page. */
  readonly maxSize?: number;
}

/** The items of an answer; none where the service left an empty list out. */
export function itemsOf({ data }: PageAnswer, { items }: PagePlan): readonly unknown[] {
  const list = readPointer(data, items) ?? [];
  if (!Array.isArray(list)) throw new PagingError(`The answer has no list at ${JSON.stringify(items)}.`);
  return list;
}

/**
 * The page size that the caller asks for.
 *
 * @throws RangeError where a page cannot be that large.
 */
export function wantedSize<Request extends RequestValues>(
  { size, maxSize = Infinity }: PagePlan,
  { request, options }: PageArguments<Request>,
): number | undefined {
  const given = queryOf(request)[size ?? ''];
  const wanted = options?.pageSize ?? given;
  if (wanted === undefined || wanted === null) return undefined;
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted > maxSize || wanted < (given === 0 ? 0 : 1))
    throw new RangeError(`A page has 1 to ${maxSize} items, not ${JSON.stringify(wanted)}.`);
  return wanted;
}

/** A request with other values in its query. */
export function withQuery<Request extends RequestValues>(request: Request | undefined, query: object): Request {
  return { ...request, query: { ...request?.query, ...query } } as unknown as Request;
}

/** The values of a query by name. */
export function queryOf(request: RequestValues | undefined): Readonly<Record<string, unknown>> {
  return (request?.query ?? {}) as Record<string, unknown>;
}
