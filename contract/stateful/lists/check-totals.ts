import type { Operation } from '../../../model/api.js';
import { toPointer } from '../../../model/document/pointer.js';
import { listedItems } from '../../../resources/envelope.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { type FoundMember, findMember, memberLink, readMore } from '../pagination/links.js';
import { findUncounted } from './find-uncounted.js';
import { findPaging, walkPages } from '../pagination/walk.js';
import { memberPath } from '../../reproduction/member-path.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, pathCode, readList } from './read-list.js';

const TOTAL = /^(?:total|totalcount|totalitems|totalresults|totalelements|totalrecords|totalsize|recordcount)$/;
const TOTAL_HEADERS = ['x-total-count', 'x-total', 'total-count'];

/** Checks that a total is the number of items over all pages, and that the last page does not announce more. */
export async function checkTotals(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const total = readTotal(all.exchange);
  const more = readMore(all.exchange);
  const walk = await walkPages(run, all.call, { paging: findPaging(operation, run.options.api), pageSize: undefined });
  const count = walk?.isWhole === true ? walk.items.length : undefined;
  if (count === undefined) return;
  // A reproduction can only compare a total with the items of a single page.
  const isOnePage = count === all.items.length;
  if (total !== undefined && isOnePage && total.value !== count) reportTotal(run, operation, { all, total, count });
  else if (total !== undefined) await checkSmallPage(run, operation, { all, count: total.value });
  await checkNextOfLast(run, operation, all);
  await checkPageCount(run, operation, { all, count });
  if (isOnePage && more?.value === true) {
    const assertion = {
      expects: 'that',
      exchanges: [all.exchange],
      holds: ([response]: readonly Exchange[]) => response === undefined || readMore(response)?.value !== true,
      code: ([body = '']: readonly string[]) => `${body}${pathCode(more.path)} === false`,
    } as const;
    const found = problem('paging adds up', {
      cause: 'more',
      pointer: `/${more.path.join('/')}`,
      message: `The last page says by ${more.path.join('.')} that there are more.`,
      expected: 'false',
      actual: 'true',
    });
    run.report(found, { call: all.call, phase: 'stateful', assertion, others: someCreations(run, all) }, all.exchange);
  }
}

const PAGE_COUNT = /^(?:totalpages|pagecount|pagestotal|numpages|numberofpages|lastpage|pages)$/;

/** Checks the number of pages. Sizes that divide the items evenly reveal one page too many, others one too few. */
async function checkPageCount(
  run: ContractRun,
  operation: Operation,
  { all, count }: { readonly all: ListResponse; readonly count: number },
): Promise<void> {
  const paging = findPaging(operation, run.options.api);
  const { size } = paging ?? {};
  if (size === undefined || paging?.style !== 'page' || count < 2 || count !== all.items.length) return;
  if (readPageCount(all.exchange) === undefined) return;
  const uneven = [2, 3, 4].find((one) => one < count && count % one !== 0);
  // Some servers count the last page from 0, like the pages themselves.
  const isFromZero = typeof paging.step.schema === 'object' && paging.step.schema.minimum === 0;
  const asked = all.call.parameters.get(size);
  // A single page that is not full gives 1 on any server, however many items it has.
  const sizes = [...(typeof asked === 'number' ? [asked] : []), 1, ...(uneven === undefined ? [] : [uneven])];
  for (const pageSize of sizes) {
    const small = pageSize === asked ? all : await readList(run, operation, new Map([[size, pageSize]]));
    const shown = small === undefined ? undefined : readPageCount(small.exchange);
    const wanted = Math.ceil(count / pageSize);
    if (small === undefined || shown === undefined || shown.value === wanted) continue;
    if (isFromZero && /last/i.test(shown.path.at(-1) ?? '') && shown.value === wanted - 1) continue;
    const found = problem('total', {
      cause: shown.path.join('.'),
      pointer: toPointer(shown.path),
      message: `${shown.path.join('.')} is not the number of pages that ${count} items need.`,
      expected: String(wanted),
      actual: String(shown.value),
    });
    const assertion = {
      expects: 'that',
      exchanges: [small.exchange, all.exchange],
      holds: ([page, whole]: readonly Exchange[]) =>
        page === undefined ||
        readPageCount(page)?.value === Math.ceil(itemsOf(run, operation, whole).length / pageSize),
      code: ([page = '', whole = '']: readonly string[]) =>
        `${page}${pathCode(shown.path)} === Math.ceil(${itemsCode(operation, run, whole)}.length / ${pageSize})`,
    } as const;
    const others = [...(small === all ? [] : [all.exchange]), ...someCreations(run, all)];
    run.report(found, { call: small.call, phase: 'stateful', assertion, others }, small.exchange);
    return;
  }
}

function readPageCount({ json }: Exchange): FoundMember | undefined {
  return findMember(json, PAGE_COUNT, (value) => typeof value === 'number');
}

