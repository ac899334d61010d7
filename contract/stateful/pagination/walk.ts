import { listItemOf, listedItems } from '../../../resources/envelope.js';
import { idOf } from '../../../resources/extract-id.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Call, Exchange } from '../../types.js';
import { followLink, memberLink, readMore, saysMore } from './links.js';
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
  /** The name of the member with the next token. */
  readonly next?: string;
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

const STYLES: readonly StepPaging['style'][] = ['offset', 'page', 'token', 'after'];
const NEXT = /^next(?:_?page)?(?:_?token|_?cursor)?$|^cursor$/i;
const MAX_PAGES = 60;

/** Finds the paging of an operation: by `x-pagination`, else by its parameters, else by its response headers. */
export function findPaging(operation: Operation, api: Api): Paging | undefined {
  const { parameters, extensions, responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const named = (name: unknown): Parameter | undefined => query.find((parameter) => parameter.name === name);
  const said = extensions['x-pagination'] as Readonly<Record<string, unknown>> | undefined;
  const known = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const size = named(said === undefined ? known.size?.name : said['size']);
  for (const style of STYLES) {
    const ruled = said?.['style'] === style ? (said['skip'] ?? said['page'] ?? said['token']) : undefined;
    const step = named(said === undefined ? known[style]?.name : ruled);
    if (step === undefined) continue;
    const next = typeof said?.['next'] === 'string' ? said['next'].split('/').at(-1) : undefined;
    return { style, step, ...(size === undefined ? {} : { size }), ...(next === undefined ? {} : { next }) };
  }
  const hasLink = responses.some(
    ({ status, headers }) => status === '200' && headers.some(({ name }) => name.toLowerCase() === 'link'),
  );
  return hasLink ? { style: 'link', ...(size === undefined ? {} : { size }) } : undefined;
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

/** The member of a page with the token of the next one. */
export function tokenMember({ json }: Exchange, next: string | undefined): readonly [string, unknown] | undefined {
  const members = Object.entries((json ?? {}) as Record<string, unknown>);
  return members.find(([name]) => (next === undefined ? NEXT.test(name) : name === next));
}

function nextPosition({ style, step, next }: StepPaging, { pages, exchange }: Omit<Page, 'paging'>): unknown {
  if (style === 'token') {
    const [, token] = tokenMember(exchange, next) ?? [];
    if (typeof token === 'string' && token !== '' && !/^(?:https?:|[/?])/.test(token)) return token;
    return memberLink(exchange)?.url.searchParams.get(step.name) ?? undefined;
  }
  const seen = pages.flat().length;
  if ((pages.at(-1)?.length ?? 0) === 0) return undefined;
  if (style === 'after') return readMore(exchange)?.value === false ? undefined : idOf(pages.at(-1)?.at(-1), 'id');
  const first = typeof step.schema === 'object' && step.schema.minimum === 0 ? 0 : 1;
  return style === 'offset' ? seen : first + pages.length;
}
