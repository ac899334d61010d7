import { describe, expect, test } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { readOperation, readPaths } from '../support/read-operation.js';
import { loadFiles, specFolder } from '../support/spec-folder.js';

describe('an operation', () => {
  test('an operation gets an id and a name if it has none, and another if its own is taken', async () => {
    const { api, codes } = await readPaths({
      '/a b': { get: {}, post: { operationId: 'delete' } },
      '/c': { get: { operationId: 'delete' }, put: { operationId: 'Delete_' } },
    });
    expect(api.operations.map(({ id, name }) => [id, name])).toEqual([
      ['get /a b', 'getAB'],
      ['delete', 'delete_'],
      ['delete2', 'delete2'],
      ['Delete_', 'delete_2'],
    ]);
    expect(codes).toEqual(['operation-id-missing', 'operation-id-repeated']);
  });

  test('an operation has its own security, or else that of the document', async () => {
    const more = {
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'query', name: 'k' },
          o: { type: 'openIdConnect', openIdConnectUrl: 'u' },
          m: { type: 'mutualTLS' },
        },
      },
    };
    const { api, codes } = await readPaths(
      { '/a': { get: {}, put: { security: [] }, post: { security: [{}, { o: ['s'], nobody: [] }] } } },
      more,
    );
    expect(api.operations.map(({ security }) => security)).toEqual([[{ key: [] }], [], [{}, { o: ['s'], nobody: [] }]]);
    expect(codes.filter((code) => code.startsWith('security'))).toEqual(['security-unknown']);
  });

  test('a wrong description or security scheme is a warning, and the rest of the document is read', async () => {
    const { api } = await readPaths(
      {
        '/a': {
          get: { summary: ['no'], description: { $ref: './intro.md' }, security: [{ nobody: [] }, { odd: [] }] },
        },
      },
      { components: { securitySchemes: { odd: { type: 'secret' } } } },
    );
    expect(api.operations).toMatchObject([{ method: 'get', security: [{ nobody: [] }, { odd: [] }] }]);
    expect(api.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(api.diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
      expect.arrayContaining([
        'document-invalid /paths/~1a/get/description',
        'document-invalid /components/securitySchemes/odd/type',
        'security-unknown /paths/~1a/get/security/0/nobody',
      ]),
    );
  });

  test('an operation has callbacks, which may be shared and may refer back to it', async () => {
    const { api, codes } = await readPaths(
      {
        '/a': { post: { operationId: 'a', callbacks: { done: { $ref: '#/components/callbacks/Done' } } } },
        '/b': {
          post: {
            operationId: 'b',
            callbacks: {
              done: { $ref: '#/components/callbacks/Done' },
              'x-again': { '{$url}': { $ref: '#/paths/~1b' } },
            },
          },
        },
      },
      { components: { callbacks: { Done: { '{$request.body#/url}': { post: { operationId: 'done' } } } } } },
    );
    const [a, b] = api.operations;
    expect(a?.callbacks).toMatchObject([
      { name: 'done', expression: '{$request.body#/url}', operations: [{ id: 'done' }] },
    ]);
    expect(b?.callbacks[0]?.operations[0]).toBe(a?.callbacks[0]?.operations[0]);
    expect(b?.callbacks[1]?.name).toBe('x-again');
    expect(codes).toContain('ref-circular');
  });

  test('an operation has links, by id or by reference', async () => {
    const links = {
      byId: { operationId: 'b', parameters: { id: '$response.body#/id' }, requestBody: null },
      byRef: { operationRef: '#/paths/~1b/get' },
      lost: { operationId: 'nobody' },
      shared: { $ref: '#/components/links/L' },
    };
    const { operation, codes } = await readPaths(
      {
        '/a': { get: { operationId: 'a', responses: { 200: { description: '', links } } } },
        '/b': { $ref: '#/components/pathItems/B' },
      },
      { components: { links: { L: { operationId: 'b' } }, pathItems: { B: { get: { operationId: 'b' } } } } },
    );
    expect(operation.responses[0]?.links.map(({ name, operationId }) => [name, operationId])).toEqual([
      ['byId', 'b'],
      ['byRef', 'b'],
      ['shared', 'b'],
    ]);
    expect(operation.responses[0]?.links[0]).toMatchObject({
      parameters: { id: '$response.body#/id' },
      requestBody: null,
    });
    expect(codes).toEqual(['link-unresolved']);
  });
});

