import type { Api, Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { withoutUndefined } from '../../model/document/records.js';
import { findParameter } from '../../model/find-parameter.js';
import type { ListParameter } from '../../resources/list-inputs.js';
import { listPathOf } from '../../resources/envelope.js';
import type { Paging } from '../../resources/page-ways.js';
import { type ListPages, firstPageOf, listPagesOf } from '../../resources/paging.js';
import { isHelperRefused } from '../../resources/said-paging.js';
import type { LinkPlan, OffsetPlan, PagePlan, TokenPlan } from '../../runtime/paging.js';
import { keywordOf } from '../../schema/facts/members.js';

/** How a list is read page by page: a function of the runtime and its plan. */
export type PlannedPaging =
  | { readonly runtime: 'pageByOffset'; readonly plan: OffsetPlan }
  | { readonly runtime: 'pageByLink'; readonly plan: LinkPlan }
  | { readonly runtime: 'pageByToken'; readonly plan: TokenPlan };

/** The largest page that is requested without being asked for: some specs allow two billion items. */
const LARGEST_PAGE = 1000;

/** Plans the paging of a list that the map is sure of. */
export function planPaging(operation: Operation, api: Api): PlannedPaging | undefined {
  const items = listPathOf(operation, api);
  if (items === undefined || (operation.method !== 'get' && operation.method !== 'post')) return undefined;
  const pages = listPagesOf(operation, api);
  const { paging } = pages;
  if (paging?.basis.isSure !== true || isHelperRefused(operation, api)) return undefined;
  const list: List = { operation, api, pages, paging, plan: planSize(operation, paging, { api, items }) };
  if (paging.style === 'link') return followLinks(list);
  const { step } = paging;
  if (step === undefined) return undefined;
  if (paging.style === 'offset') return countItems(list, nameIn(step));
  return paging.style === 'page' ? countPages(list, step) : passTokens(list, nameIn(step));
}

/** What is known of a list. */
interface List {
  readonly operation: Operation;
  readonly api: Api;
  readonly pages: ListPages;
  readonly paging: Paging;
  readonly plan: PagePlan;
}

/** The members of all plans. A size that is elsewhere in the request than the step is left to the server. */
function planSize(
  operation: Operation,
  { step, size }: Paging,
  { api, items }: { readonly api: Api; readonly items: readonly string[] },
): PagePlan {
  const [first] = [step, size].flatMap((one) => one ?? []);
  const at = first === undefined ? '/query' : placeOf(first, operation);
  const own = size !== undefined && placeOf(size, operation) === at ? size : undefined;
  const maxSize = own === undefined ? undefined : keywordOf(own.schema, 'maximum', api);
  return {
    items: toPointer(items),
    ...(at === '/query' ? {} : { at }),
    ...(own === undefined ? {} : { size: nameIn(own) }),
    ...(maxSize === undefined || maxSize < 1 || maxSize > LARGEST_PAGE ? {} : { maxSize }),
  };
}

/** JSON pointer to the object of a request that has a parameter. */
function placeOf({ path }: ListParameter, operation: Operation): string {
  const isQuery = findParameter(operation, 'query', path[0]) !== undefined;
  return toPointer([isQuery ? 'query' : 'body', ...path.slice(0, -1)]);
}

function nameIn({ path, name }: ListParameter): string {
  return path.at(-1) ?? name;
}

/** What pages say about their end: whether there are more, else the place of the next one, and the number of all items. */
function endOf({ pages: { nodes }, paging: { more, total } }: List): Pick<OffsetPlan, 'more' | 'total'> {
  const next = nodes.find(({ member }) => member?.role === 'next' && /\bnext\b/.test(member.words));
  const path = more?.path ?? next?.path;
  return withoutUndefined({ more: path && toPointer(path), total: total && toPointer(total.path) });
}

function countItems(list: List, skip: string): PlannedPaging {
  const { paging, api, plan } = list;
  const usual = paging.size === undefined ? undefined : keywordOf(paging.size.schema, 'default', api);
  const defaultSize = plan.maxSize ?? (typeof usual === 'number' && usual > 0 ? usual : undefined);
  return {
    runtime: 'pageByOffset',
    plan: {
      ...plan,
      skip,
      ...endOf(list),
      ...(defaultSize === undefined ? {} : { defaultSize }),
      // Where the spec states no largest page, the server may have one.
      ...(plan.maxSize === undefined ? { mayBeShort: true } : {}),
    },
  };
}

function countPages(list: List, step: ListParameter): PlannedPaging {
  const { plan, pages, api } = list;
  const first = firstPageOf(step, api);
  const numbering = pages.hasLinkHeader ? 'full' : 'all';
  return {
    runtime: 'pageByLink',
    plan: { ...plan, page: nameIn(step), ...endOf(list), numbering, ...(first === 1 ? {} : { first }) },
  };
}

function passTokens(list: List, token: string): PlannedPaging {
  const { plan, paging } = list;
  const { id, next, more } = paging;
  if (id === undefined && (next === undefined || next.form === 'link')) return followLinks(list);
  const pointer = id === undefined ? toPointer(next?.path ?? []) : toPointer([id]);
  return {
    runtime: 'pageByToken',
    plan: {
      ...plan,
      ...{ token, next: pointer },
      ...(id === undefined ? {} : { isInItem: true }),
      ...(more === undefined ? {} : { more: toPointer(more.path) }),
    },
  };
}

function followLinks({ plan, paging: { step, next } }: List): PlannedPaging {
  return {
    runtime: 'pageByLink',
    plan: {
      ...plan,
      ...(step === undefined ? {} : { page: nameIn(step) }),
      ...(next === undefined ? {} : { next: toPointer(next.path) }),
    },
  };
}
