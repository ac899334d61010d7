import { type Call, type Handler, type HandlerContext, omitMembers, type OperationTypes } from 'specmill/mock';

import type { TablesOperations } from '../../generated/tables/types.js';
import { checkTable } from './rules.js';
import { applyFieldDefaults, completeTable, isSettable, mergeTable, newTable, settableOf } from './shape-table.js';
import { showTable } from './show-table.js';
import {
  checkIfMatch,
  etagHeader,
  isExpired,
  newEtag,
  planExpiry,
  POLICIES,
  refuse,
  tableNotFound,
  type TablePlace,
  type TableRecord,
  TABLES,
  toKey,
  toName,
} from './table-record.js';

/** Creates a table. */
export const insertTable: Handler<TablesOperations['insertTable']> = async (call) => {
  const { projectId, datasetId } = call.input.path;
  const { tableReference } = call.input.body;
  const place = { projectId, datasetId, tableId: tableReference.tableId };
  const now = call.clock.now();
  const created = newTable(place, settableOf(call, call.input.body), now);
  const table: TableRecord = { ...applyFieldDefaults(created), etag: newEtag(call) };
  checkTable(call, table, undefined);
  await change(call, place, (stored) => {
    if (stored === undefined) return table;
    throw refuse(`Already Exists: Table ${toName(place)}`, { status: 409, reason: 'duplicate' });
  });
  await call.collection(POLICIES).delete(toKey(place));
  return call.respond(200, showTable(table, call), etagHeader(table));
};

/** A table -> the table with some members changed. */
export const patchTable: Handler<TablesOperations['patchTable']> = async (call) => {
  const table = await changeStored(call, (stored) => mergeTable(stored, settableOf(call, call.input.body)));
  return call.respond(200, showTable(table, call), etagHeader(table));
};

/** A table -> the table with everything replaced that a caller can set. */
export const updateTable: Handler<TablesOperations['updateTable']> = async (call) => {
  const body = settableOf(call, call.input.body);
  const table = await changeStored(call, (stored) => {
    const kept = omitMembers(stored, (name) => isSettable(call, name)) as TableRecord;
    return { ...kept, ...body };
  });
  return call.respond(200, showTable(table, call), etagHeader(table));
};

/** A table -> nothing. */
export const deleteTable: Handler<TablesOperations['deleteTable']> = async (call) => {
  await change(call, call.input.path, (stored) => {
    if (stored === undefined) throw tableNotFound(call.input.path);
    checkIfMatch(call.request, stored);
    return undefined;
  });
  await call.collection(POLICIES).delete(toKey(call.input.path));
  return call.respond(204, undefined);
};

type ChangeCall = Call<OperationTypes[string]> & { readonly input: { readonly path: TablePlace } };

/** Changes a table that is there, if it is the one that `If-Match` names. */
async function changeStored(
  call: Pick<ChangeCall, 'clock' | 'collection' | 'input' | 'random' | 'request' | 'schema'>,
  next: (stored: TableRecord) => TableRecord,
): Promise<TableRecord> {
  const lastModifiedTime = String(call.clock.now());
  const etag = newEtag(call);
  const changed = await change(call, call.input.path, (stored) => {
    if (stored === undefined) throw tableNotFound(call.input.path);
    checkIfMatch(call.request, stored);
    const table = completeTable({ ...applyFieldDefaults(next(stored), stored), lastModifiedTime, etag });
    checkTable(call, table, stored);
    return table;
  });
  if (changed === undefined) throw tableNotFound(call.input.path);
  return changed;
}

/** Reads, changes and writes in one step, and plans the expiry of what is then there. */
async function change(
  context: Pick<HandlerContext, 'clock' | 'collection'>,
  place: TablePlace,
  next: (stored: TableRecord | undefined) => TableRecord | undefined,
): Promise<TableRecord | undefined> {
  const now = context.clock.now();
  const changed = await context
    .collection<TableRecord>(TABLES)
    .update(toKey(place), (stored) => next(stored === undefined || isExpired(stored, now) ? undefined : stored));
  await planExpiry(context, toKey(place), changed);
  return changed;
}