describe('a path item', () => {
  const components = {
    pathItems: { P: { summary: 'P', parameters: [{ name: 'q', in: 'query' }], get: { operationId: 'x' } } },
  };

  test('a path item of several paths may be one reference', async () => {
    const { api } = await readPaths(
      { '/a': { $ref: '#/components/pathItems/P' }, '/b': { $ref: '#/components/pathItems/P' } },
      { components },
    );
    expect(api.operations.map(({ path, id, parameters }) => [path, id, parameters.length])).toEqual([
      ['/a', 'x', 1],
      ['/b', 'x2', 1],
    ]);
  });

  test('operations beside the $ref of a path item take precedence over those of its target', async () => {
    const { api } = await readPaths(
      { '/a': { $ref: '#/components/pathItems/P', get: { operationId: 'own' }, put: { operationId: 'put' } } },
      { components },
    );
    expect(api.operations.map(({ id }) => id)).toEqual(['own', 'put']);
  });

  test('a path item of a webhook may have any name', async () => {
    const { api } = await readPaths(
      {},
      {
        components,
        webhooks: {
          'x-sent': { post: { operationId: 'sent', parameters: [{ name: 'p', in: 'path' }] } },
          ref: { $ref: '#/components/pathItems/P' },
        },
      },
    );
    expect(api.webhooks.map(({ path, id, method }) => [path, id, method])).toEqual([
      ['x-sent', 'sent', 'post'],
      ['ref', 'x', 'get'],
    ]);
  });

  test('references of a path item in another file are relative to that file', async () => {
    const api = await loadFiles({
      'spec.json': { openapi: '3.0.0', info: { title: 'T', version: '1' }, paths: { '/a': { $ref: 'paths/a.json' } } },
      'paths/a.json': {
        get: {
          operationId: 'a',
          responses: { 200: { description: '', content: { 'application/json': { schema: { $ref: '../pet.json' } } } } },
        },
      },
      'pet.json': { type: 'string', nullable: true },
    });
    expect(api.operations[0]?.responses[0]?.content[0]?.schema).toEqual({ $ref: '#/$defs/Pet' });
    expect(api.schemas.get('Pet')?.schema).toEqual({ type: ['string', 'null'] });
    expect(api.operations[0]?.source.file).toMatch(/paths\/a\.json$/);
  });
});

describe('the document', () => {
  test.each([
    ['http://json-schema.org/draft-07/schema#', { prefixItems: [true] }, []],
    ['https://spec.openapis.org/oas/3.1/dialect/base', {}, ['keyword-shape']],
    ['https://example.com/mine', {}, ['schema-dialect', 'keyword-shape']],
  ])('a document is read in the dialect %s', async (jsonSchemaDialect, want, wanted) => {
    const { api, codes } = await readOperation(
      {},
      { jsonSchemaDialect, components: { schemas: { A: { items: [true] } } } },
    );
    expect([api.schemas.get('A')?.schema, codes]).toEqual([want, wanted]);
  });

  test('an API has title, version, description, tags and extensions of the document', async () => {
    const { api } = await readOperation(
      { tags: ['a', 1] },
      {
        info: { title: 'Title', version: 1.5, summary: 'S' },
        tags: [{ name: 'a', description: 'A' }],
        'x-note': { deep: [1] },
      },
    );
    expect(api).toMatchObject({
      dialect: 'openapi-3.1',
      title: 'Title',
      version: '1.5',
      description: 'S',
      tags: [{ name: 'a', description: 'A' }],
      extensions: { 'x-note': { deep: [1] } },
    });
    expect(api.operations[0]?.tags).toEqual(['a']);
  });

  test('an API may be made of several documents, whose names are kept unique', async () => {
    const folder = specFolder({
      'config.json': {
        $schema: 'http://json-schema.org/draft-07/schema#',
        title: 'Config',
        type: 'object',
        definitions: { Name: { type: 'string' } },
      },
      'api.json': {
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: {},
        components: { schemas: { Name: { type: 'null' }, C: { $ref: 'config.json#/definitions/Name' } } },
      },
    });
    const api = await loadApi([`${folder}/config.json`, `${folder}/api.json`]);
    expect([api.dialect, api.title, api.rootSchema]).toEqual(['openapi-3.1', 'T', 'Config']);
    expect([...api.schemas.keys()]).toEqual(['Config', 'Name', 'Name2', 'C']);
    expect(api.schemas.get('C')?.schema).toEqual({ $ref: '#/$defs/Name' });
    expect(api.files.map(({ path }) => path.split('/').at(-1))).toEqual(['config.json', 'api.json']);
  });
});

describe('a merge key of YAML', () => {
  test('YAML merge keys are applied', async () => {
    const api = await loadFiles({
      'spec.yaml':
        'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\ncomponents:\n  schemas:\n    A: &a { type: object, title: A }\n    B: { <<: *a, title: B }\n',
    });
    expect(api.schemas.get('B')?.schema).toEqual({ type: 'object', title: 'B' });
  });
});
