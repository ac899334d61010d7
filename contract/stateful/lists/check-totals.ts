import type { Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { foldName } from '../../../resources/inflection.js';
import { itemsIn, listPathOf } from '../../../resources/envelope.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { findPaging, walkPages } from '../pagination/walk.js';
import { type ListResponse, creationsOf, itemsCode, pathCode, readList } from './read-list.js';

const TOTAL = /^(?:total|totalcount|totalitems|totalresults|totalelements|totalrecords|totalsize|recordcount)$/;
const TOTAL_HEADERS = ['x-total-count', 'x-total', 'total-count'];
const MORE = /^has(?:more|next|nextpage)$/;

/** A total is the number of items over all pages, and the last page does not say that there are more. */
export async function checkTotals(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const total = readTotal(all.exchange);
  const more = readMore(all.exchange);
  if (total === undefined && more === undefined) return;
  const walk = await walkPages(run, all.call, { paging: findPaging(operation, run.options.api), pageSize: undefined });
  const count = walk?.isWhole === true ? walk.items.length : undefined;
  if (count === undefined) return;
  // On one page only a test can say it again.
  const isOnePage = count === all.items.length;
  if (total !== undefined && isOnePage && total.value !== count) reportTotal(run, operation, { all, total, count });
  else if (total !== undefined) await checkSmallPage(run, operation, all);
  await checkNextOfLast(run, operation, all);
  if (isOnePage && more?.value === true) {
    const claim = {
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
    run.report(found, { call: all.call, phase: 'stateful', claim, others: someCreations(run, all) }, all.exchange);
  }
}

/** A total counts all items, however few of them are on the page. */
async function checkSmallPage(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const count = all.items.length;
  const size = findPaging(operation, run.options.api)?.size;
  const small = size === undefined || count < 2 ? undefined : await readList(run, operation, new Map([[size, 1]]));
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
  const claim =
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
  run.report(found, { call: small.call, phase: 'stateful', claim, others }, small.exchange);
}

/** The address of a next page in the body leads to other items, or is absent. */
async function checkNextOfLast(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const { json, request } = all.exchange;
  const links = isRecord(json) && isRecord(json['links']) ? json['links'] : json;
  const next = isRecord(links) ? links['next'] : undefined;
  if (typeof next !== 'string' || !/^(?:https?:\/\/|\/|\?)/.test(next) || !URL.canParse(next, request.url)) return;
  const target = new URL(next, request.url);
  if (target.origin !== run.options.url.origin) return;
  const call = { operation, parameters: new Map(), address: target.href };
  const followed = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const items = itemsIn(followed?.json, listPathOf(operation, run.options.api)) ?? [];
  const first = JSON.stringify(items[0]);
  if (followed === undefined || items.length === 0 || all.items.every((item) => JSON.stringify(item) !== first)) return;
  const found = problem('paging adds up', {
    cause: 'next',
    pointer: links === json ? '/next' : '/links/next',
    message: 'The last page has the address of a next page, which shows the same items again.',
    expected: 'no next page',
    actual: next,
  });
  const claim = {
    expects: 'other',
    left: { from: 'text', exchange: followed },
    right: { from: 'text', exchange: all.exchange },
  } as const;
  run.report(
    found,
    { call: all.call, phase: 'stateful', claim, others: [all.exchange, ...someCreations(run, all)] },
    followed,
  );
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
  const countItems = (response: Exchange): number =>
    itemsIn(response.json, listPathOf(operation, run.options.api))?.length ?? 0;
  const claim = {
    expects: 'that',
    exchanges: [all.exchange],
    holds: ([response]: readonly Exchange[]) =>
      response === undefined || readTotal(response)?.value === countItems(response),
    code: ([body = '']: readonly string[]) =>
      `${itemsCode(operation, run, body)}.length === ${body}${pathCode(path ?? [])}`,
  } as const;
  // A header is not part of the body, so the header itself is compared.
  const byHeader =
    header === undefined
      ? claim
      : ({
          expects: 'same',
          left: { from: 'header', exchange: all.exchange, name: header },
          right: { from: 'literal', value: String(count) },
        } as const);
  run.report(
    found,
    { call: all.call, phase: 'stateful', claim: byHeader, others: someCreations(run, all) },
    all.exchange,
  );
}

function readTotal({ json, headers }: Exchange): Total | undefined {
  const found = findMember(json, TOTAL, (value) => typeof value === 'number');
  if (found !== undefined) return { value: Number(found.value), path: found.path };
  const header = TOTAL_HEADERS.find((name) => /^\d+$/.test(headers.get(name) ?? ''));
  return header === undefined ? undefined : { value: Number(headers.get(header)), header };
}

function readMore({ json }: Exchange): FoundMember | undefined {
  return findMember(json, MORE, (value) => typeof value === 'boolean');
}

interface FoundMember {
  readonly value: unknown;
  readonly path: readonly string[];
}

/** A member of the body, or of an object in it such as `meta`. */
function findMember(json: unknown, name: RegExp, isFitting: (value: unknown) => boolean): FoundMember | undefined {
  if (!isRecord(json)) return undefined;
  const groups = [
    [],
    ...Object.keys(json)
      .filter((key) => isRecord(json[key]))
      .map((key) => [key]),
  ];
  for (const group of groups) {
    const inside = group[0] === undefined ? json : json[group[0]];
    if (!isRecord(inside)) continue;
    const key = Object.keys(inside).find((one) => name.test(foldName(one)) && isFitting(inside[one]));
    if (key !== undefined) return { value: inside[key], path: [...group, key] };
  }
  return undefined;
}

/** Items that a reproduction creates. */
const MAX_ITEMS = 3;

function someCreations(run: ContractRun, { items }: ListResponse): Exchange[] {
  return creationsOf(run, items.slice(-MAX_ITEMS));
}
