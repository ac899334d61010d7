import { body, type ConformanceCase, operation, postJson } from './conformance-case.js';

const BAD = [400, 422];

function oas30(schema: object): object {
  return {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/x': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } },
        },
      },
    },
  };
}

const UNTYPED_NULLABLE = oas30({
  type: 'object',
  properties: { a: { nullable: true, maxLength: 2 }, b: { type: 'integer' } },
});
const NO_UNICODE_PATTERN = body('application/json', {
  type: 'object',
  properties: { a: { type: 'string', pattern: '^[\\w-.]+\\-$' }, b: { type: 'integer' } },
});
const DIALECT = body(
  'application/json',
  { type: 'object', properties: { b: { type: 'integer' } } },
  {},
  { jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' },
);
const TUPLE = body('application/json', { type: 'array', prefixItems: [{ type: 'integer' }], items: false });
const CLOSED = body('application/json', {
  allOf: [{ type: 'object', properties: { a: {} } }],
  unevaluatedProperties: false,
});
const PETS = {
  components: {
    schemas: {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: { type: 'object', required: ['kind'], properties: { kind: { enum: ['cat'] }, lives: { type: 'integer' } } },
      Dog: { type: 'object', required: ['kind'], properties: { kind: { enum: ['dog'] }, lives: { type: 'string' } } },
    },
  },
};
const DISCRIMINATED = body('application/json', { $ref: '#/components/schemas/Pet' }, {}, PETS);
const MARKED = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
  },
};
const READ_ONLY = body('application/json', MARKED);
const WRITE_ONLY = operation('get', '/x', {
  'x-handler': 'secret',
  responses: {
    200: {
      description: 'ok',
      content: { 'application/json': { schema: MARKED, example: { id: 1, name: 'a', secret: 'x' } } },
    },
  },
});
const ANY_CASE = body('application/json', { type: 'string', enum: ['Created', 'Signed'], 'x-enum-any-case': true });

type Row = readonly [name: string, document: object, value: unknown, status: number | readonly number[]];
const ROWS: readonly Row[] = [
  ['untyped nullable beside others', UNTYPED_NULLABLE, { a: null, b: 'x' }, BAD],
  ['untyped nullable accepts null', UNTYPED_NULLABLE, { a: null, b: 1 }, 200],
  ['a pattern that is invalid under the u flag', NO_UNICODE_PATTERN, { a: 'a.b-', b: 'x' }, BAD],
  ['such a pattern is checked', NO_UNICODE_PATTERN, { a: '!' }, BAD],
  ['such a pattern accepts', NO_UNICODE_PATTERN, { a: 'a.b-' }, 200],
  ['the dialect of OpenAPI 3.1', DIALECT, { b: 'x' }, BAD],
  ['prefixItems', TUPLE, ['x'], BAD],
  ['prefixItems and no more', TUPLE, [1, 2], BAD],
  ['prefixItems accepts', TUPLE, [1], 200],
  ['unevaluatedProperties', CLOSED, { b: 1 }, BAD],
  ['unevaluatedProperties accepts', CLOSED, { a: 1 }, 200],
  ['a discriminator chooses', DISCRIMINATED, { kind: 'cat', lives: 9 }, 200],
  ['a discriminator refuses the other', DISCRIMINATED, { kind: 'cat', lives: 'nine' }, BAD],
  ['a discriminator refuses the unknown', DISCRIMINATED, { kind: 'cow' }, BAD],
  ['readOnly is not required', READ_ONLY, { name: 'a' }, 200],
  ['readOnly of the wrong type', READ_ONLY, { id: 'x', name: 'a' }, BAD],
  ['an enum in any case', ANY_CASE, 'CREATED', 200],
];

export const SCHEMA_CASES: readonly ConformanceCase[] = [
  ...ROWS.map(([name, document, value, status]) => ({
    group: 'schemas',
    name,
    document,
    target: '/x',
    init: postJson(value),
    status,
  })),
  {
    group: 'schemas',
    name: 'writeOnly does not leak',
    document: WRITE_ONLY,
    target: '/x',
    status: [200, 500],
    check: (response, text) => {
      if (response.status === 200 && text.includes('secret'))
        throw new Error(`the response has a writeOnly member: ${text}`);
    },
  },
];
