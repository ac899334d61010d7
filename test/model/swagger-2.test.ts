import { describe, expect, test } from 'vitest';

import type { Api, Operation } from '../../model/api.js';
import { loadFiles } from '../support/spec-folder.js';

const ok = { responses: { 200: { description: 'ok' } } };

/** An OpenAPI 2.0 document with one operation, `GET /x`. */
function load(operation: object, more: object = {}): Promise<Api> {
  const paths = { '/x': { get: { operationId: 'x', ...ok, ...operation } } };
  return loadFiles({ 'spec.json': { swagger: '2.0', info: { title: 'T', version: '1' }, paths, ...more } });
}

async function read(
  operation: object,
  more: object = {},
): Promise<{ operation: Operation; api: Api; codes: string[] }> {
  const api = await load(operation, more);
  const [first] = api.operations;
  if (first === undefined) throw new Error('The operation was not read.');
  return { operation: first, api, codes: api.diagnostics.map(({ code }) => code) };
}

const query = { name: 'q', in: 'query', type: 'array', items: { type: 'string' } };

describe('a parameter', () => {
  test.each([
    ['csv by default', query, { style: 'form', explode: false }],
    ['csv', { ...query, collectionFormat: 'csv' }, { style: 'form', explode: false }],
    ['ssv', { ...query, collectionFormat: 'ssv' }, { style: 'spaceDelimited', explode: false }],
    ['tsv', { ...query, collectionFormat: 'tsv' }, { style: 'tabDelimited', explode: false }],
    ['pipes', { ...query, collectionFormat: 'pipes' }, { style: 'pipeDelimited', explode: false }],
    ['multi', { ...query, collectionFormat: 'multi' }, { style: 'form', explode: true }],
    ['csv in a header', { ...query, in: 'header' }, { style: 'simple', explode: false }],
    ['an unknown collection format', { ...query, collectionFormat: 'constructor' }, { style: 'form', explode: false }],
  ])('a parameter is read with %s', async (_what, parameter, want) => {
    const { operation } = await read({ parameters: [parameter] });
    expect(operation.parameters[0]).toMatchObject(want);
  });

  test('the schema of a parameter has only the keywords of schemas', async () => {
    const { operation } = await read({
      parameters: [
        {
          name: 'n',
          in: 'query',
          required: true,
          description: 'd',
          type: 'integer',
          minimum: 1,
          exclusiveMinimum: true,
          default: 2,
          allowEmptyValue: true,
          'x-example': 3,
        },
      ],
    });
    expect(operation.parameters[0]).toMatchObject({
      name: 'n',
      required: true,
      description: 'd',
      allowEmptyValue: true,
      schema: { type: 'integer', exclusiveMinimum: 1, default: 2 },
      examples: [{ name: 'default', value: 3 }],
    });
  });

  test('a parameter of the operation overrides that of the path, and a duplicate is ignored', async () => {
    const paths = {
      '/x': {
        parameters: [
          { ...query, type: 'string' },
          { name: 'r', in: 'query', type: 'string' },
        ],
        get: { ...ok, parameters: [query, query] },
      },
    };
    const { operation, codes } = await read({}, { paths });
    expect(operation.parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['q', { type: 'array', items: { type: 'string' } }],
      ['r', { type: 'string' }],
    ]);
    expect(codes).toEqual(['parameter-repeated', 'operation-id-missing']);
  });

  test.each([{ name: 'a', in: 'cookie' }, { in: 'query' }, { name: 'a' }, 7])(
    'is ignored if it is broken: %j',
    async (broken) => {
      const { operation, codes } = await read({ parameters: [broken] });
      expect([operation.parameters, codes]).toEqual([[], ['document-shape']]);
    },
  );
});

const bodyParameter = { name: 'b', in: 'body', schema: { $ref: '#/definitions/Pet' } };
const withPet = { definitions: { Pet: { type: 'object' } } };

describe('a request body', () => {
  test.each([
    ['JSON by default', {}, {}, ['application/json']],
    ['what the document consumes', {}, { consumes: ['text/a', 'text/b'] }, ['text/a', 'text/b']],
    ['what the operation consumes', { consumes: ['text/c'] }, { consumes: ['text/a'] }, ['text/c']],
  ])('a request body has the media types of %s', async (_what, operation, document, want) => {
    const { operation: found } = await read({ parameters: [bodyParameter], ...operation }, { ...withPet, ...document });
    expect(found.body?.content.map(({ mediaType, schema }) => [mediaType, schema])).toEqual(
      want.map((mediaType) => [mediaType, { $ref: '#/$defs/Pet' }]),
    );
  });

  const fields = [
    { name: 'a', in: 'formData', type: 'string', required: true, description: 'A' },
    { name: 'b', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' },
  ];
  const file = { name: 'f', in: 'formData', type: 'file' };

  test.each([
    ['a form', fields, {}, ['application/x-www-form-urlencoded']],
    ['a multipart form if there is a file', [...fields, file], {}, ['multipart/form-data']],
    ['what is consumed', fields, { consumes: ['multipart/form-data', 'application/json'] }, ['multipart/form-data']],
  ])('a request body is made of formData: %s', async (_what, parameters, more, want) => {
    const { operation } = await read({ parameters, ...more });
    expect(operation.body?.content.map(({ mediaType }) => mediaType)).toEqual(want);
  });

  test('a request body of formData has a schema, and an encoding for each field', async () => {
    const { operation } = await read({ parameters: [...fields, file] });
    const [media] = operation.body?.content ?? [];
    expect(operation.body?.required).toBe(true);
    expect(media?.schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A' },
        b: { type: 'array', items: { type: 'integer' } },
        f: { type: 'string', format: 'binary' },
      },
      required: ['a'],
    });
    expect(media?.encoding.get('b')).toMatchObject({ style: 'form', explode: true });
    expect(media?.encoding.get('a')).toMatchObject({ style: 'form', explode: false });
  });
});

