import { describe, expect, test } from 'vitest';

import { readOperation, readPaths } from '../support/read-operation.js';

describe('a parameter', () => {
  test.each([
    ['path', {}, { style: 'simple', explode: false, required: true }],
    ['query', {}, { style: 'form', explode: true, required: false }],
    ['header', {}, { style: 'simple', explode: false }],
    ['cookie', {}, { style: 'form', explode: true }],
    ['query', { style: 'spaceDelimited' }, { style: 'spaceDelimited', explode: false }],
    ['query', { style: 'deepObject' }, { style: 'deepObject', explode: true }],
    [
      'query',
      { explode: false, allowReserved: true, deprecated: true, required: true },
      { explode: false, allowReserved: true, deprecated: true, required: true },
    ],
    ['path', { style: 'matrix' }, { style: 'matrix', explode: false }],
    ['query', { style: 'constructor' }, { style: 'form' }],
  ])('a parameter in %s with %j has its style', async (place, more, want) => {
    const paths = { '/x/{p}': { get: { operationId: 'x', parameters: [{ name: 'p', in: place, ...more }] } } };
    const { operation } = await readPaths(paths);
    expect(operation.parameters.find((parameter) => parameter.in === place)).toMatchObject(want);
  });

  test('a parameter with content has the schema, media type and examples of its content', async () => {
    const content = { 'application/json': { schema: { type: 'object' }, example: { a: 1 } } };
    const { operation } = await readOperation({ parameters: [{ name: 'q', in: 'query', content }] });
    expect(operation.parameters[0]).toMatchObject({
      mediaType: 'application/json',
      schema: { type: 'object' },
      examples: [{ name: 'default', value: { a: 1 } }],
    });
  });

  test('a parameter of the operation overrides that of the path', async () => {
    const q = { name: 'q', in: 'query', schema: {} };
    const { operation, codes } = await readPaths({
      '/x': {
        parameters: [
          { ...q, description: 'path' },
          { ...q, in: 'header' },
        ],
        get: { operationId: 'x', parameters: [{ ...q, description: 'operation' }] },
      },
    });
    expect(operation.parameters.map((parameter) => [parameter.in, parameter.description])).toEqual([
      ['query', 'operation'],
      ['header', undefined],
    ]);
    expect(codes).toEqual([]);
  });

  test('a parameter that several operations refer to is one object, and a parameter named Accept is ignored', async () => {
    const components = { parameters: { Q: { name: 'q', in: 'query' } } };
    const parameters = [{ $ref: '#/components/parameters/Q' }, { name: 'Accept', in: 'header' }];
    const { api } = await readPaths({ '/a': { get: { parameters } }, '/b': { get: { parameters } } }, { components });
    const [a, b] = api.operations;
    expect(a?.parameters).toHaveLength(1);
    expect(a?.parameters[0]).toBe(b?.parameters[0]);
    expect(a?.parameters[0]?.source.pointer).toBe('/components/parameters/Q');
  });

  test('an undescribed parameter of a path template is a string, and one that the template lacks is ignored', async () => {
    const { operation, codes } = await readPaths({
      '/{a}/{b}': { get: { operationId: 'x', parameters: [{ name: 'c', in: 'path' }] } },
    });
    expect(operation.parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['a', { type: 'string' }],
      ['b', { type: 'string' }],
    ]);
    expect(codes).toContain('parameter-path-missing');
  });
});

describe('a server', () => {
  const [document, path, own] = ['document', 'path', 'operation'].map((name) => [{ url: `https://${name}.example` }]);
  test.each([
    ['the operation', { servers: document }, { servers: path }, { servers: own }, 'https://operation.example'],
    ['the path', { servers: document }, { servers: path }, {}, 'https://path.example'],
    ['the document', { servers: document }, {}, { servers: [] }, 'https://document.example'],
    ['no level', { servers: [] }, {}, {}, '/'],
  ])('a server is taken from %s', async (...row) => {
    const [, root, pathItem, operation, want] = row;
    const { operation: found } = await readPaths(
      { '/x': { ...pathItem, get: { operationId: 'x', ...operation } } },
      root,
    );
    expect(found.servers.map(({ url }) => url)).toEqual([want]);
  });

  test('a server has the variables of the document', async () => {
    const { api } = await readOperation(
      {},
      {
        servers: [
          { url: '{a}', variables: { a: { default: 'x', enum: ['x', 'y'], description: 'A' }, 'x-b': { default: 1 } } },
        ],
      },
    );
    expect(api.servers[0]?.variables).toEqual({
      a: { default: 'x', enum: ['x', 'y'], description: 'A' },
      'x-b': { default: '1' },
    });
  });
});

describe('a body and a response', () => {
  test('a body and a response have media types, encodings and examples', async () => {
    const content = {
      'multipart/form-data': {
        schema: { type: 'object' },
        encoding: {
          a: { contentType: 'image/png', headers: { 'x-h': { schema: { type: 'string' } } } },
          b: { style: 'deepObject' },
        },
        examples: {
          one: { summary: 'One', value: 1 },
          two: { $ref: '#/components/examples/Two' },
          far: { externalValue: 'far.json' },
        },
      },
      'x-raw/bytes': {},
    };
    const { operation } = await readOperation(
      { requestBody: { required: true, content } },
      { components: { examples: { Two: { value: 2 } } } },
    );
    const [form, raw] = operation.body?.content ?? [];
    expect([operation.body?.required, raw?.mediaType, raw?.schema]).toEqual([true, 'x-raw/bytes', undefined]);
    expect(form?.encoding.get('a')).toMatchObject({
      contentType: 'image/png',
      style: 'form',
      explode: true,
      headers: [{ name: 'x-h' }],
    });
    expect(form?.encoding.get('b')).toMatchObject({ style: 'deepObject', explode: false });
    expect(form?.examples.map(({ name, value, externalValue }) => [name, value, externalValue])).toEqual([
      ['one', 1, undefined],
      ['two', 2, undefined],
      ['far', undefined, 'far.json'],
    ]);
  });

  test('a body and a response have statuses, headers and references', async () => {
    const { operation, codes } = await readOperation(
      {
        responses: {
          200: { $ref: '#/components/responses/Ok' },
          '4xx': { description: 'bad' },
          DEFAULT: { description: 'else' },
          'x-note': 1,
          99: { description: '?' },
        },
      },
      {
        components: {
          responses: {
            Ok: {
              description: 'fine',
              headers: { 'x-total': { required: true, schema: { type: 'integer' } }, 'Content-Type': { schema: {} } },
            },
          },
        },
      },
    );
    expect(operation.responses.map(({ status, description }) => [status, description])).toEqual([
      ['200', 'fine'],
      ['4XX', 'bad'],
      ['default', 'else'],
    ]);
    expect(operation.responses[0]?.headers).toMatchObject([
      { name: 'x-total', required: true, schema: { type: 'integer' } },
    ]);
    expect(codes).toEqual(['document-shape']);
  });
});
