import type { Operation } from '../../../model/api.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { comparePages } from './compare-pages.js';
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
}

function largestSize(schema: Operation['parameters'][number]['schema']): number {
  return Math.min(typeof schema === 'object' ? (schema.maximum ?? 100) : 100, 1_000);
}

function allowsSize(schema: Operation['parameters'][number]['schema']): boolean {
  return (
    typeof schema !== 'object' || ((schema.minimum ?? 0) <= PAGE_SIZE && (schema.maximum ?? Infinity) >= PAGE_SIZE)
  );
}
