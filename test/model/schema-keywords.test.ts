import { describe, expect, test } from 'vitest';

import { type SchemaDialectUnderTest, readSchema } from '../support/read-schema.js';

type Row = readonly [dialect: SchemaDialectUnderTest, given: unknown, want: unknown, codes?: readonly string[]];

const pet = { Pet: { type: 'object' } };

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  nullable: [
    ['3.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['3.0', { type: 'string', nullable: false }, { type: 'string' }],
    ['3.0', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['3.0', { type: 'string', nullable: true, enum: ['a', null] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['3.0', { nullable: true, enum: ['a'] }, { anyOf: [{ enum: ['a'] }, { type: 'null' }] }],
    [
      '3.0',
      { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }], description: 'd', 'x-a': 1 },
      { description: 'd', 'x-a': 1, anyOf: [{ allOf: [{ $ref: '#/$defs/Pet' }] }, { type: 'null' }] },
    ],
    [
      '3.0',
      { type: 'object', nullable: true, oneOf: [{ type: 'object' }] },
      { anyOf: [{ type: 'object', oneOf: [{ type: 'object' }] }, { type: 'null' }] },
    ],
    ['3.0', { nullable: true }, {}],
    ['3.0', { nullable: true, description: 'd' }, { description: 'd' }],
    ['3.0', { $ref: '#/components/schemas/Pet', nullable: true }, { $ref: '#/$defs/Pet' }],
    ['3.0', { type: 'string', nullable: 'yes' }, { type: 'string' }, ['keyword-shape']],
    ['2.0', { type: 'string', 'x-nullable': true }, { type: ['string', 'null'] }],
    ['2.0', { type: 'string', nullable: true }, { type: 'string' }, ['keyword-ignored']],
    ['3.1', { type: 'string', nullable: true }, { type: 'string' }, ['keyword-ignored']],
    ['3.1', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ],
  bounds: [
    ['3.0', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['3.0', { exclusiveMaximum: true, maximum: 9 }, { exclusiveMaximum: 9 }],
    ['3.0', { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    ['3.0', { exclusiveMinimum: true }, {}],
    ['3.0', { exclusiveMinimum: 1 }, {}, ['keyword-shape']],
    ['draft-04', { maximum: 9, exclusiveMaximum: true }, { exclusiveMaximum: 9 }],
    ['draft-06', { maximum: 9, exclusiveMaximum: 5 }, { maximum: 9, exclusiveMaximum: 5 }],
    ['3.1', { exclusiveMinimum: 0 }, { exclusiveMinimum: 0 }],
    ['3.1', { minimum: 1, exclusiveMinimum: true }, { minimum: 1 }, ['keyword-shape']],
    ['3.1', { multipleOf: 0.5 }, { multipleOf: 0.5 }],
    ['3.1', { multipleOf: 0 }, {}, ['keyword-shape']],
    ['3.1', { minLength: -1 }, {}, ['keyword-shape']],
    ['3.1', { minLength: 2.5 }, {}, ['keyword-shape']],
    ['3.1', { minLength: 2, maxLength: 3 }, { minLength: 2, maxLength: 3 }],
  ],
  types: [
    ['2.0', { type: 'file' }, { type: 'string', format: 'binary' }],
    ['3.0', { type: 'file' }, {}, ['keyword-shape']],
    ['3.1', { type: ['string'] }, { type: 'string' }],
    ['3.1', { type: ['string', 'integer', 'string'] }, { type: ['string', 'integer'] }],
    ['3.1', { type: [] }, {}, ['keyword-shape']],
    ['3.1', { type: 'text' }, {}, ['keyword-shape']],
    ['3.1', { const: null }, { const: null }],
    ['3.1', { enum: [1, 'a', null] }, { enum: [1, 'a', null] }],
    ['3.0', { const: 'a' }, {}, ['keyword-ignored']],
    ['3.1', true, true],
    ['3.1', false, false],
    ['3.1', 'text', true, ['schema-shape']],
    ['3.1', null, true, ['schema-shape']],
  ],
  examples: [
    ['3.0', { example: 'a' }, { examples: ['a'] }],
    ['3.0', { examples: ['a'] }, {}, ['keyword-ignored']],
    ['3.1', { example: 'a', examples: ['b'] }, { examples: ['a', 'b'] }],
    ['3.1', { examples: ['b'], example: null }, { examples: ['b', null] }],
    ['3.1', { examples: 'b' }, {}, ['keyword-shape']],
    ['2.0', { example: { a: 1 } }, { examples: [{ a: 1 }] }],
    ['draft-07', { examples: [1] }, { examples: [1] }],
    ['draft-04', { examples: [1] }, {}, ['keyword-ignored']],
  ],
  'siblings of $ref': [
    ['2.0', { $ref: '#/definitions/Pet', description: 'd' }, { $ref: '#/$defs/Pet' }],
    ['3.0', { $ref: '#/components/schemas/Pet', readOnly: true }, { $ref: '#/$defs/Pet' }],
    ['3.1', { $ref: '#/components/schemas/Pet', readOnly: true }, { $ref: '#/$defs/Pet', readOnly: true }],
    ['draft-07', { $ref: '#/definitions/Pet', minProperties: 1 }, { $ref: '#/$defs/Pet' }],
    ['2019-09', { $ref: '#/$defs/Pet', minProperties: 1 }, { $ref: '#/$defs/Pet', minProperties: 1 }],
    ['3.1', { $ref: 1 }, {}, ['keyword-shape']],
    ['3.1', { properties: { $ref: { type: 'string' } } }, { properties: { $ref: { type: 'string' } } }],
  ],
  arrays: [
    [
      'draft-07',
      { items: [true, { type: 'null' }], additionalItems: false },
      { prefixItems: [true, { type: 'null' }], items: false },
    ],
    ['draft-07', { items: { type: 'null' }, additionalItems: false }, { items: { type: 'null' } }],
    ['draft-07', { additionalItems: false }, {}],
    ['2019-09', { items: [true], additionalItems: { type: 'null' } }, { prefixItems: [true], items: { type: 'null' } }],
    ['2020-12', { prefixItems: [true], items: false }, { prefixItems: [true], items: false }],
    ['2020-12', { items: [true] }, {}, ['keyword-shape']],
    ['2020-12', { additionalItems: false }, {}, ['keyword-ignored']],
    ['draft-07', { prefixItems: [true] }, {}, ['keyword-ignored']],
    ['2019-09', { contains: true, minContains: 0, maxContains: 2 }, { contains: true, minContains: 0, maxContains: 2 }],
    ['draft-06', { contains: true, minContains: 0 }, { contains: true }, ['keyword-ignored']],
    ['3.1', { uniqueItems: 'yes' }, {}, ['keyword-shape']],
  ],
  dependencies: [
    [
      'draft-07',
      { dependencies: { a: ['b'], c: { type: 'object' }, d: false } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { type: 'object' }, d: false } },
    ],
    ['draft-07', { dependencies: { a: [1] } }, { dependentSchemas: { a: true } }, ['schema-shape']],
    ['draft-07', { dependencies: [] }, {}, ['keyword-shape']],
    [
      '2019-09',
      { dependentRequired: { a: ['b'] }, dependencies: { c: ['d'] } },
      { dependentRequired: { a: ['b'], c: ['d'] } },
    ],
    [
      '2020-12',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: true } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: true } },
    ],
    ['draft-07', { dependentRequired: { a: ['b'] } }, {}, ['keyword-ignored']],
  ],
  objects: [
    ['3.1', { required: ['a', 1] }, {}, ['keyword-shape']],
    ['3.1', { required: true }, {}, ['keyword-shape']],
    [
      '3.1',
      { additionalProperties: false, patternProperties: { '^x': { type: 'null' } } },
      { additionalProperties: false, patternProperties: { '^x': { type: 'null' } } },
    ],
    ['3.0', { patternProperties: { '^x': { type: 'string' } } }, {}, ['keyword-ignored']],
    [
      '3.1',
      { unevaluatedProperties: false, propertyNames: { maxLength: 3 } },
      { unevaluatedProperties: false, propertyNames: { maxLength: 3 } },
    ],
    ['draft-06', { propertyNames: false, const: 1 }, { propertyNames: false, const: 1 }],
    ['3.1', { properties: [] }, {}, ['keyword-shape']],
    [
      '3.1',
      JSON.parse('{"properties":{"__proto__":{"type":"null"},"constructor":true}}'),
      JSON.parse('{"properties":{"__proto__":{"type":"null"},"constructor":true}}'),
    ],
  ],
  conditions: [
    ['draft-07', { if: true, then: { type: 'null' }, else: false }, { if: true, then: { type: 'null' }, else: false }],
    ['draft-06', { if: true }, {}, ['keyword-ignored']],
    [
      '3.1',
      { not: {}, allOf: [true], anyOf: [false], oneOf: [{}] },
      { not: {}, allOf: [true], anyOf: [false], oneOf: [{}] },
    ],
    ['2.0', { allOf: [{ type: 'object' }] }, { allOf: [{ type: 'object' }] }],
    ['2.0', { oneOf: [{}] }, {}, ['keyword-ignored']],
    ['3.1', { allOf: {} }, {}, ['keyword-shape']],
  ],
  annotations: [
    [
      '3.1',
      { title: 't', description: 'd', default: null, deprecated: true, readOnly: true, writeOnly: false },
      { title: 't', description: 'd', default: null, deprecated: true, readOnly: true, writeOnly: false },
    ],
    ['2.0', { readOnly: true, xml: {}, externalDocs: {} }, { readOnly: true }],
    ['2.0', { writeOnly: true }, {}, ['keyword-ignored']],
    ['3.1', { 'x-enum-any-case': true, unknownWord: 1 }, { 'x-enum-any-case': true }],
    [
      '3.1',
      { $comment: 'c', contentEncoding: 'base64', contentMediaType: 'image/png' },
      { contentEncoding: 'base64', contentMediaType: 'image/png' },
    ],
    ['3.1', { description: 1 }, {}, ['keyword-shape']],
    ['2019-09', { contentSchema: { type: 'null' } }, { contentSchema: { type: 'null' } }],
  ],
  'a $schema of its own': [
    [
      '3.1',
      { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
      { exclusiveMinimum: 1 },
    ],
    ['3.1', { $schema: 'https://example.com/mine', const: 1 }, { const: 1 }, ['schema-dialect']],
  ],
};

describe.each(Object.entries(TABLES))('%s', (_topic, rows) => {
  const cases = rows.map(([dialect, given, want, codes = []]) => ({ dialect, given, want, codes }));
  test.each(cases)('$dialect $given', async ({ dialect, given, want, codes }) => {
    const read = await readSchema(dialect, given, pet);
    expect(read.schema).toEqual(want);
    expect(read.codes).toEqual(codes);
  });
});
