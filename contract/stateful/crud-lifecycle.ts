import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { bodyAt, good, same, matches, textOf, other } from '../expectations/assertion.js';
import { acceptedOn, isTouchedBetween } from '../reproduction/find-origin.js';
import {
  type CrudContext,
  latestRead,
  readItem,
  callOn,
  createItem,
  createdId,
  sentIdMember,
  sentValue,
  isDone,
  isOneItem,
} from './crud-context.js';
import type { Exchange, Call } from '../types.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { valueSites } from '../../schema/value-sites.js';
import { setAt } from '../../schema/value-path.js';
import { isSuccess } from '../../http/messages.js';
import type { Resource } from '../../resources/resource.js';
import type { ContractRun } from '../execute/contract-run.js';
import { checkMasks } from './check-masks.js';
import { checkMemberWrites } from './check-member-writes.js';
import { varyBody } from './maximal-body.js';
import { checkForeignSingleton } from './check-foreign-singleton.js';
import { checkEtags } from './check-etags.js';
import { checkListed } from './check-list.js';
import { checkDelete, expectGone } from './check-delete.js';
import { checkReplace, checkUpdate } from './check-update.js';
import { expectShown } from './expect-shown.js';
import { checkReadOnlyChanges, checkReadOnlyCreation } from './check-read-only.js';
import { checkReferences } from './check-references.js';
import { checkServerTime } from './check-server-time.js';
import { checkVersions } from './check-versions.js';

/**
 * Checks the life of an item: create, read back, find in the list, update, replace, delete, gone. Other items must not
 * change.
 */
export async function checkCrudLifecycle(run: ContractRun, resource: Resource, creation: Call): Promise<void> {
  const crud = await createItem(run, resource, creation);
  if (crud === undefined) return;
  const before = await checkCreated(crud);
  await checkListed(crud);
  const other = vary(crud, creation);
  const neighbour = (await createItem(run, resource, other)) ?? (await createItem(run, resource, creation));
  const atFirst = neighbour === undefined ? undefined : await latestRead(neighbour);
  if (neighbour !== undefined) checkDistinct(crud, neighbour);
  if (before !== undefined && neighbour !== undefined && neighbour.id !== crud.id)
    await checkIsolation(crud, before, neighbour);
  if (before !== undefined) await checkReadOnlyCreation(crud, creation, before);
  const checkNeighbour = async (): Promise<void> => {
    if (neighbour !== undefined && atFirst !== undefined && neighbour.id !== crud.id)
      await checkIsolation(neighbour, atFirst, crud);
  };
  const changed = await checkUpdate(crud, resource.patch);
  const replaced = await checkUpdate(crud, resource.replace);
  await checkNeighbour();
  await checkReplace(crud);
  await checkMemberWrites(crud, resource.patch ?? resource.replace, changed);
  await checkMasks(crud);
  await checkReferences(crud);
  await checkServerTime(crud, changed ?? replaced);
  await checkReadOnlyChanges(crud);
  if (before !== undefined) await checkEtags(crud, changed ?? replaced);
  await checkVersions(crud, changed ?? replaced);
  await checkInt64(crud);
  await checkDelete(crud);
  await checkNeighbour();
}

/** Checks that a write to a singleton, such as `/settings`, is visible when read. */
export async function checkSingleton(run: ContractRun, resource: Resource): Promise<void> {
  const { kind, read, replace, patch } = resource;
  const write = replace ?? patch;
  if (kind !== 'singleton' || read === undefined || write === undefined) return;
  const call = await run.items.validCall(write, 'stateful');
  const exchange = call === undefined ? undefined : await run.client.sendValid(call);
  if (call === undefined || exchange === undefined || !isSuccess(exchange)) return;
  const crud: CrudContext = { run, resource, id: '', created: { call, exchange } };
  await checkUpdate(crud, patch);
  await checkUpdate(crud, replace);
  await checkReplace(crud);
  await checkMemberWrites(crud, write);
  await checkReferences(crud);
  await checkSingletonRemoval(crud, call);
  await checkForeignSingleton(crud, call);
}

/**
 * Checks that a deleted singleton below an item of the run is not shown as before, if the spec says that it can be
 * missing.
 */
async function checkSingletonRemoval(crud: CrudContext, write: Call): Promise<void> {
  const { run, resource } = crud;
  const { delete: removal, read } = resource;
  const mayMiss = read?.responses.some(({ status }) => status === '404') === true;
  if (removal === undefined || !mayMiss || run.context.pool.roles.creationsFor(removal).length === 0) return;
  const written = await run.client.sendValid(write);
  const before = await latestRead(crud);
  const call = await callOn(crud, removal);
  if (written === undefined || !isSuccess(written) || before?.status !== 200 || call === undefined) return;
  const exchange = await run.client.sendValid(call);
  const after = isDone(exchange) ? await readItem(crud) : undefined;
  if (exchange === undefined || after?.status !== 200 || after.text !== before.text) return;
  expectGone(crud, after, exchange);
}

