import type { Operation } from '../../../model/api.js';
import { listPathOf } from '../../../resources/envelope.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { checkCursorBefore } from './check-cursor-before.js';
import { checkFilters } from './check-filters.js';
import { checkLimit } from './check-limit.js';
import { checkParentView } from './check-parent-view.js';
import { checkSearch } from './check-search.js';
import { checkSort } from './check-sort.js';
import { checkTotals } from './check-totals.js';
import { findBySearch } from './find-by-search.js';
import { readList } from './read-list.js';

/** Checks that a list obeys its parameters: filters, orders, totals, limits. */
export async function checkLists(run: ContractRun, operation: Operation): Promise<void> {
  if (operation.method !== 'get' || listPathOf(operation, run.options.api) === undefined) return;
  const all = await readList(run, operation, new Map());
  const searched = all === undefined || all.items.length > 1 ? undefined : await findBySearch(run, operation);
  if (searched !== undefined) {
    await checkFilters(run, operation, searched);
    await checkLimit(run, operation, searched);
    return;
  }
  if (all === undefined || all.items.length === 0) return;
  checkParentView(run, operation, all);
  await checkFilters(run, operation, all);
  await checkSort(run, operation, all);
  await checkSearch(run, operation, all);
  await checkTotals(run, operation, all);
  await checkCursorBefore(run, operation, all);
  await checkLimit(run, operation, all);
}
