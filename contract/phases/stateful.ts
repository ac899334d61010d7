import type { Resource } from '../resources/resource.js';
import { checkConditions } from '../sequences/conditions.js';
import { checkLife } from '../sequences/item-life.js';
import { checkPaging } from '../sequences/paging.js';
import type { ContractRun } from '../contract-run.js';

/** Runs sequences of calls: the life of an item in each collection, pages, conditional requests. */
export async function runStateful(run: ContractRun): Promise<void> {
  const resources: readonly Resource[] = run.context.pool.resources;
  for (const resource of resources) await checkLife(run, resource);
  for (const operation of run.operations) {
    if (operation.method !== 'get') continue;
    await checkPaging(run, operation);
    await checkConditions(run, operation);
  }
}
