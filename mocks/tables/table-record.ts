import { type HandlerContext, HttpError, type Violation, withoutUndefined } from 'specmill/mock';

import type { Table, TableFieldSchema, TableType } from '../../generated/tables/types.js';

/** A stored table: all members except `selfLink`, which depends on the URL of the request. */
export type TableRecord = Omit<Table, 'selfLink' | 'schema'> & {
  readonly etag: string;
  readonly schema?: { readonly fields?: readonly TableFieldSchema[] };
};

/** The parts of a path that name a table. */
export interface TablePlace {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

/** The collection of access policies, by table name. */
export const POLICIES = 'policies';

/** `project:dataset.table`, as in ids and messages. */
export function toName({ projectId, datasetId, tableId }: TablePlace): string {
  return `${projectId}:${datasetId}.${tableId}`;
}

/** Whether a table has expired. Then it no longer exists, even if its deletion has not run yet. */
export function isExpired({ expirationTime }: TableRecord, now: number): boolean {
  return expirationTime !== undefined && Number(expirationTime) <= now;
}

/** The kind of a table follows from its definition. */
export function typeOf(table: Partial<TableRecord>): TableType {
  if (table.snapshotDefinition !== undefined) return 'SNAPSHOT';
  if (table.view !== undefined) return 'VIEW';
  if (table.materializedView !== undefined) return 'MATERIALIZED_VIEW';
  return table.externalDataConfiguration === undefined ? 'TABLE' : 'EXTERNAL';
}

interface Details {
  readonly status: 400 | 404 | 409 | 412;
  /** Short code, as in the items of an error. */
  readonly reason: 'invalid' | 'notFound' | 'duplicate' | 'conditionNotMet' | 'aborted';
  readonly location?: string;
  readonly locationType?: 'header' | 'parameter';
  /** Canonical name. Default: the one of the status. */
  readonly canonical?: string;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the state of a table, or a rule about several members, does not allow. */
export function refuse(message: string, details: Details): HttpError {
  const { status, reason, location, locationType, canonical, violations } = details;
  const errors = [{ domain: 'global', reason, message, ...withoutUndefined({ location, locationType }) }];
  return new HttpError(status, message, { details: withoutUndefined({ status: canonical, errors, violations }) });
}

interface Expiry {
  readonly place: TablePlace;
}

/** Plans the deletion of a table at its expiry, if it has one. */
export async function planExpiry(
  { clock }: Pick<HandlerContext, 'clock'>,
  { tableReference: place }: TableRecord,
  time: string | undefined,
): Promise<void> {
  const id = `expire-table ${toName(place)}`;
  if (time === undefined) await clock.cancel(id);
  else await clock.schedule({ id, name: 'expire-table', dueAt: Number(time), payload: { place } });
}

export async function expireTable(context: HandlerContext, { place }: Expiry): Promise<void> {
  const now = context.clock.now();
  const [project, dataset] = [place.projectId, place.datasetId].map(encodeURIComponent);
  const left = await context
    .collection<TableRecord>(`/projects/${project}/datasets/${dataset}/tables`)
    .update(place.tableId, (table) => (table === undefined || isExpired(table, now) ? undefined : table));
  if (left === undefined) await context.collection(POLICIES).delete(toName(place));
}
