import type { Operation, HttpMethod } from '../../model/api.js';
import { findCreation } from './crud-context.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Resource } from '../../resources/resource.js';
import { checkActions } from './check-actions.js';
import { checkContent } from './check-content.js';
import { checkFlags } from './check-flags.js';
import { checkHeads } from './check-head.js';
import { checkNeighbourViews } from './check-neighbour-views.js';
import { checkPathGuards } from './check-path-guards.js';
import { checkIdempotency } from './check-idempotency.js';
import { checkConditions } from './conditional-requests.js';
import { checkCrudLifecycle, checkSingleton } from './crud-lifecycle.js';
import { checkBulkCreation, checkCreation } from './check-creation.js';
import { checkOwnership } from './check-ownership.js';
import { checkNesting } from './check-nesting.js';
import { checkUnknownReferences } from './check-unknown-references.js';
import { checkUniqueValues } from './check-unique-values.js';
import { listPathOf } from '../../resources/envelope.js';
import { fillList } from './lists/fill-list.js';
import { checkLists } from './lists/check-lists.js';
import { checkPaging } from './pagination/check-pagination.js';
import { checkUpload } from './resumable-upload.js';
import { checkReadConsistency, type ItemSnapshot } from './check-read-consistency.js';

/** The operations of a phase, and the items from before the run. */
export interface PhaseInput {
  readonly operations: readonly Operation[];
  readonly seen: ReadonlyMap<Resource, ItemSnapshot>;
}

/** Runs sequences of calls: the lifecycle of an item in each collection, uploads, pages, conditional requests. */
export async function runStateful(run: ContractRun, { operations, seen }: PhaseInput): Promise<void> {
  // Finds all working calls before any item is followed: trying a deletion could delete it.
  for (const operation of operations)
    await run.aside.attempt(async () => run.items.findValidCall(operation, 'stateful'));
  for (const resource of run.context.pool.resources) {
    if (!isInShard(run, resource)) continue;
    const creation = await findCreation(run, resource);
    if (creation !== undefined) {
      await checkCrudLifecycle(run, resource, creation);
      await checkCreation(run, resource, creation);
      await checkUniqueValues(run, resource, creation);
      await checkActions(run, resource, creation);
      await checkFlags(run, resource, creation);
      await checkNesting(run, resource, creation);
      await checkNeighbourViews(run, resource, creation);
      await checkOwnership(run, resource, creation);
    }
    await checkBulkCreation(run, resource);
    await checkSingleton(run, resource);
    await checkReadConsistency(run, resource, creation ?? seen.get(resource));
  }
  for (const resource of findInnerResources(run)) {
    if (!isInShard(run, resource)) continue;
    await checkSingleton(run, resource);
    const creation = resource.create === undefined ? undefined : await run.items.validCall(resource.create, 'stateful');
    if (creation !== undefined) await checkNesting(run, resource, creation);
  }
  for (const operation of operations) {
    await checkUpload(run, operation);
    await checkIdempotency(run, operation);
  }
  for (const operation of operations) {
    if (operation.method !== 'get') continue;
    const created = listPathOf(operation, run.options.api) === undefined ? [] : await fillList(run, operation);
    await checkLists(run, operation);
    await checkPaging(run, operation, created);
    await checkConditions(run, operation);
    await checkPathGuards(run, operation);
    await checkContent(run, operation);
  }
  await checkHeads(run, operations);
  for (const operation of operations) await checkUnknownReferences(run, operation);
}

/** Whether the shard has an operation on a kind of item. */
function isInShard(
  { options: { shard } }: ContractRun,
  { list, create, read, replace, patch, delete: remove, slots }: Resource,
): boolean {
  const own = [list, create, read, replace, patch, remove].filter((operation) => operation !== undefined);
  return [...own, ...slots.keys()].some((operation) => shard.has(operation));
}

/** For resources that no operation names by an id and that are not in other collections. */
const NAMELESS = { parameter: 'id', creators: [], views: [], slots: new Map(), references: new Map() } as const;

/**
 * Finds resources below an item that have no path for their own id: a single thing that is read and written, such as
 * `/articles/{id}/tags`, or a list that grows, such as `/products/{id}/movements`.
 */
function findInnerResources({ operations, context: { pool, api } }: ContractRun): Resource[] {
  const known = new Set(pool.resources.flatMap(({ list, read }) => [list, read]));
  return operations.flatMap((operation): Resource[] => {
    const { method, path } = operation;
    if (method !== 'get' || !path.includes('{') || path.endsWith('}') || known.has(operation)) return [];
    const at = (wanted: HttpMethod): Operation | undefined =>
      operations.find((one) => one.path === path && one.method === wanted);
    const [replace, patch, create, removal] = [at('put'), at('patch'), at('post'), at('delete')];
    if (replace !== undefined || patch !== undefined) {
      const writes = { ...(replace === undefined ? {} : { replace }), ...(patch === undefined ? {} : { patch }) };
      const own = removal === undefined ? {} : { delete: removal };
      return [{ ...NAMELESS, kind: 'singleton', name: path, read: operation, ...writes, ...own }];
    }
    if (create === undefined || listPathOf(operation, api) === undefined) return [];
    return [{ ...NAMELESS, kind: 'collection', name: path, list: operation, create }];
  });
}
