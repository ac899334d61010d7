import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { diffApis } from '../../diff/index.js';
import { loadApi } from '../../model/load-api.js';
import { tempFolder } from '../support/temp-folder.js';
import { diffDocuments, documentOf, shorten } from './diff-documents.js';

const root = path.join(import.meta.dirname, '../..');

const string = { type: 'string' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const PET = { type: 'object', properties: { name: string, age: { type: 'integer' } }, required: ['name', 'age'] };

/** Schemas that say the same: one of OpenAPI 3.0, another of 3.1. */
const EQUIVALENT_SCHEMAS: readonly (readonly [string, unknown, unknown])[] = [
  ['nullable, with a type', { ...string, nullable: true }, { type: ['null', 'string'] }],
  [
    'nullable, with an enum',
    { ...string, enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: [null, 'a'] },
  ],
  ['nullable, with a reference', { allOf: [ref('Pet')], nullable: true }, { oneOf: [{ type: 'null' }, ref('Pet')] }],
  [
    'nullable, with alternatives',
    { oneOf: [ref('Pet'), string], nullable: true },
    { oneOf: [string, { type: 'null' }, ref('Pet')] },
  ],
  ['a reference and what it refers to', ref('Pet'), PET],
  ['a reference with and without allOf', { allOf: [ref('Pet')] }, ref('Pet')],
  [
    'allOf and its parts together',
    { allOf: [ref('Pet'), { type: 'object', properties: { b: string } }] },
    { ...PET, properties: { b: string, ...PET.properties } },
  ],
  [
    'members and required in another order',
    PET,
    { required: ['age', 'name'], properties: { age: { type: 'integer' }, name: string }, type: 'object' },
  ],
  ['an enum in another order', { ...string, enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
  ['an enum of one, and const', { ...string, enum: ['a'] }, { const: 'a' }],
  [
    'an enum, and oneOf of constants',
    { ...string, enum: ['a', 'b'] },
    { oneOf: [{ const: 'b', title: 'B' }, { const: 'a' }] },
  ],
  [
    'alternatives in another order',
    { anyOf: [ref('Pet'), { ...string, maxLength: 3 }, { ...string, format: 'uuid' }] },
    { anyOf: [{ ...string, format: 'uuid' }, { ...string, maxLength: 3 }, ref('Pet')] },
  ],
  [
    'alternatives of plain types, and a list of types',
    { anyOf: [string, { type: 'integer' }] },
    { type: ['integer', 'string'] },
  ],
  [
    'an exclusive bound',
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  [
    'an exclusive bound of an integer',
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    { type: 'integer', minimum: 1 },
  ],
  ['bounds that say nothing', { ...string, minLength: 0 }, string],
  ['a keyword of another type', { ...string, maxItems: 3 }, string],
  [
    'other members, allowed in words or not',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: {} },
  ],
  ['an object without its type', { properties: { a: string } }, { type: 'object', properties: { a: string } }],
  ['base64', { ...string, format: 'byte' }, { ...string, contentEncoding: 'base64' }],
  ['bytes', { ...string, format: 'binary' }, { contentMediaType: 'application/octet-stream' }],
  ['an example', { ...string, example: 'a' }, { ...string, examples: ['a'] }],
  ['a wide number', { type: 'integer' }, { type: 'integer', format: 'int64' }],
  ['an array of references', { type: 'array', items: ref('Pet') }, { type: 'array', items: PET }],
  ['a schema that contains itself', ref('Node'), { type: 'object', properties: { next: ref('Node'), value: string } }],
];

describe('equivalent specs have no changes', () => {
  test.each(EQUIVALENT_SCHEMAS)('equivalent specs have no changes: %s', async (_name, old, next) => {
    const schemas = { Pet: PET, Node: { type: 'object', properties: { value: string, next: ref('Node') } } };
    const [was, is] = [
      { ...documentOf(old, schemas), openapi: '3.0.3' },
      { ...documentOf(next, schemas), openapi: '3.1.0' },
    ];
    expect((await diffDocuments(was, is)).map(shorten)).toEqual([]);
    expect((await diffDocuments(is, was)).map(shorten)).toEqual([]);
  });

  test('a renamed schema is no change', async () => {
    const of = (name: string): object => ({
      ...documentOf(
        { type: 'object', properties: { pet: ref(name), pets: { type: 'array', items: ref(name) } } },
        { [name]: PET },
      ),
    });
    expect(await diffDocuments(of('Pet'), of('Animal'))).toEqual([]);
  });

  test('a renamed security scheme and media types in another spelling are no change', async () => {
    const of = (name: string, mediaType: string): object => ({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      components: { securitySchemes: { [name]: { type: 'http', scheme: 'bearer' } } },
      security: [{ [name]: [] }],
      paths: {
        '/a': { get: { operationId: 'a', responses: { 200: { description: '', content: { [mediaType]: {} } } } } },
      },
    });
    const changes = await diffDocuments(of('token', 'application/json'), of('auth', 'Application/JSON; charset=utf-8'));
    expect(changes).toEqual([]);
  });

  test('the same API in OpenAPI 2.0 and 3.0 has no changes', async () => {
    const info = { title: 'Test', version: '1' };
    const schema = { type: 'object', properties: { a: string } };
    const old = {
      swagger: '2.0',
      info,
      host: 'api.example.com',
      basePath: '/v1',
      paths: {
        '/a/{id}': {
          post: {
            operationId: 'a',
            parameters: [
              { name: 'id', in: 'path', required: true, type: 'string' },
              { name: 'tags', in: 'query', type: 'array', items: string, collectionFormat: 'multi' },
              { name: 'n', in: 'query', type: 'integer', maximum: 5, exclusiveMaximum: true },
              { name: 'body', in: 'body', schema: { $ref: '#/definitions/A' } },
            ],
            responses: { 200: { description: '', schema: { $ref: '#/definitions/A' }, headers: { 'X-A': string } } },
          },
        },
      },
      definitions: { A: schema },
    };
    const content = { 'application/json': { schema: ref('A') } };
    const next = {
      openapi: '3.0.3',
      info,
      servers: [{ url: 'https://api.example.com/v1' }],
      paths: {
        '/a/{id}': {
          post: {
            operationId: 'a',
            parameters: [
              { name: 'n', in: 'query', schema: { type: 'integer', maximum: 4 } },
              { name: 'tags', in: 'query', schema: { type: 'array', items: string } },
              { name: 'id', in: 'path', required: true, schema: string },
            ],
            requestBody: { content },
            responses: { 200: { description: '', content, headers: { 'x-a': { schema: string } } } },
          },
        },
      },
      components: { schemas: { A: schema } },
    };
    expect((await diffDocuments(old, next)).map(shorten)).toEqual([]);
    expect((await diffDocuments(next, old)).map(shorten)).toEqual([]);
  });

  test('petstore of OpenAPI 3.0 and 3.1 has only its real differences', async () => {
    const [old, next] = await Promise.all(
      ['3.0', '3.1'].map((version) =>
        loadApi(path.join(root, `node_modules/@readme/oas-examples/${version}/json/petstore.json`)),
      ),
    );
    const changes = old === undefined || next === undefined ? [] : diffApis(old, next).changes;
    // 3.1 uploads an image as it is, not as a form.
    expect(changes.filter(({ level }) => level !== 'safe').map(({ message }) => message)).toEqual([
      'The request body no longer has the media type "multipart/form-data".',
    ]);
  });

  test('one file and several files with the same API have no changes', async () => {
    const paths = "paths: { /a: { get: { operationId: a, responses: { '200': { $ref: REF } } } } }\n";
    const response = 'description: ok\ncontent: { application/json: { schema: { type: string } } }\n';
    const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
    const folder = tempFolder({
      'one.yaml': `${head}${paths.replace('REF', "'#/components/responses/Ok'")}components: { responses: { Ok: { ${response.trim().replace('\n', ', ')} } } }\n`,
      'several.yaml': `${head}${paths.replace('REF', './ok.yaml')}`,
      'ok.yaml': response,
    });
    const [old, next] = [
      await loadApi(path.join(folder, 'one.yaml')),
      await loadApi(path.join(folder, 'several.yaml')),
    ];
    expect(diffApis(old, next).changes).toEqual([]);
  });
});

const SPECS = [
  ...['control', 'dictionary', 'engine', 'generation', 'notifications', 'rate-limits', 'signing', 'tables'].map(
    (name) => `specs/${name}/openapi.yaml`,
  ),
  'specs/engine/config.schema.json',
  'specs/extensions.schema.json',
  'test/contract/specs/library.yaml',
  ...['circular', 'complex-nesting', 'discriminators', 'polymorphism', 'schema-circular', 'star-trek', 'uspto'].map(
    (name) => `node_modules/@readme/oas-examples/3.0/json/${name}.json`,
  ),
  'node_modules/@readme/oas-examples/3.1/json/train-travel.json',
];

// Stripe and GitHub: large-specs.long.test.ts.
describe('a spec compared with itself has no changes', () => {
  test.each(SPECS)('a spec compared with itself has no changes: %s', async (spec) => {
    const file = path.join(root, spec);
    const [old, next] = await Promise.all([loadApi(file), loadApi(file)]);
    expect(diffApis(old, next)).toMatchObject({
      changes: [],
      counts: { breaking: 0, risky: 0, safe: 0, wordsOnly: 0 },
    });
  });
});
