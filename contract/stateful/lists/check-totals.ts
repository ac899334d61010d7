import { TOTAL_HEADERS } from '../../../resources/page-members.js';
import { toPointer } from '../../../model/document/pointer.js';
import { listedItems } from '../../../resources/envelope.js';
import { type Value, bodyAt, countOf, headerOf, literalOf, same } from '../../expectations/assertion.js';
import type { Exchange } from '../../types.js';
import { type FoundMember, findMember, memberLink, readMore } from '../pagination/links.js';
import { findPaging, walkPages } from '../pagination/walk.js';
import { findUncounted } from './find-uncounted.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** Checks that a total is the number of items over all pages, and that the last page does not announce more. */
export async function checkTotals(all: ListResponse): Promise<void> {
  const { run, call, exchange, items } = all;
  const walk = await walkPages(run, call, { paging: findPaging(call.operation, run.options.api), pageSize: undefined });
  if (walk?.isWhole !== true) return;
  // A reproduction can only compare a total with the items of a single page.
  const isOnePage = walk.items.length === items.length;
  if (!isOnePage || expectTotal(all)) await checkSmallPage(all);
  await checkNextOfLast(all);
  if (!isOnePage) return;
  await checkPageCount(all);
  const more = readMore(exchange);
  if (more === undefined) return;
  const name = more.path.join('.');
  run.findings.expect(
    'paging adds up',
    { expects: 'empty', value: bodyAt(exchange, toPointer(more.path)) },
    {
      cause: 'more',
      message: `${name} is true on the last page.`,
      expected: 'false',
      findOthers: () => someCreations(all),
    },
  );
}

/** Expects that a total of a single page is the number of its items. */
function expectTotal(all: ListResponse): boolean {
  const { run, exchange, items, place } = all;
  const total = readTotal(exchange);
  if (total === undefined) return true;
  // A header is a text, so it is compared with a literal.
  const wanted = total.of.from === 'header' ? literalOf(String(items.length)) : countOf(place);
  return run.findings.expect('total', same(total.of, wanted), {
    cause: total.name,
    message: `${total.name} is not the number of items.`,
    expected: String(items.length),
    at: exchange,
    findOthers: () => [...someCreations(all), ...(total.value > items.length ? findUncounted(all) : [])],
  });
}

/** Checks the number of pages. Sizes that divide the items evenly reveal one page too many, others one too few. */
async function checkPageCount(all: ListResponse): Promise<void> {
  const { run, call, items } = all;
  const paging = findPaging(call.operation, run.options.api);
  const { size } = paging ?? {};
  if (size === undefined || paging?.style !== 'page' || items.length < 2) return;
  if (readPageCount(all.exchange) === undefined) return;
  const uneven = [2, 3, 4].find((one) => one < items.length && items.length % one !== 0);
  // Some servers count the last page from 0, like the pages themselves.
  const isFromZero = typeof paging.step.schema === 'object' && paging.step.schema.minimum === 0;
  const asked = call.parameters.get(size);
  // A single page that is not full gives 1 on any server, however many items it has.
  const sizes = [...(typeof asked === 'number' ? [asked] : []), 1, ...(uneven === undefined ? [] : [uneven])];
  for (const pageSize of sizes) {
    const small = pageSize === asked ? all : await readWith(all, [size, pageSize]);
    const shown = small === undefined ? undefined : readPageCount(small.exchange);
    if (small === undefined || shown === undefined) continue;
    const wanted = Math.ceil(items.length / pageSize);
    if (isFromZero && /last/i.test(shown.path.at(-1) ?? '') && shown.value === wanted - 1) continue;
    const name = shown.path.join('.');
    const right = { from: 'count', list: all.place, pageSize } as const;
    const isRight = run.findings.expect('total', same(bodyAt(small.exchange, toPointer(shown.path)), right), {
      cause: name,
      message: `${name} is not the number of pages that ${items.length} items need.`,
      at: small.exchange,
      findOthers: () => [...(small === all ? [] : [all.exchange]), ...someCreations(all)],
    });
    if (!isRight) return;
  }
}

function readPageCount({ json }: Exchange): FoundMember | undefined {
  return findMember(json, ({ role }) => role === 'page count');
}

/** Checks that a total counts all items, even on a small page. */
async function checkSmallPage(all: ListResponse): Promise<void> {
  const { run, call, exchange, items } = all;
  const size = findPaging(call.operation, run.options.api)?.size;
  const whole = readTotal(exchange);
  if (whole === undefined || size === undefined || items.length < 2) return;
  const small = await readWith(all, [size, 1]);
  const total = small === undefined ? undefined : readTotal(small.exchange);
  if (small === undefined || total === undefined) return;
  run.findings.expect('total', same(total.of, whole.of), {
    cause: `small ${total.name}`,
    message: `${total.name} is another number on a small page.`,
    at: small.exchange,
    findOthers: () => someCreations(all),
  });
}

/** Checks that a URL of a next page in the body leads to other items. */
async function checkNextOfLast(all: ListResponse): Promise<void> {
  const { run, call, exchange, place } = all;
  const next = memberLink(exchange);
  if (next === undefined || next.url.origin !== run.options.url.origin) return;
  const followed = await run.client.sendValid({
    operation: call.operation,
    parameters: new Map(),
    address: next.url.href,
  });
  const items = listedItems(call.operation, followed?.json, run.options.api);
  if (followed === undefined || items === undefined) return;
  const [first] = items.map((item) => stringifyExactJson(item));
  const isAgain = first !== undefined && all.items.some((item) => stringifyExactJson(item) === first);
  if (!isAgain && (items.length > 0 || !isShort(all))) return;
  const isCompared = isAgain && !isShort(all);
  run.findings.expect(
    'paging adds up',
    isCompared
      ? { expects: 'each once', list: { ...place, pages: [exchange, followed] } }
      : { expects: 'empty', value: bodyAt(exchange, next.pointer) },
    {
      cause: 'next',
      pointer: next.pointer,
      message: `The last page has a link to a next page, which ${isAgain ? 'shows the same items again' : 'is empty'}.`,
      expected: 'no next page',
      actual: next.url.href,
      findOthers: () => someCreations(all),
    },
  );
}

/**
 * Whether a page has fewer items than requested. Only after a full page may a server not know whether there are more.
 */
function isShort({ run, call, items }: ListResponse): boolean {
  const size = findPaging(call.operation, run.options.api)?.size;
  const asked = size === undefined ? undefined : call.parameters.get(size);
  return typeof asked === 'number' && items.length < asked;
}

interface Total {
  readonly name: string;
  readonly value: number;
  /** Where the response shows it. */
  readonly of: Value;
}

function readTotal(exchange: Exchange): Total | undefined {
  const { json, headers } = exchange;
  const found = findMember(json, ({ role }) => role === 'total');
  if (found !== undefined)
    return { name: found.path.join('.'), value: Number(found.value), of: bodyAt(exchange, toPointer(found.path)) };
  const name = TOTAL_HEADERS.find((one) => /^\d+$/.test(headers.get(one) ?? ''));
  return name === undefined ? undefined : { name, value: Number(headers.get(name)), of: headerOf(exchange, name) };
}

/** The most items that a reproduction creates. */
const MAX_ITEMS = 3;

function someCreations(all: ListResponse): Exchange[] {
  return creationsOf(all, all.items.slice(-MAX_ITEMS));
}
