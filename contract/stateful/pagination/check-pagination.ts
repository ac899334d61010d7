import type { Api, Operation, Parameter } from '../../../model/api.js';
import { findParameter } from '../../../model/find-parameter.js';
import { listItemOf } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { keywordOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { type Comparison, comparePages } from './compare-pages.js';
import { checkFullPage } from './check-full-page.js';
import { widestList } from './page-requests.js';
import { findPaging, walkPages } from './walk.js';

const PAGE_SIZE = 2;

/**
 * Checks that page sizes are obeyed, no item comes twice, and none is missing.
 *
 * @param others - the calls that created some of the items.
 */
export async function checkPaging(run: ContractRun, operation: Operation, others: readonly Exchange[]): Promise<void> {
  const paging = findPaging(operation, run.options.api);
  if (paging?.size === undefined || !allowsSize(paging.size.schema)) return;
  const call = await widestList(run, operation);
  if (call === undefined) return;
  // Reads a single page, so that faults between pages do not show here as well.
  const largest = largestSize(paging.size.schema);
  const whole = await walkPages(run, call, { paging: { ...paging, isSingle: true }, pageSize: largest });
  if (whole === undefined) return;
  const { parameter = 'id' } = run.context.pool.resources.find(({ list }) => list === operation) ?? {};
  const comparison = { call, paging, sizeParameter: paging.size, whole, largest, parameter, others };
  const isRight = await comparePages(run, PAGE_SIZE, comparison);
  // A size for which the last page has one item.
  const oneLess = whole.items.length - 1;
  if (isRight && oneLess > PAGE_SIZE && oneLess <= largest) await comparePages(run, oneLess, comparison);
  if (!isRight) return;
  await checkFullPage(run, comparison);
  for (const query of ordersOf(operation, run.options.api)) await checkOrderedPages(run, query, comparison);
}

/** Checks that pages add up in an order as well. */
async function checkOrderedPages(
  run: ContractRun,
  query: readonly (readonly [Parameter, unknown])[],
  comparison: Comparison,
): Promise<void> {
  const { call, paging, largest } = comparison;
  const ordered = { ...call, parameters: new Map([...call.parameters, ...query]) };
  const whole = await walkPages(run, ordered, { paging: { ...paging, isSingle: true }, pageSize: largest });
  if (whole === undefined || whole.items.length !== comparison.whole.items.length) return;
  // Few pages suffice: what is wrong at the start of a page is wrong at each.
  const size = Math.min(largest, Math.max(PAGE_SIZE, Math.ceil(whole.items.length / 4)));
  await comparePages(run, size, { ...comparison, call: ordered, whole });
}

/** The most orders of a list that are paged through. */
const MAX_ORDERS = 3;

/** The orders that a list offers, other than the default one; the descending ones first. */
function ordersOf(operation: Operation, api: Api): (readonly (readonly [Parameter, unknown])[])[] {
  const known = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const [sort, direction] = [known.sort, known.direction].map((one) => findParameter(operation, 'query', one?.name));
  const choices = (parameter: Parameter | undefined): unknown[] => {
    const { schema } = parameter ?? {};
    const values = parameter === undefined ? undefined : keywordOf(parameter.schema, 'enum', api);
    return values?.filter((value) => typeof schema !== 'object' || value !== schema.default) ?? [];
  };
  const isDown = (value: unknown): boolean => /^-|desc/i.test(String(value));
  const sorts = choices(sort).toSorted((one, other) => Number(isDown(other)) - Number(isDown(one)));
  const spread = [sorts[0], sorts.at(-1), ...sorts.slice(1, -1)].filter((one) => one !== undefined);
  const queries = [
    ...[...new Set(spread)].flatMap((value) => (sort === undefined ? [] : [[[sort, value] as const]])),
    ...choices(direction).flatMap((value) => (direction === undefined ? [] : [[[direction, value] as const]])),
  ];
  return queries.slice(0, MAX_ORDERS);
}

function largestSize(schema: Operation['parameters'][number]['schema']): number {
  return Math.min(typeof schema === 'object' ? (schema.maximum ?? 100) : 100, 1_000);
}

function allowsSize(schema: Operation['parameters'][number]['schema']): boolean {
  return (
    typeof schema !== 'object' || ((schema.minimum ?? 0) <= PAGE_SIZE && (schema.maximum ?? Infinity) >= PAGE_SIZE)
  );
}
