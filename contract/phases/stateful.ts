import type { Resource } from '../../resources/resource.js';
import type { Operation } from '../../model/api.js';
import { checkConditions } from '../sequences/conditions.js';
import { checkLife, checkSingleton } from '../sequences/item-life.js';
import { findCreation } from '../sequences/life.js';
import { checkPaging } from '../sequences/paging.js';
import { checkUpload } from '../sequences/resumable-upload.js';
import { type FirstSight, checkSights } from '../sequences/sights.js';
import type { ContractRun } from '../contract-run.js';

/** What a phase goes through. */
export interface Turn {
  readonly operations: readonly Operation[];
  readonly seen: ReadonlyMap<Resource, FirstSight>;
}

/** Runs sequences of calls: the life of an item in each collection, uploads, pages, conditional requests. */
export async function runStateful(run: ContractRun, { operations, seen }: Turn): Promise<void> {
  // Which calls work is found out before any item is followed: trying a deletion could take a followed one away.
  for (const operation of operations) await run.findBase(operation, 'stateful');
  for (const resource of run.context.pool.resources) {
    const creation = await findCreation(run, resource);
    if (creation !== undefined) await checkLife(run, resource, creation);
    await checkSingleton(run, resource);
    await checkSights(run, resource, creation ?? seen.get(resource));
  }
  for (const operation of operations) await checkUpload(run, operation);
  for (const operation of operations) {
    if (operation.method !== 'get') continue;
    await checkPaging(run, operation);
    await checkConditions(run, operation);
  }
}
