import { describe, expect, it } from 'vitest';

import { openTables } from './tables-mock.js';

const text = { name: 'a', type: 'STRING' };
const decimal = { name: 'n', type: 'NUMERIC' };
const record = { name: 'r', type: 'RECORD', fields: [text, { name: 'b', type: 'BIGNUMERIC' }] };
const DEFAULTS = { defaultCollation: 'und:ci', defaultRoundingMode: 'ROUND_HALF_EVEN' };

const collated = { collation: 'und:ci' };
const rounded = { roundingMode: 'ROUND_HALF_EVEN' };

describe('defaults for fields', () => {
  it('the fields of a new table take the defaults, nested ones too', async () => {
    await using tables = await openTables();
    const fields = [text, decimal, record, { name: 'd', type: 'DATE' }];
    const { json } = await tables.insert('t', { ...DEFAULTS, schema: { fields } });
    expect(json['schema']).toEqual({
      fields: [
        { ...text, mode: 'NULLABLE', ...collated },
        { ...decimal, mode: 'NULLABLE', ...rounded },
        {
          ...{ name: 'r', type: 'RECORD', mode: 'NULLABLE' },
          fields: [
            { ...text, mode: 'NULLABLE', ...collated },
            { name: 'b', type: 'BIGNUMERIC', mode: 'NULLABLE', ...rounded },
          ],
        },
        { name: 'd', type: 'DATE', mode: 'NULLABLE' },
      ],
    });
  });

  it('a member of a field overrides the default', async () => {
    await using tables = await openTables();
    const own = [
      { ...text, mode: 'NULLABLE', collation: '' },
      { ...decimal, mode: 'NULLABLE', roundingMode: 'ROUND_HALF_AWAY_FROM_ZERO' },
    ];
    const { json } = await tables.insert('t', { ...DEFAULTS, schema: { fields: own } });
    expect(json['schema']).toEqual({ fields: own });
  });

  it.each(['PATCH', 'PUT'])('affect only fields that are added later (%s)', async (method) => {
    await using tables = await openTables();
    await tables.insert('t', { schema: { fields: [text, decimal] } });
    const added = { name: 'z', type: 'STRING' };
    const change = { ...DEFAULTS, schema: { fields: [text, decimal, added] } };
    const reference = { tableReference: { projectId: 'p', datasetId: 'd', tableId: 't' } };
    const { json } = await tables.call(method, '/t', { ...reference, ...change });
    expect(json['schema']).toEqual({
      fields: [
        { ...text, mode: 'NULLABLE' },
        { ...decimal, mode: 'NULLABLE' },
        { ...added, mode: 'NULLABLE', ...collated },
      ],
    });
  });

  it('fields keep their defaults when the defaults of the table change', async () => {
    await using tables = await openTables();
    await tables.insert('t', { ...DEFAULTS, schema: { fields: [text, decimal] } });
    const change = {
      defaultCollation: '',
      defaultRoundingMode: 'ROUND_HALF_AWAY_FROM_ZERO',
      schema: { fields: [text, decimal] },
    };
    const { json } = await tables.call('PATCH', '/t', change);
    expect(json['schema']).toEqual({
      fields: [
        { ...text, mode: 'NULLABLE', ...collated },
        { ...decimal, mode: 'NULLABLE', ...rounded },
      ],
    });
  });
});

describe('decimal target types', () => {
  it.each([
    ['ORC', ['NUMERIC', 'STRING']],
    ['PARQUET', ['NUMERIC']],
  ])('the decimal target types of %s are %j by default', async (sourceFormat, decimalTargetTypes) => {
    await using tables = await openTables();
    const external = { sourceUris: ['gs://b/x'], sourceFormat };
    const { json } = await tables.insert('t', { externalDataConfiguration: external });
    expect(json['externalDataConfiguration']).toMatchObject({ decimalTargetTypes });
    const named = await tables.insert('u', {
      externalDataConfiguration: { ...external, decimalTargetTypes: ['BIGNUMERIC'] },
    });
    expect(named.json['externalDataConfiguration']).toMatchObject({ decimalTargetTypes: ['BIGNUMERIC'] });
  });

  it('decimal target types follow a changed format', async () => {
    await using tables = await openTables();
    await tables.insert('t', { externalDataConfiguration: { sourceUris: ['gs://b/x'], sourceFormat: 'ORC' } });
    const { json } = await tables.call('PATCH', '/t', { externalDataConfiguration: { sourceFormat: 'AVRO' } });
    expect(json['externalDataConfiguration']).toMatchObject({ decimalTargetTypes: ['NUMERIC'] });
  });
});
