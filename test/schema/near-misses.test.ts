import { describe, expect, test } from 'vitest';

import type { Schema } from '../../model/schema-types.js';
import { boundaryValues } from '../../schema/boundary-values.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { nearMisses } from '../../schema/near-misses.js';
import { buildApi } from '../support/build-api.js';

const api = buildApi({ schemas: { Name: { type: 'string', minLength: 2, maxLength: 4 } } });
const options = { api, direction: 'request' } as const;

const CASES: readonly (readonly [string, Schema, unknown, readonly string[]])[] = [
  ['numbers', { type: 'integer', minimum: 1, maximum: 9 }, 5, ['type', 'minimum', 'maximum']],
  ['multiples', { type: 'number', multipleOf: 0.5, exclusiveMinimum: 0 }, 1, ['multipleOf', 'exclusiveMinimum']],
  ['texts behind a reference', { $ref: '#/$defs/Name' }, 'abc', ['minLength', 'maxLength', 'type']],
  ['patterns', { type: 'string', pattern: '^[0-9]{3}$' }, '123', ['pattern']],
  ['formats', { type: 'string', format: 'date' }, '2026-01-01', ['format']],
  ['formats with strange names', { type: 'string', format: 'constructor' }, 'x', ['type']],
  ['choices', { enum: ['a', 'b'] }, 'a', ['enum']],
  [
    'lists',
    { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'integer' } },
    [1, 2],
    ['minItems', 'maxItems', 'uniqueItems', 'type'],
  ],
  [
    'objects',
    { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false },
    { a: 1 },
    ['required', 'additionalProperties', 'type'],
  ],
  [
    'parts of a whole',
    { allOf: [{ required: ['a'] }, { properties: { a: { maximum: 3 } } }] },
    { a: 1 },
    ['required', 'maximum'],
  ],
];

describe('near misses', () => {
  test.each(CASES)('%s: each near miss breaks one keyword and is invalid', (_, schema, value, keywords) => {
    const misses = nearMisses(schema, value, options);
    expect(misses.map(({ keyword }) => keyword)).toEqual(expect.arrayContaining([...keywords]));
    const validate = compileValidator(api, schema, { direction: 'request' });
    for (const miss of misses) expect(validate(miss.value)).not.toEqual([]);
  });
});

describe('boundary values', () => {
  test.each(CASES)('%s: each boundary value is valid and differs from the given value', (_, schema, value) => {
    const validate = compileValidator(api, schema, { direction: 'request' });
    for (const edge of boundaryValues(schema, value, options)) {
      expect(validate(edge.value)).toEqual([]);
      expect(edge.value).not.toEqual(value);
    }
  });

  test('boundary values include both bounds and each choice', () => {
    expect(boundaryValues({ type: 'integer', minimum: 1, maximum: 9 }, 5, options).map(({ value }) => value)).toEqual([
      1, 9,
    ]);
    expect(boundaryValues({ enum: ['a', 'b'] }, 'a', options).map(({ value }) => value)).toEqual(['b']);
  });
});
