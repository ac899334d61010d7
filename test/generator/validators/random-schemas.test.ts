import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { buildApi } from '../../support/build-api.js';
import { emitValidators, importEmitted } from '../../support/emit-validators.js';
import { CASE_SCHEMAS } from '../../support/keyword-cases.js';
import { holdsFor } from '../../support/schema-oracle.js';

const NAMES = ['a', 'b', 'c', '__proto__', 'x/y'] as const;
const PATTERNS = ['^a', 'b|c'] as const;
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] as const;

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, 2.5, 'a', 'bc', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const schemas = fc.letrec<{ schema: Schema }>((tie) => {
  const schema = tie('schema');
  const list = fc.array(schema, { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 2 });
  const parts = {
    type: fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 2 }),
    ),
    enum: fc.uniqueArray(values, { minLength: 1, maxLength: 3 }),
    const: values,
    minimum: fc.constantFrom(0, 2),
    maxLength: fc.constantFrom(0, 1),
    required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), schema, { maxKeys: 1 }),
    additionalProperties: schema,
    propertyNames: schema,
    dependentSchemas: map,
    items: schema,
    prefixItems: list,
    contains: schema,
    minContains: fc.constantFrom(0, 1, 2),
    uniqueItems: fc.boolean(),
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    unevaluatedProperties: schema,
    unevaluatedItems: schema,
    $ref: fc.constantFrom('#/$defs/Tree', '#/$defs/Base', '#/$defs/Open', '#/$defs/Odd'),
  };
  const keywords = Object.keys(parts) as (keyof typeof parts)[];
  const object = fc.subarray(keywords, { minLength: 0, maxLength: 3 }).chain((chosen) => {
    return fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, parts[keyword]]))) as fc.Arbitrary<Schema>;
  });
  return { schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), object) };
}).schema;

describe('for any schema and value', () => {
  const chosen = fc.sample(schemas, { numRuns: 400, seed: 20260101 });
  const named = chosen.map((schema, index): [string, Schema] => [`Random${index}`, schema]);
  const samples = fc.sample(values, { numRuns: 60, seed: 20260102 });
  const api = buildApi({ schemas: { ...CASE_SCHEMAS, ...Object.fromEntries(named) } });

  test('the compiled validator accepts the same values as the specification', () => {
    const wrong: unknown[] = [];
    for (const [name, schema] of named) {
      const validate = compileValidator(api, { $ref: `#/$defs/${name}` }, { direction: 'response' });
      for (const value of samples) {
        const isValid = validate(value).length === 0;
        if (isValid !== holdsFor(schema, value, CASE_SCHEMAS)) wrong.push({ schema, value, isValid });
      }
    }

    expect(wrong).toEqual([]);
  });

  test('the emitted code gives the same errors as the validator in process', async () => {
    const emitted = await importEmitted(await emitValidators(api), 'validators');
    const wrong: unknown[] = [];
    for (const [name, schema] of named) {
      const validate = compileValidator(api, { $ref: `#/$defs/${name}` }, { direction: 'response' });
      for (const value of samples) {
        const errors = validate(value);
        const expected = errors.length === 0 ? { ok: true, value } : { ok: false, errors };
        const response = emitted[`validate${name}`]?.(value);
        if (JSON.stringify(response) !== JSON.stringify(expected)) wrong.push({ schema, value, response, expected });
      }
    }

    expect(wrong).toEqual([]);
  });
});
