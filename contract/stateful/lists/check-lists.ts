import type { Operation } from '../../../model/api.js';
import { listPathOf } from '../../../resources/envelope.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { checkCursorBefore } from './check-cursor-before.js';
import { checkFilters } from './check-filters.js';
import { checkParentView } from './check-parent-view.js';
import { checkSearch } from './check-search.js';
import { checkSort } from './check-sort.js';
import { checkTotals } from './check-totals.js';
import { readList } from './read-list.js';

/** A list follows its parameters: filters, orders, totals. */
export async function checkLists(run: ContractRun, operation: Operation): Promise<void> {
  if (operation.method !== 'get' || listPathOf(operation, run.options.api) === undefined) return;
  const all = await readList(run, operation, new Map());
  if (all === undefined || all.items.length === 0) return;
  checkParentView(run, operation, all);
  await checkFilters(run, operation, all);
  await checkSort(run, operation, all);
  await checkSearch(run, operation, all);
  await checkTotals(run, operation, all);
  await checkCursorBefore(run, operation, all);
}