/** Checks that a total counts all items, even on a small page. */
async function checkSmallPage(
  run: ContractRun,
  operation: Operation,
  { all, count }: { readonly all: ListResponse; readonly count: number },
): Promise<void> {
  const size = findPaging(operation, run.options.api)?.size;
  const small =
    size === undefined || all.items.length < 2 ? undefined : await readList(run, operation, new Map([[size, 1]]));
  const total = small === undefined ? undefined : readTotal(small.exchange);
  if (small === undefined || total === undefined || total.value === count) return;
  const path = total.path ?? [];
  const found = problem('total', {
    cause: `small ${total.header ?? path.join('.')}`,
    pointer: path.length === 0 ? '' : `/${path.join('/')}`,
    message: `${total.header ?? path.join('.')} is another number on a small page.`,
    expected: String(count),
    actual: String(total.value),
  });
  const assertion =
    total.header === undefined
      ? ({
          expects: 'same',
          left: { from: 'response', exchange: small.exchange, pointer: `/${path.join('/')}` },
          right: { from: 'response', exchange: all.exchange, pointer: `/${path.join('/')}` },
        } as const)
      : ({
          expects: 'same',
          left: { from: 'header', exchange: small.exchange, name: total.header },
          right: { from: 'header', exchange: all.exchange, name: total.header },
        } as const);
  const others = someCreations(run, all);
  run.report(found, { call: small.call, phase: 'stateful', assertion, others }, small.exchange);
}

/** Checks that a URL of a next page in the body leads to other items. */
async function checkNextOfLast(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const next = memberLink(all.exchange);
  if (next === undefined || next.url.origin !== run.options.url.origin) return;
  const call = { operation, parameters: new Map(), address: next.url.href };
  const followed = await run.tryValid(call);
  const items = listedItems(operation, followed?.json, run.options.api);
  if (followed === undefined || items === undefined) return;
  const [first] = items.map((item) => JSON.stringify(item));
  const isAgain = first !== undefined && all.items.some((item) => JSON.stringify(item) === first);
  const isEmpty = items.length === 0 && isShort(run, operation, all);
  if (!isAgain && !isEmpty) return;
  const found = problem('paging adds up', {
    cause: 'next',
    pointer: next.pointer,
    message: `The last page has the address of a next page, which ${isAgain ? 'shows the same items again' : 'is empty'}.`,
    expected: 'no next page',
    actual: next.url.href,
  });
  const assertion =
    isAgain && !isShort(run, operation, all)
      ? ({
          expects: 'other',
          left: { from: 'text', exchange: followed },
          right: { from: 'text', exchange: all.exchange },
        } as const)
      : ({
          expects: 'that',
          exchanges: [all.exchange],
          holds: ([response]: readonly Exchange[]) => response === undefined || memberLink(response) === undefined,
          code: ([body = '']: readonly string[]) => `${body}${memberPath(next.pointer, '?')} == null`,
        } as const);
  const isCompared = assertion.expects === 'other';
  const others = [...(isCompared ? [all.exchange] : []), ...someCreations(run, all)];
  run.report(found, { call: all.call, phase: 'stateful', assertion, others }, isCompared ? followed : all.exchange);
}

/**
 * Whether a page has fewer items than requested. Only after a full page may a server not know whether there are more.
 */
function isShort(run: ContractRun, operation: Operation, { call, items }: ListResponse): boolean {
  const size = findPaging(operation, run.options.api)?.size;
  const asked = size === undefined ? undefined : call.parameters.get(size);
  return typeof asked === 'number' && items.length < asked;
}

interface Total {
  readonly value: number;
  readonly path?: readonly string[];
  readonly header?: string;
}

interface WrongTotal {
  readonly all: ListResponse;
  readonly total: Total;
  readonly count: number;
}

function reportTotal(run: ContractRun, operation: Operation, { all, total, count }: WrongTotal): void {
  const { path, header } = total;
  const name = header ?? path?.join('.') ?? '';
  const found = problem('total', {
    cause: name,
    pointer: path === undefined ? '' : `/${path.join('/')}`,
    message: `${name} is not the number of items.`,
    expected: String(count),
    actual: String(total.value),
  });
  const assertion = {
    expects: 'that',
    exchanges: [all.exchange],
    holds: ([response]: readonly Exchange[]) =>
      response === undefined || readTotal(response)?.value === itemsOf(run, operation, response).length,
    code: ([body = '']: readonly string[]) =>
      `${itemsCode(operation, run, body)}.length === ${body}${pathCode(path ?? [])}`,
  } as const;
  // A header is not part of the body, so it is compared with a literal.
  const byHeader =
    header === undefined
      ? assertion
      : ({
          expects: 'same',
          left: { from: 'header', exchange: all.exchange, name: header },
          right: { from: 'literal', value: String(count) },
        } as const);
  const others = [...someCreations(run, all), ...(total.value > count ? findUncounted(run, all) : [])];
  run.report(found, { call: all.call, phase: 'stateful', assertion: byHeader, others }, all.exchange);
}

function readTotal({ json, headers }: Exchange): Total | undefined {
  const found = findMember(json, TOTAL, (value) => typeof value === 'number');
  if (found !== undefined) return { value: Number(found.value), path: found.path };
  const header = TOTAL_HEADERS.find((name) => /^\d+$/.test(headers.get(name) ?? ''));
  return header === undefined ? undefined : { value: Number(headers.get(header)), header };
}

/** The most items that a reproduction creates. */
const MAX_ITEMS = 3;

function someCreations(run: ContractRun, { call: { operation }, items }: ListResponse): Exchange[] {
  return creationsOf(run, operation, items.slice(-MAX_ITEMS));
}
