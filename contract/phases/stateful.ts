import type { Resource } from '../resources/resource.js';
import { checkConditions } from '../sequences/conditions.js';
import { checkLife } from '../sequences/item-life.js';
import { checkPaging } from '../sequences/paging.js';
import type { ContractRun } from '../contract-run.js';

/** Runs sequences of calls: the life of an item in each collection, pages, conditional requests. */
export async function runStateful(run: ContractRun): Promise<void> {
  // Which calls work is found out before any item is followed: trying a deletion could take a followed one away.
  for (const operation of run.operations) await run.findBase(operation, 'stateful');
  const resources: readonly Resource[] = run.context.pool.resources;
  for (const resource of resources) await checkLife(run, resource);
  for (const operation of run.operations) {
    if (operation.method !== 'get') continue;
    await checkPaging(run, operation);
    await checkConditions(run, operation);
  }
}
