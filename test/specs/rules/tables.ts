import { type ValueRow, choices, type SeedRules } from '../support/seed-rules.js';

const REFERENCE = { projectId: 'p', datasetId: 'd', tableId: 't' };

/** Rows about tables that differ in some members. */
function table(rule: string, accepted: readonly object[], refused: readonly object[]): ValueRow[] {
  const whole = (change: object): unknown => ({ tableReference: REFERENCE, ...change });
  return choices(rule, 'Table', accepted.map(whole), refused.map(whole));
}

const TABLE: readonly ValueRow[] = [
  ['the reference is required', 'Table', {}, false],
  ...table('unknown members are tolerated', [{ colour: 'red' }], []),
  ...table(
    'int64 values travel as strings',
    [{ expirationTime: '1767225600000' }],
    [{ expirationTime: 1_767_225_600_000 }, { expirationTime: 'soon' }],
  ),
  ...table(
    'label keys and values at most 63 characters',
    [{ labels: { ['a'.repeat(63)]: 'b'.repeat(63) } }],
    [{ labels: { ['a'.repeat(64)]: '' } }, { labels: { a: 'b'.repeat(64) } }],
  ),
  ...table(
    'lower-case letters, digits, underscores, dashes, international characters',
    [{ labels: { 'a_1-b': 'c_2-d', größe: 'été' } }],
    [{ labels: { Abc: '' } }, { labels: { a: 'B' } }, { labels: { 'a b': '' } }, { labels: { a: 'b.c' } }],
  ),
  ...table(
    'label values are optional, keys start with a letter',
    [{ labels: { a: '' } }],
    [{ labels: { '1a': '' } }, { labels: { _a: '' } }, { labels: { '': '' } }],
  ),
  ...table(
    'und:ci or empty',
    [{ defaultCollation: 'und:ci' }, { defaultCollation: '' }],
    [{ defaultCollation: 'und:cs' }],
  ),
  ...table('keys are namespaced', [{ resourceTags: { '123/env': 'prod' } }], [{ resourceTags: { env: 'prod' } }]),
  ...table(
    'clustering goes with time-based partitioning',
    [{ clustering: { fields: ['a'] }, timePartitioning: { type: 'DAY' } }],
    [{ clustering: { fields: ['a'] } }],
  ),
  ...table(
    'requirePartitionFilter is a boolean',
    [{ requirePartitionFilter: true }],
    [{ requirePartitionFilter: 'true' }],
  ),
  ...choices(
    'the type of a table',
    'Table response',
    ['TABLE', 'VIEW', 'EXTERNAL', 'MATERIALIZED_VIEW', 'SNAPSHOT'].map((type) => ({ tableReference: REFERENCE, type })),
    [{ tableReference: REFERENCE, type: 'MODEL' }],
  ),
];

const PARTITIONS: readonly ValueRow[] = [
  ...choices(
    'time units',
    'TimePartitioning',
    ['DAY', 'HOUR', 'MONTH', 'YEAR'].map((type) => ({ type })),
    [{}, { type: 'WEEK' }],
  ),
  ...choices(
    'int64 strings',
    'TimePartitioning',
    [{ type: 'DAY', expirationMs: '1', field: 'a' }],
    [{ type: 'DAY', expirationMs: 1 }],
  ),
  ...choices(
    'all are required int64 strings',
    'RangePartitioning',
    [{ field: 'a', range: { start: '0', end: '10', interval: '1' } }],
    [
      { range: { start: '0', end: '10', interval: '1' } },
      { field: 'a', range: { start: '0', end: '10' } },
      { field: 'a', range: { start: '0', interval: '1' } },
      { field: 'a', range: { end: '10', interval: '1' } },
      { field: 'a', range: { start: 0, end: 10, interval: 1 } },
    ],
  ),
  ...choices(
    'a field is a required string',
    'PartitioningDefinition',
    [{ partitionedColumn: [{ field: 'a' }] }],
    [{ partitionedColumn: [{}] }, { partitionedColumn: [{ field: 1 }] }],
  ),
];

