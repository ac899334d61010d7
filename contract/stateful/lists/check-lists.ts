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

const CHECKS = [
  checkParentView,
  checkFilters,
  checkSort,
  checkSearch,
  checkTotals,
  checkCursorBefore,
  checkLimit,
] as const;
/** Without a search text the list is not available. */
const SEARCH_CHECKS = [checkFilters, checkLimit] as const;

/** Checks that a list obeys its parameters: filters, orders, totals, limits. */
export async function checkLists(run: ContractRun, operation: Operation): Promise<void> {
  if (operation.method !== 'get' || listPathOf(operation, run.options.api) === undefined) return;
  const all = await readList(run, operation, new Map());
  const searched = all === undefined || all.items.length > 1 ? undefined : await findBySearch(run, operation);
  if (searched !== undefined) for (const check of SEARCH_CHECKS) await check(searched);
  else if (all !== undefined && all.items.length > 0) for (const check of CHECKS) await check(all);
}
