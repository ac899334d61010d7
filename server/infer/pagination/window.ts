import { keywordOf } from '../../../schema/facts/members.js';
import { type ListPages, firstPageOf } from '../../../resources/paging.js';
import type { PageWindow } from './list-page.js';
import { textOrEmpty } from '../json-path.js';
import { type PlaceMemory, type Positions, idsOfPlace, readPlace } from './place.js';
import { type ListRequest, askedFor } from './query.js';

/** The default page size of lists with pages. */
const USUAL_SIZE = 50;

/** The ids of the items by whose positions the requested part is found; none if it does not begin or end at an item. */
export function idsOfWindow(request: ListRequest, pages: ListPages, memory: PlaceMemory): readonly string[] {
  const back = textOrEmpty(askedFor(request, pages.parameters.back));
  const text = back === '' ? askedPlace(request, pages) : back;
  return text === '' ? [] : idsOfPlace(text, { list: request.list, memory });
}

/** The place after which the page starts, as text. A link without a parameter that the spec documents has its own. */
function askedPlace(request: ListRequest, { parameters: { token }, paging }: ListPages): string {
  if (token === undefined && paging?.style === 'link') return request.own ?? '';
  return textOrEmpty(askedFor(request, token));
}

/**
 * Reads the requested part of a list. Returns `undefined` if the token is not from this list.
 *
 * @param ids - the positions of the items of {@link idsOfWindow}
 */
export function readWindow(
  request: ListRequest,
  pages: ListPages,
  { ids, memory }: { readonly ids: Positions; readonly memory: PlaceMemory },
): PageWindow | undefined {
  const { parameters, placeForm: form } = pages;
  const firstPage = parameters.page === undefined ? 1 : firstPageOf(parameters.page, request.api);
  const take = readSize(request, pages);
  const window = { skip: 0, take, firstPage, isBackward: false };
  const back = textOrEmpty(askedFor(request, parameters.back));
  const token = askedPlace(request, pages);
  if (back !== '' || token !== '') {
    const side = back === '' ? 'after' : 'before';
    const place = readPlace(back === '' ? token : back, { list: request.list, form, memory, ids, side });
    if (place === undefined) return parameters.takesId ? { ...window, skip: ids.length } : undefined;
    // Only where one parameter takes all tokens does a token say the direction; else it means its item.
    const isBackward = back !== '' || (parameters.back === undefined && place.side === 'before');
    const isOther = parameters.back !== undefined && place.side !== side;
    if (!isBackward) return { ...window, skip: place.skip + (isOther ? 1 : 0) };
    const until = Math.max(0, place.skip - (isOther ? 1 : 0));
    return { ...window, isBackward, skip: Math.max(0, until - take), until };
  }
  const offset = toCount(askedFor(request, parameters.offset));
  if (offset !== undefined) return { ...window, skip: offset };
  const page = parameters.page === undefined ? undefined : (toCount(askedFor(request, parameters.page)) ?? firstPage);
  if (page === undefined) return window;
  return { ...window, skip: Math.max(0, page - firstPage) * (Number.isFinite(take) ? take : 0), page };
}

function readSize(request: ListRequest, { parameters, paging, announcesMore }: ListPages): number {
  const { defaultSize, maxSize = Infinity } = request.sizes ?? {};
  const { size } = parameters;
  const count = toCount(askedFor(request, size));
  const asked = count === 0 ? (defaultSize ?? count) : count;
  if (paging === undefined && request.sizes === undefined) return readLimit(request, { asked, announcesMore, size });
  if (asked !== undefined || defaultSize !== undefined) return Math.min(asked ?? defaultSize ?? Infinity, maxSize);
  return Math.min(parameters.page !== undefined || parameters.token !== undefined ? USUAL_SIZE : Infinity, maxSize);
}

/**
 * The most items of a list whose pages lead nowhere. Only what the caller asks for cuts it, and nothing if pages say
 * that there are more: whatever is cut off could not be reached.
 */
function readLimit(
  { api }: ListRequest,
  {
    asked,
    announcesMore,
    size,
  }: {
    readonly asked: number | undefined;
    readonly announcesMore: boolean;
    readonly size: ListPages['parameters']['size'];
  },
): number {
  const usual = size === undefined ? undefined : keywordOf(size.schema, 'default', api);
  return asked === undefined || announcesMore || asked === usual ? Infinity : asked;
}

function toCount(value: unknown): number | undefined {
  const count = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
