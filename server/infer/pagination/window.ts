import type { Api } from '../../../model/api.js';
import { readToken, writeToken } from '../../cut-page.js';
import { textOrEmpty } from '../json-path.js';
import type { ListParameters } from '../../../resources/list-parameters.js';
import { type ListRequest, askedFor } from './query.js';
import { keywordOf } from '../../../schema/facts/members.js';

/** The requested part of a list. */
export interface PageWindow {
  readonly skip: number;
  /** `Infinity`: all. */
  readonly take: number;
  /** For lists by page number: the number of this page, counted from `firstPage`. */
  readonly page?: number;
  readonly firstPage: number;
}

/** The default page size of lists with pages. */
const USUAL_SIZE = 50;

/** Whether the requested part begins after an item. */
export function beginsBehindItem(request: ListRequest, { token, after }: ListParameters): boolean {
  return [token, after].some((parameter) => (askedFor(request, parameter) ?? '') !== '');
}

/**
 * Reads the requested part of a list. Returns `undefined` if the token is not from this list.
 *
 * @param ids - the ids of all items in order; needed only if the part begins after an item
 */
export function readWindow(
  request: ListRequest,
  parameters: ListParameters,
  ids: readonly string[],
): PageWindow | undefined {
  const firstPage = parameters.page !== undefined && isZeroBased(parameters.page, request.api) ? 0 : 1;
  const take = readSize(request, parameters);
  const token = askedFor(request, parameters.token);
  if (typeof token === 'string' && token !== '') {
    const skip = placeAfter(decodeToken(request.list, token), ids);
    return skip === undefined ? undefined : { skip, take, firstPage };
  }
  const after = askedFor(request, parameters.after);
  if (after !== undefined && after !== '') return { skip: placeBehind(textOrEmpty(after), ids), take, firstPage };
  const offset = toCount(askedFor(request, parameters.offset));
  if (offset !== undefined) return { skip: offset, take, firstPage };
  const page = parameters.page === undefined ? undefined : (toCount(askedFor(request, parameters.page)) ?? firstPage);
  if (page === undefined) return { skip: 0, take, firstPage };
  return { skip: Math.max(0, page - firstPage) * (Number.isFinite(take) ? take : 0), take, page, firstPage };
}

function isZeroBased({ schema }: NonNullable<ListParameters['page']>, api: Api): boolean {
  return keywordOf(schema, 'minimum', api) === 0 || keywordOf(schema, 'default', api) === 0;
}

function readSize(request: ListRequest, parameters: ListParameters): number {
  const { size, page, token } = parameters;
  const { defaultSize, maxSize = Infinity } = request.sizes ?? {};
  const count = toCount(askedFor(request, size));
  const asked = count === 0 ? (defaultSize ?? count) : count;
  if (asked !== undefined || defaultSize !== undefined) return Math.min(asked ?? defaultSize ?? Infinity, maxSize);
  return Math.min(page !== undefined || token !== undefined ? USUAL_SIZE : Infinity, maxSize);
}

function toCount(value: unknown): number | undefined {
  const count = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** The content of a token: the last item of the previous page, and how many items the part skipped at that time. */
interface TokenPlace {
  readonly id: string;
  readonly skip: number;
}

/** Writes the token of the page that starts after an item. */
export function encodeToken(list: string, { id, skip }: TokenPlace): string {
  return writeToken(list, [id, skip]);
}

function decodeToken(list: string, token: string): TokenPlace | undefined {
  const key = readToken(token, list)?.key;
  if (!Array.isArray(key)) return undefined;
  const [id, skip]: readonly unknown[] = key;
  return typeof id === 'string' && typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0
    ? { id, skip }
    : undefined;
}

/** Returns the index after an item; the end of the list if the id is unknown. */
function placeBehind(id: string, ids: readonly string[]): number {
  const index = ids.indexOf(id);
  return index === -1 ? ids.length : index + 1;
}

/** Returns the index after the item of a token. If it was deleted since, uses the number of items before it. */
function placeAfter(place: TokenPlace | undefined, ids: readonly string[]): number | undefined {
  if (place === undefined) return undefined;
  const index = ids.indexOf(place.id);
  return index === -1 ? Math.min(Math.max(0, place.skip - 1), ids.length) : index + 1;
}