describe('a response', () => {
  test.each([
    ['JSON by default', {}, {}, ['application/json']],
    ['what the document produces', {}, { produces: ['text/a'] }, ['text/a']],
    ['what the operation produces', { produces: ['text/c', 'text/d'] }, { produces: ['text/a'] }, ['text/c', 'text/d']],
  ])('a response has the media types of %s', async (_what, operation, document, want) => {
    const responses = {
      200: {
        description: 'ok',
        schema: { type: 'string' },
        examples: { 'text/c': 'hi' },
        headers: { 'x-n': { type: 'integer', description: 'N' } },
      },
    };
    const { operation: found } = await read({ responses, ...operation }, document);
    const [response] = found.responses;
    expect(response?.content.map(({ mediaType }) => mediaType)).toEqual(want);
    expect(response?.content.flatMap(({ examples }) => examples.map(({ value }) => value))).toEqual(
      want.includes('text/c') ? ['hi'] : [],
    );
    expect(response?.headers).toMatchObject([{ name: 'x-n', description: 'N', schema: { type: 'integer' } }]);
  });

  test('a response without a schema has no content, and a shared response is read for each operation', async () => {
    const responses = { 200: { $ref: '#/responses/Shared' }, 204: { description: 'none' } };
    const shared = { responses: { Shared: { description: 's', schema: { type: 'string' } } } };
    const { operation } = await read({ responses, produces: ['text/plain'] }, shared);
    expect(
      operation.responses.map(({ status, content }) => [status, content.map(({ mediaType }) => mediaType)]),
    ).toEqual([
      ['200', ['text/plain']],
      ['204', []],
    ]);
  });
});

describe('the server', () => {
  test.each([
    [
      { host: 'a.example', basePath: '/v1', schemes: ['http', 'https'] },
      ['http://a.example/v1', 'https://a.example/v1'],
    ],
    [{ host: 'a.example' }, ['https://a.example/']],
    [{ basePath: '/v1' }, ['/v1']],
    [{}, ['/']],
  ])('the server is read from %j', async (document, want) => {
    const { api, operation } = await read({}, document);
    expect(api.servers.map(({ url }) => url)).toEqual(want);
    expect(operation.servers).toEqual(api.servers);
  });
});

describe('a security definition', () => {
  test.each([
    [{ type: 'basic' }, { type: 'http', scheme: 'basic' }],
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { type: 'apiKey', in: 'header', name: 'X-Key' },
    ],
    [
      { type: 'oauth2', flow: 'accessCode', authorizationUrl: 'a', tokenUrl: 't', scopes: { s: 'S' } },
      { flows: { authorizationCode: { authorizationUrl: 'a', tokenUrl: 't', scopes: { s: 'S' } } } },
    ],
    [
      { type: 'oauth2', flow: 'application', tokenUrl: 't', scopes: {} },
      { flows: { clientCredentials: { tokenUrl: 't', scopes: {} } } },
    ],
    [
      { type: 'oauth2', flow: 'implicit', authorizationUrl: 'a' },
      { flows: { implicit: { authorizationUrl: 'a', scopes: {} } } },
    ],
    [{ type: 'oauth2', flow: 'password', tokenUrl: 't' }, { flows: { password: { tokenUrl: 't', scopes: {} } } }],
  ])('a security definition is read: %j', async (definition, want) => {
    const { api, operation } = await read(
      {},
      { securityDefinitions: { 'x-mine': definition }, security: [{ 'x-mine': [] }] },
    );
    expect(api.securitySchemes.get('x-mine')).toMatchObject({ id: 'x-mine', ...want });
    expect(operation.security).toEqual([{ 'x-mine': [] }]);
  });

  test.each([{ type: 'apiKey', in: 'body', name: 'k' }, { type: 'magic' }, 3])(
    'is ignored if it is broken: %j',
    async (definition) => {
      const { api } = await read({}, { securityDefinitions: { mine: definition } });
      expect([...api.securitySchemes, ...api.diagnostics.map(({ code }) => code)]).toEqual(['document-invalid']);
    },
  );
});
