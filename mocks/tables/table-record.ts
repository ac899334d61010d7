import {
  type HandlerContext,
  type HeaderMap,
  HttpError,
  type JsonSchema,
  matchesEtag,
  type MockRequest,
  quoteEtag,
  type Violation,
} from 'specmill/mock';

import type { Table, TableFieldSchema, TableType } from '../../generated/tables/types.js';

/** A table as it is kept: all but `selfLink`, which depends on the address of the request. Collection `tables`, by {@link toKey}. */
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

export const TABLES = 'tables';
/** The schema of a restored {@link TableRecord}. */
export const TABLE_SCHEMA: JsonSchema = {
  $ref: '#/$defs/Table',
  required: ['etag', 'tableReference'],
  properties: { tableReference: { type: 'object', required: ['projectId', 'datasetId', 'tableId'] } },
};
/** Access policies, by the key of their table. */
export const POLICIES = 'policies';

/** No id has a slash. */
export function toKey({ projectId, datasetId, tableId }: TablePlace): string {
  return `${projectId}/${datasetId}/${tableId}`;
}

/** `project:dataset.table`, as ids and messages have it. */
export function toName({ projectId, datasetId, tableId }: TablePlace): string {
  return `${projectId}:${datasetId}.${tableId}`;
}

/** An expired table is no longer there, even where its deletion has not had its turn yet. */
export function isExpired({ expirationTime }: TableRecord, now: number): boolean {
  return expirationTime !== undefined && Number(expirationTime) <= now;
}

export async function findTable(
  context: Pick<HandlerContext, 'collection' | 'clock'>,
  place: TablePlace,
): Promise<TableRecord | undefined> {
  const table = await context.collection<TableRecord>(TABLES).get(toKey(place));
  return table === undefined || isExpired(table, context.clock.now()) ? undefined : table;
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
  /** Short code, as the items of an error have it. */
  readonly reason: 'invalid' | 'notFound' | 'duplicate' | 'conditionNotMet' | 'aborted';
  /** The member, parameter or header that caused it. */
  readonly location?: string;
  readonly locationType?: 'header' | 'parameter';
  /** Canonical name; else the one that goes with the status. */
  readonly canonical?: string;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the state of a table, or a rule about several members, does not allow. */
export function refuse(message: string, details: Details): HttpError {
  const { status, reason, location, locationType, canonical, violations = [] } = details;
  const item = {
    ...{ domain: 'global', reason, message },
    ...(location === undefined ? {} : { location }),
    ...(locationType === undefined ? {} : { locationType }),
  };
  return new HttpError(status, message, {
    details: {
      ...(canonical === undefined ? {} : { status: canonical }),
      errors: [item],
      ...(violations.length === 0 ? {} : { violations }),
    },
  });
}

export function tableNotFound(place: TablePlace): HttpError {
  return refuse(`Not found: Table ${toName(place)}`, { status: 404, reason: 'notFound' });
}

/** A new entity tag. */
export function newEtag({ random }: Pick<HandlerContext, 'random'>): string {
  return Buffer.from(random.bytes(16)).toString('base64');
}

export function etagHeader({ etag }: Pick<TableRecord, 'etag'>): HeaderMap {
  return { etag: quoteEtag(etag) };
}

/** @throws HttpError 412 if `If-Match` names another state of the table. */
export function checkIfMatch(request: Pick<MockRequest, 'headers'>, { etag }: TableRecord): void {
  if (matchesEtag(request, 'if-match', etag) !== false) return;
  const details = { reason: 'conditionNotMet', location: 'If-Match', locationType: 'header' } as const;
  throw refuse('Precondition check failed.', { status: 412, ...details });
}

interface Expiry {
  readonly key: string;
}

/** Plans the deletion of a table for when it expires; one that does not expire is deleted never. */
export async function planExpiry(
  { clock }: Pick<HandlerContext, 'clock'>,
  key: string,
  table: TableRecord | undefined,
): Promise<void> {
  const id = `expire-table ${key}`;
  const time = table?.expirationTime;
  if (time === undefined) await clock.cancel(id);
  else await clock.schedule({ id, name: 'expire-table', dueAt: Number(time), payload: { key } });
}

/** Deletes an expired table, with its policy. */
export async function expireTable(context: HandlerContext, { key }: Expiry): Promise<void> {
  const now = context.clock.now();
  const left = await context
    .collection<TableRecord>(TABLES)
    .update(key, (table) => (table === undefined || isExpired(table, now) ? undefined : table));
  if (left === undefined) await context.collection(POLICIES).delete(key);
}
