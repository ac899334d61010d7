import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { correctionOf } from '../../resources/corrections.js';
import { memberPath } from '../../resources/member-paths.js';
import { describedAsUnique } from '../../resources/unique-members.js';
import type { Resource } from '../../resources/resource.js';
import { createdIds } from '../../resources/extract-id.js';
import { keywordOf, membersOf } from '../../schema/facts/members.js';
import { setAt, takeAt } from '../../schema/value-path.js';
import { toPointer } from '../../model/document/pointer.js';
import { good, refused } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Case } from '../types.js';
import { isConflict } from '../checks/is-conflict.js';
import { isRestore } from './check-delete.js';
import { callOn, createItem, isDone, readItem } from './crud-context.js';
import { withPathOf } from '../execute/ids/id-slot.js';
import { itemPlace } from '../plan/call-body.js';

/** The most members of one resource that are tested. */
const MAX_MEMBERS = 3;
/**
 * Checks that a second use of a unique value is refused, if a correction or a description calls it unique.
 */
export async function checkUniqueValues(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const { body } = creation;
  const paths = uniquePlaces(creation, resource, run.options.api);
  const first = paths.length === 0 ? undefined : await createItem(run, resource, creation);
  if (first === undefined || body === undefined) return;
  const { call: created, exchange: creating } = first.created;
  const [id] = createdIds(creating, resource);
  for (const path of paths.slice(0, MAX_MEMBERS)) {
    const value = takeAt(created.body?.value, path);
    const fresh = run.context.pool.withFreshKey(
      run.context.pool.withDistinctValues(await run.items.refreshIds(creation, 'stateful')),
    );
    if (fresh.body === undefined || value === undefined) continue;
    const call = {
      ...withPathOf(fresh, created),
      body: { ...fresh.body, value: setAt(fresh.body.value, path, value) },
    };
    const exchange = await run.client.sendValid(call);
    // The creation may have returned the existing item.
    const isAgain = exchange !== undefined && createdIds(exchange, resource)[0] === id;
    if (!isDone(exchange) || isAgain) continue;
    const pointer = toPointer(path);
    run.findings.expect('unique value', refused(exchange), {
      cause: pointer,
      pointer,
      message: `${pointer} must be unique, but a second item was created with the same value.`,
      others: [creating],
    });
  }
  for (const path of paths.slice(0, 1)) {
    await checkTogether(run, { resource, creation, path });
    await checkFreed(run, { resource, creation, path });
  }
}

interface UniquePlace {
  readonly resource: Resource;
  readonly creation: Call;
  readonly path: readonly string[];
}

async function freshCreation(run: ContractRun, creation: Call): Promise<Call> {
  const { pool } = run.context;
  return pool.withFreshKey(pool.withDistinctValues(await run.items.refreshIds(creation, 'stateful')));
}

/** Checks that of equal creations at the same time only one is accepted. */
async function checkTogether(run: ContractRun, { resource, creation, path }: UniquePlace): Promise<void> {
  if (run.options.concurrency < 2) return;
  const call = await freshCreation(run, creation);
  const tried: Case = { phase: 'stateful', call, expectation: { kind: 'valid' } };
  const sent = await run.client.sendTogether([tried, tried, tried]);
  const made = sent.map(({ outcome }) => outcome.exchange).filter(isDone);
  const [first, second] = made;
  if (first === undefined || second === undefined) return;
  const ids = new Set(made.map((exchange) => createdIds(exchange, resource)[0]));
  if (ids.size < 2) return;
  const pointer = toPointer(path);
  const together = [first, second];
  run.findings.expect(
    'unique value',
    { expects: 'one refused', exchanges: together },
    {
      cause: `${pointer} together`,
      pointer,
      message: `${pointer} must be unique, but two equal creations at the same time were accepted.`,
      together,
    },
  );
}

/** Checks that the unique value of a deleted item can be used again. */
async function checkFreed(run: ContractRun, { resource, creation, path }: UniquePlace): Promise<void> {
  const { delete: removal, slots } = resource;
  // An item that can be restored keeps its value.
  if ([...slots.keys()].some(isRestore)) return;
  const crud = removal === undefined ? undefined : await createItem(run, resource, creation);
  const call = crud === undefined || removal === undefined ? undefined : await callOn(crud, removal);
  const value = crud === undefined ? undefined : takeAt(crud.created.call.body?.value, path);
  if (crud === undefined || call === undefined || value === undefined) return;
  const deleted = await run.client.sendValid(call);
  const after = isDone(deleted) ? await readItem(crud) : undefined;
  if (deleted === undefined || after?.status !== 404) return;
  const fresh = await freshCreation(run, creation);
  if (fresh.body === undefined) return;
  const body = { ...fresh.body, value: setAt(fresh.body.value, path, value) };
  const again = await run.client.sendValid({ ...withPathOf(fresh, crud.created.call), body });
  if (again === undefined || !isConflict(again)) return;
  const pointer = toPointer(path);
  run.findings.expect('unique value', good(again), {
    cause: `${pointer} freed`,
    severity: 'warning',
    pointer,
    message: `${pointer} of a deleted item is still taken.`,
    expected: 'a new item',
    actual: `${again.status} ${again.text}`,
    others: [crud.created.exchange, deleted],
  });
}

/** Where a creation has values that a correction or the spec calls unique. */
function uniquePlaces({ operation, body }: Call, { name }: Resource, api: Api): (readonly string[])[] {
  if (body === undefined) return [];
  const place = itemPlace(body.media, api);
  const schema = place.reduce<Schema>(
    (at, member) => membersOf(at, api).get(member)?.schema ?? true,
    body.media.schema ?? true,
  );
  const correction = correctionOf(name, api);
  const corrected = (correction?.unique ?? []).map((member) => [...place, ...memberPath(member)]);
  const described = describedAsUnique(operation, schema, api).map((member) => [...place, member]);
  const isText = (path: readonly string[]): boolean => {
    const member = path.reduce<Schema>(
      (at, one) => membersOf(at, api).get(one)?.schema ?? true,
      body.media.schema ?? true,
    );
    const value = takeAt(body.value, path);
    // The server replaces an empty text by a value of its own.
    return typeof value === 'string' && value !== '' && keywordOf(member, 'enum', api) === undefined;
  };
  const found = new Map([...corrected, ...described].map((path) => [toPointer(path), path]));
  return [...found.values()].filter(isText);
}
