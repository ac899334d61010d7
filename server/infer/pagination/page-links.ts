import { pathOf, toAbsolute } from '../item-links.js';
import type { AnyCall } from '../request-context.js';
import type { ListPages } from '../../../resources/paging.js';
import type { LinkRelation, ListPage } from './list-page.js';

/** The parameter of a link to a page if the operation documents none. */
export const OWN_TOKEN: string = 'page_token';

type Page = Omit<ListPage, 'linkTo'>;

/** Makes the URLs of other pages: the URL of the call with another page, offset or token. */
export function createLinks(call: Pick<AnyCall, 'request'>, { parameters }: ListPages, page: Page): ListPage['linkTo'] {
  return (which) => {
    const query = new URLSearchParams(call.request.target.split('?')[1] ?? '');
    if (which !== 'self') {
      const found = findStep(parameters, page, which);
      if (found === undefined) return undefined;
      const { token, back, offset, page: byPage } = parameters;
      for (const one of [token, back, offset, byPage]) if (one !== undefined) query.delete(one.name);
      query.delete(OWN_TOKEN);
      if (found.value !== undefined) query.set(found.name, found.value);
    }
    return toAbsolute(call, pathOf(call) + toQuery(query));
  };
}

interface Step {
  readonly name: string;
  /** Absent: the parameter is left out, which gives the first page. */
  readonly value?: string;
}

function findStep(
  parameters: ListPages['parameters'],
  page: Page,
  which: Exclude<LinkRelation, 'self'>,
): Step | undefined {
  const { window, total, count } = page;
  const { skip, take, firstPage } = window;
  const { token, back, offset, page: byPage } = parameters;
  const isCut = Number.isFinite(take) && take > 0;
  const last = isCut ? Math.max(0, Math.ceil(total / take) - 1) * take : 0;
  const hasNext = skip + count < total && count > 0;
  if ((which === 'prev' && skip === 0) || (which === 'next' && !hasNext)) return undefined;
  const targets = { first: 0, prev: Math.max(0, skip - take), next: skip + count, last, end: total };
  const target = targets[which];
  if (byPage !== undefined && isCut) {
    const number = which === 'end' ? Math.ceil(total / take) : Math.floor(target / take);
    return { name: byPage.name, value: String(number + firstPage) };
  }
  if (offset !== undefined) return { name: offset.name, value: String(target) };
  const name = token?.name ?? OWN_TOKEN;
  if (which === 'first' || (which === 'prev' && target === 0 && page.previousPlace === undefined)) return { name };
  if (which === 'last') return count === total ? { name } : undefined;
  const place = { prev: page.previousPlace, next: page.nextPlace, end: page.beyond.next }[which];
  if (place === undefined) return undefined;
  return { name: which === 'prev' && back !== undefined ? back.name : name, value: place };
}

function toQuery(query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
