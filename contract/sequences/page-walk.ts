import type { Operation, Parameter } from '../../model/api.js';
import type { ContractRun } from '../contract-run.js';
import { itemsIn } from '../resources/item-ids.js';
import type { Call, Exchange } from '../types.js';

/** How an operation gives its items page by page. */
export interface Paging {
  readonly style: 'offset' | 'page' | 'token';
  readonly size?: Parameter;
  /** The parameter that moves from page to page. */
  readonly step: Parameter;
  /** Reads no further page. */
  readonly isSingle?: boolean;
  /** Names of members that hold the next token. */
  readonly next?: string;
}

export interface Walk {
  readonly items: readonly unknown[];
  readonly pages: readonly (readonly unknown[])[];
  /** Whether the end was reached. */
  readonly isWhole: boolean;
  readonly last: Exchange;
  /** One for each page. */
  readonly exchanges: readonly Exchange[];
}

const SIZE = /^(?:limit|page_?size|per_?page|size|take|max_?results|top|\$top)$/i;
const STEPS: readonly (readonly [Paging['style'], RegExp])[] = [
  ['offset', /^(?:offset|skip|\$skip)$/i],
  ['page', /^page(?:_?number)?$/i],
  ['token', /^(?:cursor|page_?token)$/i],
];
const NEXT = /^next(?:_?page)?(?:_?token|_?cursor)?$|^cursor$/i;
const MAX_PAGES = 60;

/** The paging of an operation, as `x-pagination` says or its parameters tell. */
export function findPaging({ parameters, extensions }: Operation): Paging | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const named = (name: unknown): Parameter | undefined => query.find((parameter) => parameter.name === name);
  const said = extensions['x-pagination'] as Readonly<Record<string, unknown>> | undefined;
  const size = said === undefined ? query.find(({ name }) => SIZE.test(name)) : named(said['size']);
  for (const [style, pattern] of STEPS) {
    const step =
      said === undefined
        ? query.find(({ name }) => pattern.test(name))
        : said['style'] === style
          ? named(said['skip'] ?? said['page'] ?? said['token'])
          : undefined;
    if (step === undefined) continue;
    const next = typeof said?.['next'] === 'string' ? said['next'].split('/').at(-1) : undefined;
    return { style, step, ...(size === undefined ? {} : { size }), ...(next === undefined ? {} : { next }) };
  }
  return undefined;
}

/** Reads page after page to the end; `undefined` where an answer is no list. */
export async function walkPages(
  run: ContractRun,
  call: Call,
  { paging, pageSize }: { readonly paging: Paging | undefined; readonly pageSize: number | undefined },
): Promise<Walk | undefined> {
  const pages: (readonly unknown[])[] = [];
  let position: unknown;
  const exchanges: Exchange[] = [];
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const parameters = new Map(call.parameters);
    if (paging?.size !== undefined && pageSize !== undefined) parameters.set(paging.size, pageSize);
    if (paging !== undefined && position !== undefined) parameters.set(paging.step, position);
    const exchange = await run.try({
      phase: 'stateful',
      call: { ...call, parameters },
      expectation: { kind: 'valid' },
    });
    const items = exchange?.status === 200 ? itemsIn(exchange.json) : undefined;
    if (exchange === undefined || items === undefined) return undefined;
    exchanges.push(exchange);
    pages.push(items);
    position = paging === undefined || paging.isSingle === true ? undefined : nextPosition(paging, { pages, exchange });
    if (position === undefined || (items.length === 0 && paging?.style !== 'token'))
      return { pages, items: pages.flat(), isWhole: true, last: exchange, exchanges };
  }
  const last = exchanges.at(-1);
  return last === undefined ? undefined : { pages, items: pages.flat(), isWhole: false, last, exchanges };
}

function nextPosition(
  { style, step, next }: Paging,
  { pages, exchange }: { readonly pages: readonly (readonly unknown[])[]; readonly exchange: Exchange },
): unknown {
  if (style === 'token') {
    const members = Object.entries((exchange.json ?? {}) as Record<string, unknown>);
    const token = members.find(([name]) => (next === undefined ? NEXT.test(name) : name === next))?.[1];
    return typeof token === 'string' && token !== '' ? token : undefined;
  }
  const seen = pages.flat().length;
  if ((pages.at(-1)?.length ?? 0) === 0) return undefined;
  const first = typeof step.schema === 'object' && step.schema.minimum === 0 ? 0 : 1;
  return style === 'offset' ? seen : first + pages.length;
}
