import type { Operation } from '../../model/api.js';
import { listPathOf, listedItems } from '../../resources/envelope.js';
import { addOptionalValues } from './add-optional-values.js';
import type { ContractRun } from './contract-run.js';
import { withPathOf } from './ids/id-slot.js';
import { withOwnFilters } from './own-filters.js';
import type { Call, Exchange } from '../types.js';

/** A call of a list that the server accepted, and the number of items that it returned. */
interface ReadList {
  readonly call: Call;
  readonly items: number;
}

/** A call that the server accepted, and its response. */
export interface Accepted {
  readonly call: Call;
  readonly exchange: Exchange;
}

interface Tools {
  readonly run: Pick<ContractRun, 'context' | 'operations'>;
  /** Sends a call with ids of existing items. */
  readonly read: (call: Call) => Promise<Accepted | undefined>;
  /** Creates an item by an operation. */
  readonly create: (operation: Operation) => Promise<Accepted | undefined>;
}

/** Whether an operation reads a list. */
export function isList(operation: Operation, run: Pick<ContractRun, 'context'>): boolean {
  return operation.method === 'get' && listPathOf(operation, run.context.api) !== undefined;
}

/**
 * Finds the call of a list that returns most items: an empty list shows as little as a refusal, and often one filter
 * with a made-up value empties it. Other parameters are added if they take no items away. A list that stays empty is
 * read again after an item was created below its parent.
 *
 * @param candidates - the fullest call first.
 */
export async function findFullestList(candidates: readonly Call[], tools: Tools): Promise<ReadList | undefined> {
  const [full] = candidates;
  if (full === undefined) return undefined;
  let best = await readAll(candidates, tools);
  if (best?.items === 0) best = await readBelowNewItem(candidates, best, tools);
  if (best === undefined || best.items === 0) return best;
  const { items } = best;
  const widest = await addOptionalValues(best.call, withPathOf(full, best.call), async (call) => {
    const found = await readOne(call, tools);
    return found === undefined || found.items < items ? undefined : found.call;
  });
  return { call: widest, items };
}

/** Reads the list by each of the calls that differ. The first of those with most items wins. */
async function readAll(candidates: readonly Call[], tools: Tools): Promise<ReadList | undefined> {
  let best: ReadList | undefined;
  const sizes = new Set<number>();
  for (const call of candidates) {
    // The variants of a call without optional parameters are the same.
    if (sizes.has(call.parameters.size)) continue;
    sizes.add(call.parameters.size);
    const found = await readOne(call, tools);
    if (found !== undefined && found.items > (best?.items ?? -1)) best = found;
  }
  return best;
}

async function readOne(call: Call, { run, read }: Tools): Promise<ReadList | undefined> {
  const found = await read(call);
  if (found === undefined) return undefined;
  return { call: found.call, items: listedItems(call.operation, found.exchange.json, run.context.api)?.length ?? 0 };
}

async function readBelowNewItem(candidates: readonly Call[], empty: ReadList, tools: Tools): Promise<ReadList> {
  const creation = creationOf(empty.call.operation, tools);
  const made = creation === undefined ? undefined : await tools.create(creation);
  if (made === undefined) return empty;
  const below = candidates.map((call) => withPathOf(call, made.call));
  const found = (await readAll(below, tools)) ?? empty;
  const last = below.at(-1);
  // The default of a filter may hide the new item.
  const filtered =
    found.items > 0 || last === undefined || creation === undefined
      ? undefined
      : withOwnFilters(last, { operation: creation, json: made.exchange.json }, tools.run.context.api);
  const shown = filtered === undefined ? undefined : await readOne(filtered, tools);
  return shown !== undefined && shown.items > 0 ? shown : found;
}

/** The operation that creates the items of a list. */
function creationOf({ path }: Operation, { run }: Tools): Operation | undefined {
  const { operations, context } = run;
  return operations.find((one) => one.method === 'post' && one.path === path && context.pool.roles.isCreation(one));
}