const VIEWS: readonly ValueRow[] = [
  ...choices('the query is required', 'ViewDefinition', [{ query: 'SELECT 1' }], [{}]),
  ...choices(
    'functions are for legacy SQL only',
    'ViewDefinition',
    [{ query: 'q', userDefinedFunctionResources: [{ inlineCode: 'c' }, { resourceUri: 'gs://b/f.js' }] }],
    [{ query: 'q', useLegacySql: false, userDefinedFunctionResources: [{ inlineCode: 'c' }] }],
  ),
  ...choices(
    'a resource or inline code',
    'UserDefinedFunctionResource',
    [{ inlineCode: 'c' }],
    [{}, { inlineCode: 'c', resourceUri: 'u' }],
  ),
  ...choices(
    'one column, and an int64 string',
    'AggregationThresholdPolicy',
    [{ privacyUnitColumns: ['a'], threshold: '10' }],
    [{ privacyUnitColumns: ['a', 'b'] }, { threshold: 10 }],
  ),
  ...choices(
    'the query is required',
    'MaterializedViewDefinition',
    [{ query: 'q', enableRefresh: false, refreshIntervalMs: '1800000' }],
    [{}, { query: 'q', refreshIntervalMs: 1 }],
  ),
];

const LIMITS: readonly ValueRow[] = [
  ...choices('columns are required', 'PrimaryKey', [{ columns: ['a'] }], [{}]),
  ...choices(
    'the referenced table and both columns are required',
    'ForeignKey',
    [{ name: 'k', referencedTable: REFERENCE, columnReferences: [{ referencingColumn: 'a', referencedColumn: 'b' }] }],
    [
      { columnReferences: [] },
      { referencedTable: REFERENCE, columnReferences: [{ referencingColumn: 'a' }] },
      { referencedTable: REFERENCE, columnReferences: [{ referencedColumn: 'b' }] },
    ],
  ),
  ...choices(
    'at most 2056',
    'StorageDescriptor',
    [{ locationUri: 'x'.repeat(2056) }],
    [{ locationUri: 'x'.repeat(2057) }],
  ),
  ...choices(
    'at most 128',
    'StorageDescriptor',
    [{ inputFormat: 'x'.repeat(128), outputFormat: 'x'.repeat(128) }],
    [{ inputFormat: 'x'.repeat(129) }, { outputFormat: 'x'.repeat(129) }],
  ),
  ...choices(
    'the library is required, at most 256',
    'SerDeInfo',
    [{ serializationLibrary: 'x'.repeat(256), name: 'x'.repeat(256) }],
    [{}, { serializationLibrary: 'x'.repeat(257) }, { serializationLibrary: 'x', name: 'x'.repeat(257) }],
  ),
  ...choices(
    'both are required',
    'CloneDefinition response',
    [{ baseTableReference: REFERENCE, cloneTime: '2026-01-01T00:00:00Z' }],
    [
      { cloneTime: '2026-01-01T00:00:00Z' },
      { baseTableReference: REFERENCE },
      { baseTableReference: REFERENCE, cloneTime: '2026-01-01' },
    ],
  ),
  ['the methods of a table', 'insertTable body', { tableReference: REFERENCE }, true],
  ['the methods of a table', 'updateTable body', { tableReference: REFERENCE }, true],
  ['the methods of a table', 'patchTable body', { description: 'Berths' }, true],
  ['the methods of a table', 'getTable 200', { tableReference: REFERENCE }, true],
  ['the methods of a table', 'listTables 200', { tables: [{ tableReference: REFERENCE }] }, true],
  ['the methods of a table', 'testTableIamPermissions 200', { permissions: ['tables.get'] }, true],
];

export const TABLES_RULES: SeedRules = { values: [...TABLE, ...PARTITIONS, ...VIEWS, ...LIMITS] };
