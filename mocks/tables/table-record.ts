import type { HandlerContext } from 'specmill/mock';

import type { Table, TableFieldSchema, TableType } from '../../generated/tables/types.js';

/** A table as it is kept: all but `selfLink`, which depends on who asks. Collection `tables`, by {@link toKey}. */
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

/** What a table is follows from the definition that it carries. */
export function typeOf(table: Partial<TableRecord>): TableType {
  if (table.snapshotDefinition !== undefined) return 'SNAPSHOT';
  if (table.view !== undefined) return 'VIEW';
  if (table.materializedView !== undefined) return 'MATERIALIZED_VIEW';
  return table.externalDataConfiguration === undefined ? 'TABLE' : 'EXTERNAL';
}
