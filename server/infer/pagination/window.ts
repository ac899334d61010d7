import type { Api } from '../../../model/api.js';
import { readToken, writeToken } from '../../page-token.js';
import { textOf } from '../json-path.js';
import type { ListParameters } from '../../../resources/pagination/parameters.js';
import { type ListRequest, askedFor } from './query.js';
import { keywordOf } from '../../../schema/facts/members.js';

/** Which part of a list a call asks for. */
export interface PageWindow {
  readonly skip: number;
  /** `Infinity`: all. */
  readonly take: number;
  /** For lists by page number: the number of this page, as the caller counts. */
  readonly page?: number;
  readonly firstPage: number;
}

/** The size of a page where neither the caller nor the spec says one, in lists that have pages. */
const USUAL_SIZE = 50;

/** Whether the part that is asked for begins behind an item. */
export function beginsBehindItem(request: ListRequest, { token, after }: ListParameters): boolean {
  return [token, after].some((parameter) => (askedFor(request, parameter) ?? '') !== '');
}

/**
 * Reads which part is asked for. `undefined`: the token is not one that this list gave.
 *
 * @param ids - of all items in order, where the part begins behind one
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
  if (after !== undefined && after !== '') return { skip: placeBehind(textOf(after), ids), take, firstPage };
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

/** Where a token leads: behind an item, and how many items stood before that place when it was given. */
interface TokenPlace {
  readonly id: string;
  readonly skip: number;
}

/** The token of the page of a list that starts behind an item. */
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

/** Behind an id that is unknown nothing follows. */
function placeBehind(id: string, ids: readonly string[]): number {
  const index = ids.indexOf(id);
  return index === -1 ? ids.length : index + 1;
}

/** The item may be gone since: then as many are left out as stood before it. */
function placeAfter(place: TokenPlace | undefined, ids: readonly string[]): number | undefined {
  if (place === undefined) return undefined;
  const index = ids.indexOf(place.id);
  return index === -1 ? Math.min(Math.max(0, place.skip - 1), ids.length) : index + 1;
}
