import { type MemberRow, type ValueRow, choices, type SeedRules, named } from '../support/seed-rules.js';

/** Rows about external data that differs in some members. */
function external(rule: string, accepted: readonly object[], refused: readonly object[]): ValueRow[] {
  const whole = (change: object): unknown => ({ sourceUris: ['gs://b/x'], ...change });
  return choices(rule, 'ExternalDataConfiguration', accepted.map(whole), refused.map(whole));
}

const EXTERNAL: readonly ValueRow[] = [
  ['source URIs are required', 'ExternalDataConfiguration', { sourceFormat: 'ORC' }, false],
  ...external(
    'the format is required',
    ['GOOGLE_SHEETS', 'AVRO', 'DATASTORE_BACKUP', 'ICEBERG', 'ORC', 'PARQUET', 'BIGTABLE'].map((sourceFormat) => ({
      sourceFormat,
    })),
    [{}, { sourceFormat: 'XML' }],
  ),
  ...external(
    'with objectMetadata the format is omitted',
    [{ objectMetadata: 'SIMPLE' }],
    [{ objectMetadata: 'SIMPLE', sourceFormat: 'ORC' }, { objectMetadata: 'FULL' }],
  ),
  ...['CSV', 'NEWLINE_DELIMITED_JSON'].flatMap((sourceFormat) =>
    external(
      'a schema is required without autodetect',
      [
        { sourceFormat, autodetect: true },
        { sourceFormat, schema: { fields: [] } },
      ],
      [{ sourceFormat }, { sourceFormat, autodetect: false }],
    ),
  ),
  ...['BIGTABLE', 'DATASTORE_BACKUP', 'AVRO', 'ORC', 'PARQUET'].flatMap((sourceFormat) =>
    external('a schema is disallowed', [], [{ sourceFormat, schema: { fields: [] } }]),
  ),
  ...external(
    'one * after the bucket name',
    [{ sourceFormat: 'ORC', sourceUris: ['gs://b/x/*.orc'] }],
    [
      { sourceFormat: 'ORC', sourceUris: ['gs://b/*/*'] },
      { sourceFormat: 'ORC', sourceUris: ['gs://b*/x'] },
    ],
  ),
  ...external(
    'GZIP or NONE',
    [
      { sourceFormat: 'ORC', compression: 'GZIP' },
      { sourceFormat: 'ORC', compression: 'NONE' },
    ],
    [{ sourceFormat: 'ORC', compression: 'ZIP' }],
  ),
  ...external(
    'no duplicates',
    [{ sourceFormat: 'ORC', decimalTargetTypes: ['STRING', 'NUMERIC'] }],
    [{ sourceFormat: 'ORC', decimalTargetTypes: ['NUMERIC', 'NUMERIC'] }],
  ),
  ...external('an integer', [{ sourceFormat: 'ORC', maxBadRecords: 3 }], [{ sourceFormat: 'ORC', maxBadRecords: '3' }]),
  ...external(
    'GEOJSON',
    [{ sourceFormat: 'ORC', jsonExtension: 'GEOJSON' }],
    [{ sourceFormat: 'ORC', jsonExtension: 'JSON' }],
  ),
];

const OUTPUT_ONLY = `etag id numBytes numLongTermBytes numRows creationTime lastModifiedTime type materializedViewStatus location streamingBuffer
  snapshotDefinition cloneDefinition numTimeTravelPhysicalBytes numTotalLogicalBytes numActiveLogicalBytes numLongTermLogicalBytes
  numTotalPhysicalBytes numActivePhysicalBytes numLongTermPhysicalBytes numPartitions replicas`;

const MEMBERS: readonly MemberRow[] = [
  ...OUTPUT_ONLY.split(/\s+/).map((member): MemberRow => ['output only', `Table.${member}`, { readOnly: true }]),
  ['output only', 'MaterializedViewDefinition.lastRefreshTime', { readOnly: true }],
  ['output only', 'MaterializedViewStatus.lastRefreshStatus', { readOnly: true }],
  ['default TABLE', 'Table.type', { default: 'TABLE' }],
  ['default NULLABLE', 'TableFieldSchema.mode', { default: 'NULLABLE' }],
  ['default true', 'ViewDefinition.useLegacySql', { default: true }],
  ['default true', 'MaterializedViewDefinition.enableRefresh', { default: true }],
  ['default 1800000', 'MaterializedViewDefinition.refreshIntervalMs', { default: '1800000' }],
  ['default 0', 'ExternalDataConfiguration.maxBadRecords', { default: 0 }],
  ['default false', 'ExternalDataConfiguration.ignoreUnknownValues', { default: false }],
  ['default NONE', 'ExternalDataConfiguration.compression', { default: 'NONE' }],
  ['deprecated', 'TimePartitioning.requirePartitionFilter', { deprecated: true }],
  ...named(
    'Table',
    `kind selfLink tableReference friendlyName description labels schema timePartitioning rangePartitioning clustering requirePartitionFilter
    expirationTime view materializedView externalDataConfiguration biglakeConfiguration encryptionConfiguration defaultCollation
    defaultRoundingMode maxStaleness tableConstraints resourceTags externalCatalogTableOptions partitionDefinition`,
  ),
  ...named(
    'TableFieldSchema',
    'policyTags.names dataGovernanceTagsInfo.dataGovernanceTags dataPolicyList.dataPolicies roundingMode defaultValueExpression rangeElementType.type',
  ),
  ...named(
    'ExternalDataConfiguration',
    `sourceUris fileSetSpecType schema sourceFormat autodetect csvOptions jsonOptions bigtableOptions googleSheetsOptions hivePartitioningOptions
    connectionId decimalTargetTypes avroOptions jsonExtension parquetOptions referenceFileSchemaUri metadataCacheMode objectMetadata timeZone
    dateFormat datetimeFormat timeFormat timestampFormat`,
  ),
  ...named(
    'ExternalCatalogTableOptions',
    'parameters storageDescriptor.locationUri storageDescriptor.serdeInfo.parameters connectionId',
  ),
  ...named('MaterializedViewDefinition', 'query allowNonIncrementalDefinition'),
  ...named('MaterializedViewStatus', 'refreshWatermark'),
];

export const TABLES_EXTERNAL_RULES: SeedRules = { members: MEMBERS, values: EXTERNAL };
