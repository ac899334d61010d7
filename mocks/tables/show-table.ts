import { type HandlerContext, omitMembers, type ResourceCall, withoutUndefined } from 'specmill/mock';

import type { DecimalTargetType, Table, TableListItem, TableMetadataView } from '../../generated/tables/types.js';
import { STATISTICS } from './shape-table.js';
import type { TableRecord } from './table-record.js';

const STORAGE: readonly string[] = [...STATISTICS, 'lastModifiedTime'];
const STATUS: readonly string[] = ['streamingBuffer', 'materializedViewStatus'];
const LEFT_OUT: Readonly<Record<TableMetadataView, readonly string[]>> = {
  BASIC: [...STORAGE, ...STATUS],
  STORAGE_STATS: STATUS,
  TABLE_METADATA_VIEW_UNSPECIFIED: STATUS,
  FULL: [],
};

interface ShowOptions {
  readonly view?: TableMetadataView | undefined;
  /** Comma-separated names of top-level columns. */
  readonly selectedFields?: string | undefined;
}

export function showTable(table: TableRecord, call: ResourceCall): Table {
  // Only reads have them.
  const options: ShowOptions = call.input.query ?? {};
  const leftOut = LEFT_OUT[options.view ?? 'STORAGE_STATS'];
  const { kind, etag, id, ...rest } = omitMembers(
    table,
    (name) => name === 'selfLink' || leftOut.includes(name),
  ) as TableRecord;
  const selected = {
    kind,
    etag,
    id,
    selfLink: linkOf(table, call),
    ...rest,
    ...showExternal(table),
    ...selectFields(table, options.selectedFields),
  };
  return selected as Table;
}

/** Shows the default, which depends on the format; it is not stored, because the format may change. */
function showExternal({ externalDataConfiguration: data }: TableRecord): Partial<Table> {
  if (data?.sourceFormat === undefined) return {};
  const decimalTargetTypes: DecimalTargetType[] = data.sourceFormat === 'ORC' ? ['NUMERIC', 'STRING'] : ['NUMERIC'];
  return { externalDataConfiguration: { decimalTargetTypes, ...data } };
}

function selectFields({ schema }: TableRecord, selectedFields: string | undefined): Pick<TableRecord, 'schema'> {
  if (selectedFields === undefined || schema?.fields === undefined) return {};
  const names = new Set(selectedFields.split(',').map((name) => name.trim()));
  return { schema: { ...schema, fields: schema.fields.filter(({ name }) => names.has(name)) } };
}

function linkOf({ tableReference }: TableRecord, { baseUrl }: Pick<HandlerContext, 'baseUrl'>): string {
  const { projectId, datasetId, tableId } = tableReference;
  const [project, dataset, table] = [projectId, datasetId, tableId].map(encodeURIComponent);
  return `${baseUrl}/bigquery/v2/projects/${project}/datasets/${dataset}/tables/${table}`;
}

export function showListItem(table: TableRecord): TableListItem {
  const { kind, id, tableReference, friendlyName, type, labels, timePartitioning, rangePartitioning, clustering } =
    table;
  const { requirePartitionFilter, externalDataConfiguration, view, creationTime, expirationTime } = table;
  const hivePartitioningOptions = externalDataConfiguration?.hivePartitioningOptions;
  const { useLegacySql, privacyPolicy } = view ?? {};
  const item: Record<string, unknown> = {
    ...{ kind, id, tableReference, friendlyName, type, labels, timePartitioning, rangePartitioning, clustering },
    ...{ requirePartitionFilter, hivePartitioningOptions, creationTime, expirationTime },
    view: view && withoutUndefined({ useLegacySql, privacyPolicy }),
  };
  return { tableReference, ...withoutUndefined(item) };
}
