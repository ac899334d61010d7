import type { Operation } from '../../model/api.js';
import { listPathOf, listedItems } from '../../resources/envelope.js';
import type { Resource } from '../../resources/resource.js';
import { countOf, same } from '../expectations/assertion.js';
import { findListPlace } from '../expectations/lists.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, callOn, createItem, isDone } from './crud-context.js';

/** The most writes below an item that are sent. */
const MAX_WRITES = 6;

/**
 * Checks that lists below one item (`/files/{id}/versions`) do not grow with what happens below another one. Lists whose
 * entries are created at their own path have a check that looks for the entry.
 */
export async function checkNeighbourViews(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const below = operationsBelow(run, resource);
  const created = new Set(
    run.context.pool.resources.flatMap(({ list, create }) => (create === undefined ? [] : [list])),
  );
  const views = below.filter(
    (one) => one.method === 'get' && !created.has(one) && listPathOf(one, run.options.api) !== undefined,
  );
  const writes = below.filter(({ method }) => ['post', 'put'].includes(method)).slice(0, MAX_WRITES);
  if (views.length === 0 || writes.length === 0) return;
  const neighbour = await createItem(run, resource, creation);
  const busy = neighbour === undefined ? undefined : await createItem(run, resource, creation);
  if (neighbour === undefined || busy === undefined || neighbour.id === busy.id) return;
  const before = await readAll(neighbour, views);
  const done: Exchange[] = [];
  for (const write of writes) {
    const call = await callOn(busy, write);
    const exchange = call === undefined ? undefined : await run.client.sendValid(call);
    if (isDone(exchange)) done.push(exchange);
  }
  if (done.length === 0) return;
  for (const [view, after] of await readAll(neighbour, views)) expectSame(neighbour, { view, before, after, done });
}

/** The operations below an item with its id as their last parameter, such as `/files/{id}/versions`. */
function operationsBelow({ operations }: ContractRun, { read, slots }: Resource): Operation[] {
  if (read?.path.endsWith('}') !== true) return [];
  return operations.filter((one) => {
    const rest = one.path.startsWith(`${read.path}/`) ? one.path.slice(read.path.length) : '{';
    return slots.has(one) && !rest.includes('{');
  });
}

async function readAll(item: CrudContext, views: readonly Operation[]): Promise<ReadonlyMap<Operation, Exchange>> {
  const found = new Map<Operation, Exchange>();
  for (const view of views) {
    const call = await callOn(item, view);
    const exchange = call === undefined ? undefined : await item.run.client.sendValid(call);
    if (exchange?.status === 200) found.set(view, exchange);
  }
  return found;
}

interface Views {
  readonly view: Operation;
  readonly before: ReadonlyMap<Operation, Exchange>;
  readonly after: Exchange;
  readonly done: readonly Exchange[];
}

function expectSame({ run, resource }: CrudContext, { view, before, after, done }: Views): void {
  const { api } = run.options;
  const first = before.get(view);
  const [was, now] = [first, after].map((one) => listedItems(view, one?.json, api)?.length);
  if (first === undefined || was === undefined || now === undefined || now <= was) return;
  const placeOf = (exchange: Exchange): ReturnType<typeof findListPlace> =>
    findListPlace([exchange], resource.parameter, listPathOf(view, api));
  run.findings.expect('belongs to parent', same(countOf(placeOf(after)), countOf(placeOf(first))), {
    cause: 'grows',
    message: 'The list below an item grows with what happens below another item.',
    expected: `${was} entries`,
    actual: `${now} entries`,
    at: after,
    others: done,
  });
}
