import type { Schema } from '../../model/schema-types.js';
import { COMBINED_CASES } from './combined-cases.js';

/** A rule of JSON Schema 2020-12: a schema, and values that it accepts and refuses. */
export interface KeywordCase {
  readonly rule: string;
  readonly schema: Schema;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Those of `accepts` that are not of the type, which has a tag that no schema states: guards are false for them. */
  readonly mistagged?: readonly unknown[];
}

/** The named schemas that the cases refer to. */
export const CASE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Tree: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
  },
  Base: { type: 'object', properties: { a: { type: 'string' } } },
  Open: { properties: { deeper: { $ref: '#/$defs/Open', unevaluatedProperties: false } } },
  Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, tricks: { type: 'integer' } } },
  Even: { multipleOf: 2 },
  Odd: { not: { $ref: '#/$defs/Even' } },
  Ping: { properties: { pong: { $ref: '#/$defs/Pong' } } },
  Pong: { properties: { ping: { $ref: '#/$defs/Ping' } }, required: ['id'] },
};

const own = (text: string): unknown => JSON.parse(text);

/** Keywords that look at a value by themselves, or at its parts. */
const PLAIN_CASES: readonly KeywordCase[] = [
  { rule: 'true', schema: true, accepts: [null, 1, {}], refuses: [] },
  { rule: 'false', schema: false, accepts: [], refuses: [null, 1, {}] },
  { rule: 'empty', schema: {}, accepts: [null, 'x', []], refuses: [] },
  { rule: 'type string', schema: { type: 'string' }, accepts: ['', 'a'], refuses: [1, null, [], {}] },
  { rule: 'type integer', schema: { type: 'integer' }, accepts: [0, -1, 1.0, 1e300], refuses: [1.5, '1', Number.NaN] },
  { rule: 'type number', schema: { type: 'number' }, accepts: [0.5, 1], refuses: ['1', Number.POSITIVE_INFINITY] },
  { rule: 'type object', schema: { type: 'object' }, accepts: [{}], refuses: [[], null, 'x'] },
  { rule: 'type array', schema: { type: 'array' }, accepts: [[]], refuses: [{}, 'x', null] },
  { rule: 'type null', schema: { type: 'null' }, accepts: [null], refuses: [0, '', false, undefined] },
  { rule: 'type list', schema: { type: ['string', 'null'], minLength: 2 }, accepts: ['ab', null], refuses: ['a', 1] },
  { rule: 'type list with both nests', schema: { type: ['object', 'array'] }, accepts: [{}, []], refuses: [null, 1] },
  {
    rule: 'enum',
    schema: { enum: ['a', 1, null, true] },
    accepts: ['a', 1, null, true],
    refuses: ['b', '1', 0, false],
  },
  {
    rule: 'enum of nests',
    schema: { enum: [{ a: [1] }, [2]] },
    accepts: [{ a: [1] }, [2]],
    refuses: [{ a: [2] }, [], {}],
  },
  { rule: 'empty enum', schema: { enum: [] }, accepts: [], refuses: [null, ''] },
  { rule: 'const', schema: { const: 'a"b\\\n' }, accepts: ['a"b\\\n'], refuses: ['a', null] },
  { rule: 'const null', schema: { const: null }, accepts: [null], refuses: [0, ''] },
  {
    rule: 'const nest',
    schema: { const: { b: 1, a: [{}] } },
    accepts: [{ a: [{}], b: 1 }],
    refuses: [{ a: [[]], b: 1 }],
  },
  { rule: 'const with names of Object', schema: { const: { valueOf: 1 } }, accepts: [{ valueOf: 1 }], refuses: [{}] },
  { rule: 'minimum, maximum', schema: { minimum: 1, maximum: 3 }, accepts: [1, 3, 'x'], refuses: [0.9, 3.1] },
  { rule: 'exclusive bounds', schema: { exclusiveMinimum: 1, exclusiveMaximum: 3 }, accepts: [2], refuses: [1, 3] },
  {
    rule: 'multipleOf cents',
    schema: { multipleOf: 0.01 },
    accepts: [0.07, 1.1, 4.35, 19.99, -0.03, 0],
    refuses: [0.075, 1.001],
  },
  { rule: 'multipleOf small', schema: { multipleOf: 1e-8 }, accepts: [12391239123, 1e-8], refuses: [1e-9] },
  { rule: 'multipleOf large', schema: { multipleOf: 3 }, accepts: [9e15, 3], refuses: [1, 9e15 + 1] },
  {
    rule: 'lengths in code points',
    schema: { minLength: 2, maxLength: 2 },
    accepts: ['ab', '💩💩'],
    refuses: ['💩', 'abc', 'a'],
  },
  { rule: 'pattern', schema: { pattern: '^\\p{L}+$' }, accepts: ['é', 1], refuses: ['1', ''] },
  { rule: 'pattern with quotes', schema: { pattern: '^["\'`/\\\\]+$' }, accepts: ['"\'`/\\'], refuses: ['a'] },
  { rule: 'format', schema: { format: 'date-time' }, accepts: ['2026-01-01T00:00:00Z', 5], refuses: ['2026-01-01'] },
  {
    rule: 'format by type',
    schema: { format: 'int64' },
    accepts: [1, '9223372036854775807'],
    refuses: [1.5, '9223372036854775808'],
  },
  { rule: 'format that is not known', schema: { format: 'colour' }, accepts: ['x'], refuses: [] },
  {
    rule: 'required',
    schema: { required: ['a', 'b c'] },
    accepts: [{ a: 1, 'b c': null }, []],
    refuses: [{ a: 1 }, { a: undefined, 'b c': 1 }],
  },
  {
    rule: 'required names of Object',
    schema: { required: ['constructor', '__proto__'] },
    accepts: [own('{"constructor":1,"__proto__":2}')],
    refuses: [{}, { constructor: 1 }],
  },
  {
    rule: 'properties',
    schema: { type: 'object', properties: { a: { type: 'string' }, 'b"c': { type: 'number' } } },
    accepts: [{}, { a: 'x' }],
    refuses: [{ a: 1 }, { 'b"c': '1' }],
  },
  {
    rule: 'properties with names of Object',
    schema: {
      properties: Object.fromEntries(
        ['__proto__', 'toString', 'constructor'].map((name) => [name, { type: 'number' } as const]),
      ),
    },
    accepts: [{}, [], own('{"__proto__":1}')],
    refuses: [own('{"__proto__":"x"}'), { toString: 'x' }, { constructor: {} }],
  },
  {
    rule: 'patternProperties',
    schema: { patternProperties: { '^x-': { type: 'number' }, '/': false } },
    accepts: [{ 'x-a': 1, b: 'c' }],
    refuses: [{ 'x-~/': 'x' }, { '/': 1 }],
  },
  {
    rule: 'additionalProperties false',
    schema: { properties: { a: true }, patternProperties: { '^b': true }, additionalProperties: false },
    accepts: [{ a: 1, bc: 2 }],
    refuses: [{ c: 1 }],
  },
  {
    rule: 'additionalProperties beside many',
    schema: {
      properties: Object.fromEntries([...'abcdefghij', 'a"b'].map((name) => [name, true] as const)),
      additionalProperties: false,
    },
    accepts: [{ a: 1, j: 2, 'a"b': 3 }],
    refuses: [{ toString: 1 }, { k: 1 }],
  },
  {
    rule: 'additionalProperties schema',
    schema: { additionalProperties: { type: 'number' } },
    accepts: [{ a: 1 }],
    refuses: [{ 'a/b~c': 'x' }],
  },
  { rule: 'propertyNames', schema: { propertyNames: { maxLength: 2 } }, accepts: [{ ab: 1 }], refuses: [{ abc: 1 }] },
  {
    rule: 'minProperties, maxProperties',
    schema: { minProperties: 1, maxProperties: 2 },
    accepts: [{ a: 1 }],
    refuses: [{}, { a: 1, b: 2, c: 3 }],
  },
  {
    rule: 'dependentRequired',
    schema: { dependentRequired: { a: ['b', 'c'] } },
    accepts: [{}, { a: 1, b: 2, c: 3 }],
    refuses: [{ a: 1 }, { a: 1, b: 2 }],
  },
  {
    rule: 'dependentSchemas',
    schema: { dependentSchemas: { a: { required: ['b'] } } },
    accepts: [{ b: 1 }, { a: 1, b: 1 }],
    refuses: [{ a: 1 }],
  },
  { rule: 'items', schema: { items: { type: 'number' } }, accepts: [[], [1, 2], {}], refuses: [[1, 'x', null]] },
  {
    rule: 'prefixItems',
    schema: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    accepts: [[], ['a'], ['a', 1]],
    refuses: [[1], ['a', 1, 2]],
  },
  { rule: 'contains', schema: { contains: { type: 'number' } }, accepts: [['a', 1]], refuses: [[], ['a']] },
  {
    rule: 'contains with bounds',
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    accepts: [
      [1, 1],
      [1, 1, 0, 1],
    ],
    refuses: [[1], [1, 1, 1, 1]],
  },
  { rule: 'minContains 0', schema: { contains: { const: 1 }, minContains: 0 }, accepts: [[], [2]], refuses: [] },
  { rule: 'minItems, maxItems', schema: { minItems: 1, maxItems: 2 }, accepts: [[1]], refuses: [[], [1, 2, 3]] },
  {
    rule: 'uniqueItems',
    schema: { uniqueItems: true },
    accepts: [
      [1, '1', true, {}],
      [{ a: 1 }, { a: 2 }],
      [[1], 1],
    ],
    refuses: [
      [1, 2, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['__proto__', '__proto__'],
      [{ valueOf: 1 }, { valueOf: 1 }],
    ],
  },
  {
    rule: 'uniqueItems beside a type',
    schema: { uniqueItems: true, items: { type: 'string' } },
    accepts: [['a', 'b']],
    refuses: [
      ['a', 'a'],
      ['__proto__', '__proto__'],
    ],
  },
];

export const KEYWORD_CASES: readonly KeywordCase[] = [...PLAIN_CASES, ...COMBINED_CASES];
