import { findParameter } from '../../../model/find-parameter.js';
import { listedItems } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { firstPageOf, listPagesOf, pagingOf } from '../../../resources/paging.js';
import { takeAt } from '../../../schema/value-path.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Call, Exchange } from '../../types.js';
import { type FoundMember, findMember, followLink, memberLink, readMore, saysMore } from './links.js';
import { nextLink } from '../../expectations/next-link.js';

/** How an operation splits its items into pages. */
export type Paging = StepPaging | LinkPaging;

interface AnyPaging {
  readonly size?: Parameter;
  /** Set to read one page only. */
  readonly isSingle?: boolean;
}

interface StepPaging extends AnyPaging {
  readonly style: 'offset' | 'page' | 'token' | 'after';
  /** The parameter that moves from page to page. */
  readonly step: Parameter;
  /** The member with the next token, as the spec documents it. */
  readonly next?: readonly string[];
  /** The member of the last item that `step` takes, in the style `after`. */
  readonly id?: string;
  /** The number of the first page, in the style `page`. */
  readonly first: number;
}

/** Each page has a `Link` to the next one. */
interface LinkPaging extends AnyPaging {
  readonly style: 'link';
}

export interface Walk {
  readonly items: readonly unknown[];
  readonly pages: readonly (readonly unknown[])[];
  /** Whether the end was reached. */
  readonly isWhole: boolean;
  readonly last: Exchange;
  /** The exchange of each page. */
  readonly exchanges: readonly Exchange[];
}

const MAX_PAGES = 60;

/** The paging of an operation, if requests can follow it: by query parameters, or by links alone. */
export function findPaging(operation: Operation, api: Api): Paging | undefined {
  const found = pagingOf(operation, api);
  if (found === undefined) return undefined;
  const step = findParameter(operation, 'query', found.step?.name);
  const size = sizeParameterOf(operation, api);
  const sized = size === undefined ? {} : { size };
  if (found.style === 'link') return { style: 'link', ...sized };
  const next = found.next?.path;
  return step === undefined
    ? undefined
    : {
        ...{ style: found.style, step, first: firstPageOf(step, api), ...sized },
        ...(next === undefined ? {} : { next }),
        ...(found.id === undefined ? {} : { id: found.id }),
      };
}

/** The query parameter for the size of a page. */
export function sizeParameterOf(operation: Operation, api: Api): Parameter | undefined {
  return findParameter(operation, 'query', listPagesOf(operation, api).parameters.size?.name);
}

/** The size of the largest page that a parameter allows, at most 200; `undefined` if the spec sets no maximum. */
export function largestPage({ schema }: Parameter): number | undefined {
  return typeof schema === 'object' && schema.maximum !== undefined ? Math.min(schema.maximum, 200) : undefined;
}

/** Reads all pages; `undefined` if a response is not a list. */
export async function walkPages(
  run: ContractRun,
  call: Call,
  { paging, pageSize }: { readonly paging: Paging | undefined; readonly pageSize: number | undefined },
): Promise<Walk | undefined> {
  const sizes = paging?.size === undefined || pageSize === undefined ? [] : [[paging.size, pageSize] as const];
  const start: Call = { ...call, parameters: new Map([...call.parameters, ...sizes]) };
  const pages: (readonly unknown[])[] = [];
  const exchanges: Exchange[] = [];
  for (let next: Call | undefined = start; next !== undefined && pages.length < MAX_PAGES;) {
    const exchange = await run.client.sendValid(next);
    const items = exchange?.status === 200 ? listedItems(call.operation, exchange.json, run.options.api) : undefined;
    if (exchange === undefined || items === undefined) return undefined;
    exchanges.push(exchange);
    pages.push(items);
    const following = nextCall(run, next, { paging, pages, exchange });
    next = paging?.isSingle === true ? undefined : following;
    if (next !== undefined) continue;
    const isEnd = isLastPage(exchange, paging) && (following === undefined || isCounted(paging));
    return { pages, items: pages.flat(), isWhole: isEnd, last: exchange, exchanges };
  }
  const last = exchanges.at(-1);
  return last === undefined ? undefined : { pages, items: pages.flat(), isWhole: false, last, exchanges };
}

/** Whether nothing in a response announces more pages. */
function isLastPage(exchange: Exchange, paging: Paging | undefined): boolean {
  if (paging !== undefined && paging.style !== 'link') return true;
  return nextLink(exchange) === undefined && (paging !== undefined || !saysMore(exchange));
}

/** Whether pages are requested by a number or id, so that a page can be requested even after the last one. */
function isCounted(paging: Paging | undefined): boolean {
  return paging?.style === 'offset' || paging?.style === 'page' || paging?.style === 'after';
}

interface Page {
  readonly paging: Paging | undefined;
  readonly pages: readonly (readonly unknown[])[];
  readonly exchange: Exchange;
}

function nextCall(run: ContractRun, call: Call, { paging, pages, exchange }: Page): Call | undefined {
  if (paging === undefined || paging.style === 'link') {
    const link = nextLink(exchange);
    return link === undefined ? undefined : followLink(run, call, { exchange, link });
  }
  const position = nextPosition(paging, { pages, exchange });
  if (position === undefined) return undefined;
  return { ...call, parameters: new Map([...call.parameters, [paging.step, position]]) };
}

/** The member of a page with the token of the next one: where the spec puts it, else what has such a name. */
export function tokenMember({ json }: Exchange, next: readonly string[] | undefined): FoundMember | undefined {
  if (next !== undefined) return { path: next, value: takeAt(json, next) };
  return findMember(json, ({ role, form }) => role === 'next' && form !== 'link' && form !== 'boolean');
}

function nextPosition(
  { style, step, next, id = 'id', first }: StepPaging,
  { pages, exchange }: Omit<Page, 'paging'>,
): unknown {
  if (style === 'token') {
    const token = tokenMember(exchange, next)?.value;
    if (typeof token === 'number') return token;
    if (typeof token === 'string' && token !== '' && !/^(?:https?:|[/?])/.test(token)) return token;
    return memberLink(exchange)?.url.searchParams.get(step.name) ?? undefined;
  }
  const seen = pages.flat().length;
  if ((pages.at(-1)?.length ?? 0) === 0) return undefined;
  if (style === 'after') return readMore(exchange)?.value === false ? undefined : idOf(pages.at(-1)?.at(-1), id);
  return style === 'offset' ? seen : first + pages.length;
}
