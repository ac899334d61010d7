import { type ValueRow, choices, type SeedRules, words } from '../support/seed-rules.js';

/** Rows about fields of a schema that differ in some members. */
function field(rule: string, accepted: readonly object[], refused: readonly object[]): ValueRow[] {
  const whole = (change: object): unknown => ({ name: 'a', ...change });
  return choices(rule, 'TableFieldSchema', accepted.map(whole), refused.map(whole));
}

const FIELD: readonly ValueRow[] = [
  ...field('both are required', [{ type: 'DATE' }], [{}]),
  ['both are required', 'TableFieldSchema', { type: 'DATE' }, false],
  ...choices(
    'letters, digits, underscores, starting with a letter or underscore, at most 300',
    'TableFieldSchema',
    ['a', '_a1', 'a'.repeat(300)].map((name) => ({ name, type: 'DATE' })),
    ['1a', 'a-b', 'a b', '', 'a'.repeat(301)].map((name) => ({ name, type: 'DATE' })),
  ),
  ...field(
    'field types',
    words(
      `STRING BYTES INTEGER INT64 FLOAT FLOAT64 BOOLEAN BOOL TIMESTAMP DATE TIME DATETIME GEOGRAPHY NUMERIC BIGNUMERIC
      JSON`,
    ).map((type) => ({ type })),
    [{ type: 'string' }, { type: 'UUID' }],
  ),
  ...field(
    'modes',
    ['NULLABLE', 'REQUIRED', 'REPEATED'].map((mode) => ({ type: 'DATE', mode })),
    [{ type: 'DATE', mode: 'OPTIONAL' }],
  ),
  ...['RECORD', 'STRUCT'].flatMap((type) =>
    field('a nested schema', [{ type, fields: [{ name: 'b', type: 'DATE' }] }], [{ type }]),
  ),
  ...field('nested fields when the type is RECORD', [], [{ type: 'DATE', fields: [{ name: 'b', type: 'DATE' }] }]),
  ...field(
    'at most 1,024 characters',
    [{ type: 'DATE', description: 'x'.repeat(1024) }],
    [{ type: 'DATE', description: 'x'.repeat(1025) }],
  ),
  ...field(
    'at most 1 policy tag',
    [{ type: 'DATE', policyTags: { names: ['a'] } }],
    [{ type: 'DATE', policyTags: { names: ['a', 'b'] } }],
  ),
  ...field(
    'one governance tag at most',
    [{ type: 'DATE', dataGovernanceTagsInfo: { dataGovernanceTags: { 'p/a': '1' } } }],
    [{ type: 'DATE', dataGovernanceTagsInfo: { dataGovernanceTags: { 'p/a': '1', 'p/b': '2' } } }],
  ),
  ...field(
    'an empty object clears the tags',
    [{ type: 'DATE', dataGovernanceTagsInfo: { dataGovernanceTags: {} } }],
    [],
  ),
  ...field(
    'the name of a data policy',
    [{ type: 'DATE', dataPolicies: [{ name: 'projects/p/locations/l/dataPolicies/i' }] }],
    [{ type: 'DATE', dataPolicies: [{ name: 'i' }] }],
  ),
  ...field(
    'at most 9 policies',
    [{ type: 'DATE', dataPolicyList: { dataPolicies: Array.from({ length: 9 }, () => ({})) } }],
    [{ type: 'DATE', dataPolicyList: { dataPolicies: Array.from({ length: 10 }, () => ({})) } }],
  ),
  ...field(
    'only for STRING and BYTES',
    [
      { type: 'STRING', maxLength: '9' },
      { type: 'BYTES', maxLength: '9' },
    ],
    [
      { type: 'INT64', maxLength: '9' },
      { type: 'STRING', maxLength: 9 },
    ],
  ),
  ...field(
    'collation is for STRING only',
    [
      { type: 'STRING', collation: 'und:ci' },
      { type: 'STRING', collation: '' },
    ],
    [
      { type: 'BYTES', collation: '' },
      { type: 'STRING', collation: 'x' },
    ],
  ),
  ...field(
    'required when the type is RANGE',
    [{ type: 'RANGE', rangeElementType: { type: 'DATETIME' } }],
    [{ type: 'RANGE' }, { type: 'RANGE', rangeElementType: { type: 'TIME' } }],
  ),
  ...field(
    'modes of generation',
    ['GENERATED_MODE_UNSPECIFIED', 'GENERATED_ALWAYS', 'GENERATED_BY_DEFAULT'].map((generatedMode) => ({
      type: 'DATE',
      generatedColumn: { generatedMode },
    })),
    [{ type: 'DATE', generatedColumn: { generatedMode: 'NEVER' } }],
  ),
  ...field(
    'generated columns are top-level only',
    [
      {
        type: 'DATE',
        generatedColumn: { generatedExpressionInfo: { generationExpression: 'a', asynchronous: true, stored: false } },
      },
    ],
    [
      { type: 'RECORD', fields: [{ name: 'b', type: 'DATE', generatedColumn: {} }] },
      {
        type: 'RECORD',
        fields: [{ name: 'b', type: 'RECORD', fields: [{ name: 'c', type: 'DATE', generatedColumn: {} }] }],
      },
    ],
  ),
];

/** Rows about the digits of decimal fields. */
function decimal(rule: string, type: string, accepted: readonly Digits[], refused: readonly Digits[]): ValueRow[] {
  const whole = ([precision, scale]: Digits): object => ({
    type,
    precision,
    ...(scale === undefined ? {} : { scale }),
  });
  return field(rule, accepted.map(whole), refused.map(whole));
}

type Digits = readonly [precision: string, scale?: string];

const DECIMALS: readonly ValueRow[] = [
  ...decimal('precision alone is 1 to 29', 'NUMERIC', [['1'], ['29']], [['0'], ['30']]),
  ...decimal(
    'precision - scale is 1 to 29, scale 0 to 9',
    'NUMERIC',
    [
      ['29', '0'],
      ['38', '9'],
      ['10', '9'],
    ],
    [
      ['30', '0'],
      ['9', '9'],
      ['39', '9'],
      ['11', '10'],
    ],
  ),
  ...decimal('precision alone is 1 to 38', 'BIGNUMERIC', [['1'], ['38']], [['0'], ['39']]),
  ...decimal(
    'precision - scale is 1 to 38, scale 0 to 38',
    'BIGNUMERIC',
    [
      ['38', '0'],
      ['76', '38'],
      ['39', '38'],
      ['21', '20'],
      ['58', '20'],
    ],
    [
      ['39', '0'],
      ['77', '38'],
      ['38', '38'],
      ['40', '39'],
      ['20', '20'],
      ['59', '20'],
    ],
  ),
  ...decimal('only for NUMERIC and BIGNUMERIC', 'FLOAT', [], [['5'], ['5', '1']]),
  ...field(
    'scale without precision is invalid',
    [],
    [
      { type: 'NUMERIC', scale: '2' },
      { type: 'BIGNUMERIC', scale: '2' },
    ],
  ),
];

export const TABLES_FIELDS_RULES: SeedRules = { values: [...FIELD, ...DECIMALS] };
