import { resolvePointer, toPointer } from '../../../model/document/pointer.js';
import { problem } from '../../checks/problem.js';
import type { Exchange } from '../../types.js';
import { findMember, memberLink, nextLink, saysMore } from '../pagination/links.js';
import { findPaging } from '../pagination/walk.js';
import type { FilterCheck } from './filter-meaning.js';
import { findUncounted } from './find-uncounted.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, pathCode } from './read-list.js';

/** Matches totals over all pages and counts of one page: if there is a single page, both are the same. */
const COUNT =
  /^(?:total|count|odatacount|totalcount|totalitems|totalresults|totalelements|totalrecords|totalsize|recordcount)$/;
/** Matches counts of filtered items: next to one, the total may count the items before filtering. */
const FILTERED = /filtered|match|found|hits/;
/** The most items that a reproduction creates. */
const MAX_ITEMS = 3;

/** Checks that the total of a filtered list counts the items that fit the filter. */
export function checkFilteredTotal({ run, operation, all, parameter }: FilterCheck, filtered: ListResponse): void {
  const { exchange, items } = filtered;
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  const total = findMember(exchange.json, COUNT, isNumber);
  if (total === undefined || total.value === items.length || !isOnlyPage({ run, operation }, filtered)) return;
  if (findMember(exchange.json, FILTERED, isNumber) !== undefined) return;
  const name = total.path.join('.');
  const found = problem('total', {
    cause: name,
    pointer: toPointer(total.path),
    message: `With a value of ${parameter.name} ${name} is not the number of items.`,
    expected: String(items.length),
    actual: String(total.value),
  });
  const assertion = {
    expects: 'that',
    exchanges: [exchange],
    holds: ([one]: readonly Exchange[]) =>
      one === undefined || resolvePointer(one.json, toPointer(total.path)) === itemsOf(run, operation, one).length,
    code: ([body = '']: readonly string[]) =>
      `${itemsCode(operation, run, body)}.length === ${body}${pathCode(total.path)}`,
  } as const;
  const ids = new Set(items.map((item) => JSON.stringify(item)));
  const unlisted = all.items.filter((item) => !ids.has(JSON.stringify(item)));
  const shown = [...items.slice(-1), ...unlisted.slice(-MAX_ITEMS)];
  const others = [...creationsOf(run, operation, shown), ...findUncounted(run, filtered)];
  run.report(found, { call: filtered.call, phase: 'stateful', assertion, others }, exchange);
}

/** Whether a list shows all of its items: the page is not full, and nothing leads to another. */
function isOnlyPage(
  { run, operation }: Pick<FilterCheck, 'run' | 'operation'>,
  { call, items, exchange }: ListResponse,
): boolean {
  const paging = findPaging(operation, run.options.api);
  const size = paging?.size;
  const usual = typeof size?.schema === 'object' ? size.schema.default : undefined;
  const most = size === undefined ? undefined : (call.parameters.get(size) ?? usual);
  const leadsOn = nextLink(exchange) !== undefined || memberLink(exchange) !== undefined || saysMore(exchange);
  if (leadsOn) return false;
  return typeof most === 'number' ? items.length < most : paging === undefined;
}
