import type { Schema } from '../../model/schema-types.js';
import type { KeywordCase } from './keyword-cases.js';

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/** Keywords that combine schemas, and those that depend on what other schemas have looked at. */
export const COMBINED_CASES: readonly KeywordCase[] = [
  { rule: 'allOf', schema: { allOf: [{ minimum: 1 }, { maximum: 2 }] }, accepts: [1, 2], refuses: [0, 3] },
  { rule: 'anyOf', schema: { anyOf: [{ type: 'string' }, { minimum: 2 }] }, accepts: ['a', 2], refuses: [1] },
  {
    rule: 'anyOf of anyOf',
    schema: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
    accepts: ['a', 1, null],
    refuses: [true],
  },
  { rule: 'oneOf', schema: { oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] }, accepts: [3, 5], refuses: [15, 1] },
  {
    rule: 'not',
    schema: { not: { type: 'object', required: ['a'], properties: { a: { enum: ['x'] } } } },
    accepts: [{}, { a: 'y' }],
    refuses: [{ a: 'x' }],
  },
  {
    rule: 'if, then, else',
    schema: {
      if: { required: ['a'], properties: { a: { const: 1 } } },
      then: { required: ['b'] },
      else: { required: ['c'] },
    },
    accepts: [{ a: 1, b: 1 }, { c: 1 }],
    refuses: [{ a: 1 }, { a: 2 }],
  },
  { rule: 'if without then', schema: { if: { type: 'string' }, else: { minimum: 1 } }, accepts: ['', 1], refuses: [0] },
  {
    rule: 'ref',
    schema: ref('Tree'),
    accepts: [{ value: 1, children: [{ value: 2 }] }],
    refuses: [{ value: 1, children: [{ value: 2, children: [{}] }] }],
  },
  {
    rule: 'ref with siblings',
    schema: { $ref: '#/$defs/Base', required: ['a'] },
    accepts: [{ a: 'x' }],
    refuses: [{}, { a: 1 }],
  },
  {
    rule: 'refs around',
    schema: ref('Ping'),
    accepts: [{ pong: { id: 1, ping: { pong: { id: 2 } } } }],
    refuses: [{ pong: { id: 1, ping: { pong: {} } } }],
  },
  { rule: 'ref below not', schema: ref('Odd'), accepts: [1], refuses: [2] },
  {
    rule: 'unevaluatedProperties',
    schema: { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    accepts: [{ a: 1, b: 2 }],
    refuses: [{ c: 1 }],
  },
  {
    rule: 'unevaluatedProperties across ref',
    schema: { allOf: [ref('Base')], properties: { b: true }, unevaluatedProperties: false },
    accepts: [{ a: 'x', b: 2 }],
    refuses: [{ c: 1 }, { a: 1 }],
  },
  {
    rule: 'unevaluatedProperties by branch',
    schema: {
      anyOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: true }, required: ['b'] },
      ],
      unevaluatedProperties: { type: 'string' },
    },
    accepts: [{ a: 1 }, { b: 2 }, { b: 2, a: 'x' }, { a: 1, b: 2 }],
    refuses: [{ b: 2, a: 3 }],
  },
  {
    rule: 'unevaluatedProperties by condition',
    schema: {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      then: { properties: { b: true } },
      else: { properties: { c: true } },
      unevaluatedProperties: false,
    },
    accepts: [{ a: 1, b: 2 }, { c: 3 }],
    refuses: [{ a: 2, c: 3 }, { b: 1 }, { a: 1, c: 3 }],
  },
  {
    rule: 'unevaluatedProperties by if alone',
    schema: { if: { patternProperties: { o: { type: 'string' } } }, unevaluatedProperties: false },
    accepts: [{ foo: 'a' }],
    refuses: [{ bar: 'a' }],
  },
  {
    rule: 'unevaluatedProperties beside not',
    schema: { not: { not: { properties: { a: true }, required: ['a'] } }, unevaluatedProperties: false },
    accepts: [],
    refuses: [{ a: 1 }],
  },
  {
    rule: 'unevaluatedProperties below dependentSchemas',
    schema: {
      dependentSchemas: { a: { properties: { b: true } } },
      properties: { a: true },
      unevaluatedProperties: false,
    },
    accepts: [{ a: 1, b: 1 }],
    refuses: [{ b: 1 }],
  },
  {
    rule: 'unevaluatedProperties, recursive',
    schema: { $ref: '#/$defs/Open', unevaluatedProperties: false },
    accepts: [{ deeper: { deeper: {} } }],
    refuses: [{ a: 1 }, { deeper: { deeper: { deeper: { a: 1 } } } }],
  },
  {
    rule: 'unevaluatedItems',
    schema: { allOf: [{ prefixItems: [true] }], unevaluatedItems: false },
    accepts: [[], [1]],
    refuses: [[1, 2]],
  },
  {
    rule: 'unevaluatedItems with schema',
    schema: {
      anyOf: [{ prefixItems: [true, { const: 1 }] }, { prefixItems: [true] }],
      unevaluatedItems: { type: 'string' },
    },
    accepts: [
      ['x', 1],
      ['x', 'y'],
    ],
    refuses: [[1, 2]],
  },
  {
    rule: 'unevaluatedItems beside contains',
    schema: { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    accepts: [[1, 'a'], ['a']],
    refuses: [[1, 'a', 2], [1]],
  },
  {
    rule: 'a mapping decides on one branch of a oneOf: a mapped tag selects it, any other value follows oneOf',
    schema: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog', puppy: 'Dog' } },
    },
    accepts: [{ kind: 'cat', lives: 9 }, { kind: 'puppy' }, { kind: 'bird', tricks: 'x' }],
    mistagged: [{ kind: 'bird', tricks: 'x' }],
    refuses: [{ kind: 'cat', lives: 'x', tricks: 1 }, { kind: 'bird' }, {}],
  },
  {
    rule: 'a discriminator whose branches say the tag themselves',
    schema: {
      oneOf: [
        { required: ['kind'], properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } },
        { required: ['kind'], properties: { kind: { enum: [1, true] }, tricks: { type: 'integer' } } },
      ],
      discriminator: { propertyName: 'kind', mapping: {} },
    },
    accepts: [{ kind: 'cat', lives: 9 }, { kind: 1 }, { kind: true }],
    refuses: [{ kind: 'cat', lives: 'x' }, { kind: 1, tricks: 'x' }, { kind: 'bird' }, { kind: 'toString' }, {}],
  },
  {
    rule: 'a discriminator beside null',
    schema: {
      anyOf: [ref('Cat'), ref('Dog'), { type: 'null' }],
      discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } },
    },
    accepts: [null, { kind: 'dog' }, { kind: 'cat', lives: 'x' }],
    mistagged: [{ kind: 'cat', lives: 'x' }],
    refuses: [1, {}],
  },
  {
    rule: 'binary',
    schema: { type: 'string', format: 'binary' },
    accepts: ['x', new Uint8Array(2), new Blob([])],
    refuses: [1, {}, null],
  },
  {
    rule: 'binary or null',
    schema: { type: ['string', 'null'], format: 'binary' },
    accepts: ['x', null, new ArrayBuffer(1)],
    refuses: [1, {}],
  },
  {
    rule: 'annotations',
    schema: {
      title: 'x',
      description: '*/',
      default: 1,
      examples: [2],
      deprecated: true,
      'x-any': {},
      contentEncoding: 'base64',
    },
    accepts: [1, '%'],
    refuses: [],
  },
];
