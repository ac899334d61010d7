import { isSuccess } from '../../http/messages.js';
import { scalarText } from '../../http/request/write-request.js';
import type { LeftItem } from '../../reports/contract/contract-report.js';
import { lastPartOf } from '../../resources/extract-id.js';
import { makeCall } from '../plan/build-request-values.js';
import type { Call } from '../types.js';
import type { ContractRun } from './contract-run.js';
import type { TestRun } from './test-run.js';
import { RunStopped } from './http/request-sender.js';
import { withId } from './ids/id-slot.js';
import type { MadeItem, UnnamedItem } from './ids/made-items.js';

/** What became of the items that a run has made. */
export interface CleanedUp {
  readonly deleted: number;
  readonly notDeleted: readonly LeftItem[];
}

/** Why no request was sent, by the reason why the run stopped. */
const STOPPED: Readonly<Record<RunStopped['reason'], string>> = {
  'max-time': 'the time to delete items was up',
  'rate-limit': 'the rate limit lasts longer than the time to delete items',
  'server-gone': 'the server stopped responding',
  interrupted: 'the run was interrupted',
};

/**
 * Deletes what the run has made, the newest first: an item is newer than those that it is in, or that it names. What is
 * refused, because something else still needs it, is tried again as long as others can be deleted.
 */
export async function cleanUp(run: TestRun): Promise<CleanedUp> {
  const { made } = run.context.pool.items;
  const early = await reasonToStop(async () => run.unnamed.find());
  const left = new Map<MadeItem, string>(made.left.toReversed().map((item) => [item, '']));
  let deleted = 0;
  const deleteAll = async (): Promise<void> => {
    for (let before = Infinity; left.size > 0 && left.size < before;) {
      before = left.size;
      for (const item of [...left.keys()]) {
        const outcome = await deleteItem(run, item);
        if (outcome === 'deleted') deleted += 1;
        if (outcome === 'deleted' || outcome === 'gone') left.delete(item);
        else left.set(item, outcome.reason);
      }
    }
  };
  const stopped = early ?? (await reasonToStop(deleteAll));
  const known = [...left].map(([item, reason]) => describe(run, item, reason === '' ? (stopped ?? '') : reason));
  return { deleted, notDeleted: [...known, ...describeUnnamed(made.unnamed)] };
}

/** Does some work. Returns why it stopped early; `undefined` if it did not. */
async function reasonToStop(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    return STOPPED[error.reason];
  }
}

/** One line for each operation whose responses showed no id. */
function describeUnnamed(unnamed: readonly UnnamedItem[]): LeftItem[] {
  const creations = new Map(unnamed.map(({ call: { operation } }) => [operation.id, operation]));
  return [...creations.values()].map(({ id, path }) => ({
    operationId: id,
    item: path,
    reason: 'the response to its creation shows no id, and no list shows which item it is',
  }));
}

/** Deletes an item; `gone` if it was not there any more. */
async function deleteItem(run: ContractRun, item: MadeItem): Promise<'deleted' | 'gone' | { readonly reason: string }> {
  const call = removalOf(run, item);
  if (typeof call === 'string') return { reason: call };
  const { id } = call.operation;
  const tried = { phase: 'stateful', call, expectation: { kind: 'valid' } } as const;
  run.client.takeReset();
  let outcome = await run.client.probe(tried);
  const reset = outcome === undefined ? run.client.takeReset() : undefined;
  if (reset !== undefined) {
    await run.client.waitUntil(reset);
    outcome = await run.client.probe(tried);
  }
  if (outcome === undefined) return { reason: `${id} could not be sent` };
  const { exchange } = outcome;
  if (isSuccess(exchange)) return 'deleted';
  if (exchange.status === 404 || exchange.status === 410) {
    const { renamed } = item;
    return renamed === undefined
      ? 'gone'
      : { reason: `${renamed.by.id} may have changed its id to ${scalarText(renamed.id)}` };
  }
  return { reason: exchange.status === 0 ? `${id} got no response` : `${id} responded with ${exchange.status}` };
}

/** The call that deletes an item, or why there is none. */
function removalOf(run: ContractRun, { resource, id, parents, isOther }: MadeItem): Call | string {
  const { delete: removal, slots } = resource;
  const slot = removal === undefined ? undefined : slots.get(removal);
  if (removal === undefined || slot === undefined) return 'no operation that the run may call deletes it';
  if (run.context.pool.isGivenByUser(removal, slot, id)) return 'it is a known value of the configuration';
  const made = makeCall(removal, { variant: 'minimal', seed: 1 }, run.context);
  if (made === undefined) return `no valid request of ${removal.id} could be made up`;
  const placed = [...made.parameters].map(
    ([one, value]) => [one, one.in === 'path' ? (parents.get(one.name) ?? value) : value] as const,
  );
  const call = withId({ ...made, parameters: new Map(placed), ...(isOther ? { isOther } : {}) }, slot, id);
  return run.harm.harmOf(call) === 'none' ? call : 'it may have been there before the run';
}

function describe(run: ContractRun, { resource, id, parents, madeBy }: MadeItem, reason: string): LeftItem {
  const own = encodeURIComponent(lastPartOf(scalarText(id)));
  const path = resource.name.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    parents.has(name) ? encodeURIComponent(scalarText(parents.get(name))) : own,
  );
  const item = path === resource.name ? `${path} ${own}` : path;
  return { operationId: madeBy.id, item: run.secrets.hide(item), reason };
}
