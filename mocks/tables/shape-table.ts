import { type HandlerContext, omitMembers, withoutUndefined } from 'specmill/mock';

import type { FieldType, TableFieldSchema, TableType } from '../../generated/tables/types.js';
import { type TableRecord, toName, typeOf } from './table-record.js';

type Described = Pick<HandlerContext, 'schema'>;

const SIZES = ['numBytes', 'numLongTermBytes', 'numRows'] as const;
const STORAGE = [
  'numTimeTravelPhysicalBytes',
  'numTotalLogicalBytes',
  'numActiveLogicalBytes',
  'numLongTermLogicalBytes',
  'numTotalPhysicalBytes',
  'numActivePhysicalBytes',
  'numLongTermPhysicalBytes',
  'numPartitions',
] as const;
export const STATISTICS: readonly ((typeof SIZES)[number] | (typeof STORAGE)[number])[] = [...SIZES, ...STORAGE];

const STATISTICS_OF: Readonly<Record<TableType, typeof STATISTICS>> = {
  TABLE: STATISTICS,
  SNAPSHOT: SIZES,
  MATERIALIZED_VIEW: SIZES,
  VIEW: [],
  EXTERNAL: [],
};

/** The members that the service sets in every new table. */
const SET_AT_ONCE: ReadonlySet<string> = new Set(['etag', 'creationTime', 'lastModifiedTime']);

/** Creates an empty table with the sent members that a caller can set. */
export function newTable(sent: TableRecord, { schema }: Described): TableRecord {
  const { readOnlyMembers } = schema('Table');
  const kept = omitMembers(sent, (name) => readOnlyMembers.has(name) && !SET_AT_ONCE.has(name)) as TableRecord;
  return { ...kept, kind: 'tables#table', id: toName(sent.tableReference), location: 'US' };
}

/** Fills in derived members: the type, its statistics, modes, spellings of types, defaults of definitions. */
export function completeTable(table: TableRecord): TableRecord {
  const type = typeOf(table);
  const has = new Set<string>(STATISTICS_OF[type]);
  const kept = omitMembers(table, (name) => STATISTICS.some((one) => one === name) && !has.has(name));
  const zeros = Object.fromEntries(STATISTICS_OF[type].map((name) => [name, '0']));
  return { ...zeros, ...kept, type, ...completeSchema(table), ...completeDefinition(table) } as TableRecord;
}

function completeSchema({ schema }: TableRecord): Pick<TableRecord, 'schema'> {
  if (schema?.fields === undefined) return schema === undefined ? {} : { schema };
  return { schema: { ...schema, fields: schema.fields.map(completeField) } };
}

/** The spelling in which each type is returned. */
const SPELLINGS: Readonly<Partial<Record<FieldType, FieldType>>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
  STRUCT: 'RECORD',
};

function completeField(field: TableFieldSchema): TableFieldSchema {
  const { name, type, mode = 'NULLABLE', fields, ...rest } = field;
  return {
    ...{ name, type: SPELLINGS[type] ?? type, mode },
    ...rest,
    ...(fields === undefined ? {} : { fields: fields.map(completeField) }),
  };
}

function completeDefinition({ view, materializedView, externalDataConfiguration }: TableRecord): Partial<TableRecord> {
  const views = { enableRefresh: true, refreshIntervalMs: '1800000', allowNonIncrementalDefinition: false };
  const files = { maxBadRecords: 0, ignoreUnknownValues: false, compression: 'NONE' } as const;
  return withoutUndefined({
    view: view && { useLegacySql: true, ...view },
    materializedView: materializedView && { ...views, ...materializedView },
    externalDataConfiguration: externalDataConfiguration && { ...files, ...externalDataConfiguration },
  });
}

type Defaults = Pick<TableRecord, 'defaultCollation' | 'defaultRoundingMode'>;

/**
 * Applies the defaults of the table to added fields (seed: "affecting only fields added later"). An existing field
 * keeps its values unless they are sent again, so that changed defaults do not affect it.
 */
export function applyFieldDefaults(table: TableRecord, stored: TableRecord | undefined): TableRecord {
  const { schema } = table;
  if (schema?.fields === undefined) return table;
  return { ...table, schema: { ...schema, fields: fillFields(schema.fields, stored?.schema?.fields ?? [], table) } };
}

/** Fills the fields, which are matched by name. */
function fillFields(
  fields: readonly TableFieldSchema[],
  stored: readonly TableFieldSchema[],
  defaults: Defaults,
): TableFieldSchema[] {
  return fields.map((field) => {
    const known = stored.find(({ name }) => name === field.name);
    const nested =
      field.fields === undefined ? {} : { fields: fillFields(field.fields, known?.fields ?? [], defaults) };
    return { ...(known === undefined ? defaultsOf(field, defaults) : ownOf(known, field)), ...field, ...nested };
  });
}

const DECIMALS = new Set(['NUMERIC', 'BIGNUMERIC']);

/** The defaults of a field, without the empty collation and the unspecified mode, which need not be stored. */
function defaultsOf(
  { type }: TableFieldSchema,
  { defaultCollation, defaultRoundingMode }: Defaults,
): Partial<TableFieldSchema> {
  if (type === 'STRING') return defaultCollation === 'und:ci' ? { collation: defaultCollation } : {};
  if (!DECIMALS.has(type) || defaultRoundingMode === 'ROUNDING_MODE_UNSPECIFIED') return {};
  return defaultRoundingMode === undefined ? {} : { roundingMode: defaultRoundingMode };
}

/** The field's existing collation and rounding mode, from defaults or a request; none if its type changes. */
function ownOf(
  { type, collation, roundingMode }: TableFieldSchema,
  { type: sentType }: TableFieldSchema,
): Partial<TableFieldSchema> {
  if (type !== sentType) return {};
  return withoutUndefined({ collation, roundingMode });
}

/** On a patch, columns keep their governance tags (seed: "On patch"). */
export function keepTags(table: TableRecord, stored: TableRecord | undefined): TableRecord {
  const { schema } = table;
  if (schema?.fields === undefined || stored === undefined) return table;
  return { ...table, schema: { ...schema, fields: keepFieldTags(schema.fields, stored.schema?.fields ?? []) } };
}

/** Keeps omitted tags; an empty object clears them, a new tag replaces them. Columns are matched by name. */
function keepFieldTags(fields: readonly TableFieldSchema[], stored: readonly TableFieldSchema[]): TableFieldSchema[] {
  return fields.map((field) => {
    const known = stored.find(({ name }) => name === field.name);
    const nested = field.fields === undefined ? {} : { fields: keepFieldTags(field.fields, known?.fields ?? []) };
    const tags = field.dataGovernanceTagsInfo?.dataGovernanceTags ?? known?.dataGovernanceTagsInfo?.dataGovernanceTags;
    const { dataGovernanceTagsInfo: _, ...rest } = field;
    const isCleared = tags === undefined || Object.keys(tags).length === 0;
    return { ...rest, ...nested, ...(isCleared ? {} : { dataGovernanceTagsInfo: { dataGovernanceTags: tags } }) };
  });
}
