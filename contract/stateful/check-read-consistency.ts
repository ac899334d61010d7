import { listPathOf, listedItems } from '../../resources/envelope.js';
import type { Resource } from '../../resources/resource.js';
import { isRecord } from '../../model/document/records.js';
import type { Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { bodyAt, same } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import { findListPlace } from '../expectations/lists.js';
import { idOf } from '../../resources/extract-id.js';
import { memberOf } from '../execute/ids/id-slot.js';
import type { Call, Exchange } from '../types.js';
import { findListed } from './check-list.js';
import { type CrudContext, createItem, callOn, idValue, readItem, isDone } from './crud-context.js';
import { widestList } from './pagination/page-requests.js';
import { isSameJson, showJson } from '../../model/exact-json.js';

/** An item from before the run, and how it was shown then. */
export interface ItemSnapshot {
  readonly crud: CrudContext;
  readonly shown: ReadConsistency;
}

/** Reads items that no operation creates, before any case changes them. */
export async function snapshotExistingItems(run: ContractRun): Promise<ReadonlyMap<Resource, ItemSnapshot>> {
  const seen = new Map<Resource, ItemSnapshot>();
  for (const resource of run.context.pool.resources) {
    const listing = resource.create === undefined ? await listingOf(run, resource) : undefined;
    const crud = listing === undefined ? undefined : await findExistingItem(run, resource, listing);
    const shown = listing === undefined || crud === undefined ? undefined : await readBoth(crud, listing);
    if (crud !== undefined && shown !== undefined) seen.set(resource, { crud, shown });
  }
  return seen;
}

/**
 * Checks that members on which a read and a list agree still agree after each operation on the item. If only one of
 * them follows a change, the other is stale.
 */
export async function checkReadConsistency(
  run: ContractRun,
  resource: Resource,
  known: Call | ItemSnapshot | undefined,
): Promise<void> {
  const listing = known === undefined ? undefined : await listingOf(run, resource);
  if (known === undefined || listing === undefined) return;
  const crud = 'crud' in known ? known.crud : await createItem(run, resource, known);
  if (crud === undefined) return;
  let before =
    'crud' in known ? await compareReads(crud, { listing, before: known.shown }) : await readBoth(crud, listing);
  for (const operation of actionsOn(crud)) {
    const call = await callOn(crud, operation);
    if (before === undefined || call === undefined) return;
    const exchange = await run.client.sendValid(call);
    if (!isDone(exchange)) continue;
    before = await compareReads(crud, { listing, action: { operation, exchange }, before });
  }
}

/** The call that lists the items of a kind with as many items as possible. */
async function listingOf(run: ContractRun, { read, list, views }: Resource): Promise<Call | undefined> {
  const shownBy = list ?? views.find(({ method }) => method === 'get');
  return read === undefined || shownBy === undefined ? undefined : widestList(run, shownBy);
}

async function findExistingItem(run: ContractRun, resource: Resource, call: Call): Promise<CrudContext | undefined> {
  const exchange = await run.client.sendValid(call);
  const id = idOf(listedItems(call.operation, exchange?.json, run.options.api)?.[0], resource);
  return exchange === undefined || id === undefined ? undefined : { run, resource, id, created: { call, exchange } };
}

/** The operations that succeeded on items of the kind, except those that read or delete them. */
function actionsOn({ run, resource: { slots, delete: removal } }: CrudContext): Operation[] {
  return [...slots.keys()].filter(
    (one) =>
      one.method !== 'get' && one.method !== 'delete' && one !== removal && run.context.pool.attempts.hasWorked(one),
  );
}

interface ReadConsistency {
  readonly read: Exchange;
  readonly listed: Readonly<Record<string, unknown>>;
  readonly pages: readonly Exchange[];
}

/** Returns the item as read and as listed. */
async function readBoth(crud: CrudContext, listing: Call): Promise<ReadConsistency | undefined> {
  const read = await readItem(crud);
  const found = await findListed(crud, listing);
  const listed = found?.item;
  if (read?.status !== 200 || found === undefined || !isRecord(listed)) return undefined;
  return { read, listed, pages: found.walk.exchanges };
}

interface Step {
  readonly listing: Call;
  /** The operation on the item; if absent, all operations so far. */
  readonly action?: { readonly operation: Operation; readonly exchange: Exchange };
  readonly before: ReadConsistency;
}

async function compareReads(
  crud: CrudContext,
  { listing, action, before }: Step,
): Promise<ReadConsistency | undefined> {
  const after = await readBoth(crud, listing);
  const stale = after === undefined ? undefined : findStaleMember(before, after);
  if (after === undefined || stale === undefined) return after;
  // Ignores members that change with each read or over time.
  const again = await readBoth(crud, listing);
  if (again === undefined || findStaleMember(before, again) !== stale || !isUnchanged(stale, after, again))
    return again;
  const { run, resource } = crud;
  const pointer = toPointer([stale]);
  const list = findListPlace(again.pages, resource.parameter, listPathOf(listing.operation, run.options.api));
  const inList = { from: 'item', list, id: idValue(crud), pointer } as const;
  run.findings.expect('update is visible', same(bodyAt(again.read, pointer), inList), {
    cause: `stale ${pointer}`,
    message: `${action === undefined ? 'By now' : `After ${action.operation.id}`}, GET and the list show different values of ${pointer}, which was the same in both before.`,
    at: again.read,
    others: action === undefined ? [] : [before.read, action.exchange],
  });
  return again;
}

/** A member on which both agreed, and that has changed in only one of them. */
function findStaleMember(before: ReadConsistency, after: ReadConsistency): string | undefined {
  return Object.keys(before.listed).find((name) => {
    const [wasRead, isRead] = [before, after].map(({ read }) => showJson(memberOf(read.json, name)));
    const [wasListed, isListed] = [before, after].map(({ listed }) => showJson(memberOf(listed, name)));
    if (wasRead === undefined || wasRead !== wasListed || isRead === undefined || isListed === undefined) return false;
    return (isRead === wasRead) !== (isListed === wasListed);
  });
}

function isUnchanged(name: string, one: ReadConsistency, other: ReadConsistency): boolean {
  return (
    isSameJson(memberOf(one.read.json, name), memberOf(other.read.json, name)) &&
    isSameJson(memberOf(one.listed, name), memberOf(other.listed, name))
  );
}