/** Returns the same creation with another value, so that mixed-up items can be told apart. */
function vary({ run, id, created }: CrudContext, creation: Call): Call {
  const { body, operation } = creation;
  const idMember = sentIdMember(created.call, id);
  const options = { run, seed: run.options.seed + 51, ...(idMember === undefined ? {} : { idMember }) };
  const varied = body === undefined ? undefined : varyBody(body, operation, options);
  return varied === undefined ? creation : { ...creation, body: varied };
}

/** Checks that a created item reads as it was written. Returns the response to the read. */
async function checkCreated(crud: CrudContext): Promise<Exchange | undefined> {
  const { run, resource, created } = crud;
  const { read } = resource;
  const exchange = await latestRead(crud);
  if (exchange === undefined || read === undefined) return undefined;
  // After a 202, the item need not exist yet.
  if (created.exchange.status === 202) return undefined;
  if (exchange.status === 404 || exchange.status === 410) {
    run.findings.expect('created is available', good(exchange), {
      message: `The created item cannot be read (${exchange.status}).`,
      expected: '200',
    });
    return undefined;
  }
  if (exchange.status !== 200) return undefined;
  const written = { value: sentValue(crud, created.call), by: created.exchange, from: 'request', exchange } as const;
  expectShown(crud, 'read back equal', written);
  return exchange;
}

/** Checks that two creations make two items. */
function checkDistinct(crud: CrudContext, next: CrudContext): void {
  // A client that sends an id twice means the same item.
  if (next.id !== crud.id || sentIdMember(next.created.call, next.id) !== undefined) return;
  if (isOneItem(crud.created, next.created)) return;
  crud.run.findings.expect(
    'unique id',
    other(createdId(crud.id, crud.created.exchange), createdId(next.id, next.created.exchange)),
    {
      message: 'Two created items have the same id.',
      expected: 'its own id for each',
      actual: String(next.id),
    },
  );
}

/** The first integer that a double cannot hold: it comes back as …992 if the server used one. */
const BEYOND = 9_007_199_254_740_993n;

/** Checks that a 64-bit integer keeps all of its digits. */
async function checkInt64({ run, created }: CrudContext): Promise<void> {
  const { call } = created;
  const { api } = run.options;
  const { body } = call;
  if (body?.media.schema === undefined) return;
  const sites = valueSites(body.media.schema, body.value, { api, direction: 'request' });
  const site = sites.find(
    ({ value, schemas }) =>
      ['number', 'string'].includes(typeof value) && schemas.some(({ format }) => format === 'int64'),
  );
  if (site === undefined) return;
  const isText = typeof site.value === 'string';
  const near = setAt(body.value, site.path, isText ? String(BEYOND) : 2 ** 53);
  if (!isValidValue(near, body.media.schema, api)) return;
  const value = isText ? near : setAt(body.value, site.path, BEYOND);
  const sent = { ...call, body: { ...body, value } };
  const exchange = await run.client.send({ phase: 'stateful', call: sent, expectation: { kind: 'valid' } });
  if (exchange === undefined || exchange.status > 299 || !exchange.text.includes('900719925474099')) return;
  run.findings.expect('int64 precision', matches(textOf(exchange), String(BEYOND)), {
    message: 'A 64-bit integer lost precision.',
    expected: String(BEYOND),
  });
}

/** Checks that operations on one item leave another one unchanged. */
async function checkIsolation(neighbour: CrudContext, before: Exchange, other: CrudContext): Promise<void> {
  const { created } = other;
  const { run, resource } = neighbour;
  if (before.status !== 200 || resource.read === undefined) return;
  const after = await readItem(neighbour);
  if (after === undefined || isTouchedBetween(run, neighbour.id, before, after)) return;
  const spare = acceptedOn(run, other.id, created.exchange);
  if (after.status === 404 || after.status === 410)
    run.findings.expect('others untouched', good(after), {
      cause: 'gone',
      message: 'Changing one item deleted another.',
      spare,
    });
  if (after.status !== 200) return;
  for (const name of sharedMembers(created.call.body?.value, before.json, after.json)) {
    const pointer = appendPointer('', name);
    run.findings.expect('others untouched', same(bodyAt(after, pointer), bodyAt(before, pointer)), {
      cause: name,
      message: `Changing one item changed ${name} of another.`,
      spare,
    });
  }
}

/** The members that were sent for one item and that another one may show. */
function sharedMembers(sent: unknown, before: unknown, after: unknown): string[] {
  return isRecord(sent) && isRecord(before) && isRecord(after) ? Object.keys(sent) : [];
}
