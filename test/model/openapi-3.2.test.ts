import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { loadDocument } from '../support/load-document.js';
import { loadFiles, specFolder } from '../support/spec-folder.js';

const document = (more: object): object => ({ openapi: '3.2.0', info: { title: 'T', version: '1' }, ...more });
const responses = { 200: { description: 'ok' } };
const branch = (more: object): object => ({ type: 'object', properties: { kind: { type: 'string' } }, ...more });

/** Documents of the standard's own repository; they are read where they are found and not part of the project. */
const SUITE =
  process.env['SPECMILL_OPENAPI_SUITE'] ?? path.join(import.meta.dirname, '../../../shared/suites/openapi-3.2');

describe('mistakes in documents of OpenAPI 3.2', () => {
  it('warns of a tag whose parent is not declared, and of each tag below itself', async () => {
    const tags = [
      { name: 'top' },
      { name: 'good', parent: 'top' },
      { name: 'a', parent: 'gone' },
      { name: 'b', parent: 'c' },
      { name: 'c', parent: 'b' },
      { name: 'd', parent: 'd' },
      { name: 'below', parent: 'b' },
    ];
    const api = await loadDocument(document({ tags, paths: {} }));
    expect(api.diagnostics.map(({ pointer, severity }) => [pointer, severity])).toEqual(
      [2, 3, 4, 5].map((index) => [`/tags/${index}/parent`, 'warning']),
    );
  });

  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const discriminator = { propertyName: 'kind' };
  const A = branch({ required: ['kind'] });
  it.each([
    ['is optional in one branch', { U: { oneOf: [ref('A'), ref('B')], discriminator }, A, B: branch({}) }, ['U']],
    ['is optional in the parent', { P: branch({ discriminator }), B: { allOf: [ref('P')] } }, ['P']],
    ['is required in all branches', { U: { anyOf: [ref('A'), { allOf: [ref('A')] }], discriminator }, A }, []],
    [
      'is required beside the branches',
      { U: { oneOf: [ref('B')], required: ['kind'], discriminator }, B: branch({}) },
      [],
    ],
    [
      'has a default mapping',
      {
        U: { oneOf: [ref('A'), ref('B')], discriminator: { ...discriminator, defaultMapping: 'B' } },
        A,
        B: branch({}),
      },
      [],
    ],
  ])(
    'asks for a default mapping only if the property of a discriminator may be absent: it %s',
    async (_rule, schemas, names) => {
      const api = await loadDocument(document({ paths: {}, components: { schemas } }));
      const found = api.diagnostics.filter(({ pointer }) => pointer.endsWith('/discriminator'));
      expect(found.map(({ pointer }) => pointer)).toEqual(
        names.map((name) => `/components/schemas/${name}/discriminator`),
      );
    },
  );
});

describe('operations of OpenAPI 3.2', () => {
  it('reads a QUERY operation with its body', async () => {
    const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
    const api = await loadDocument(
      document({ paths: { '/find': { query: { operationId: 'find', requestBody, responses } } } }),
    );
    expect(api.operations).toMatchObject([
      { id: 'find', method: 'query', body: { content: [{ mediaType: 'application/json' }] } },
    ]);
    expect(api.diagnostics).toEqual([]);
  });

  it('reads additional operations by their exact method', async () => {
    const copy = { operationId: 'copyPet', responses };
    const api = await loadDocument(
      document({
        paths: { '/pets': { additionalOperations: { COPY: copy, 'x-Odd': { operationId: 'odd', responses } } } },
      }),
    );
    expect(api.operations.map(({ id, method }) => [id, method])).toEqual([
      ['copyPet', 'COPY'],
      ['odd', 'x-Odd'],
    ]);
  });

  it.each(['POST', 'QUERY', 'a b', ''])('refuses %j as an additional operation', async (method) => {
    const api = await loadDocument(
      document({ paths: { '/pets': { additionalOperations: { [method]: { operationId: 'a', responses } } } } }),
    );
    expect(api.operations).toEqual([]);
    expect(api.diagnostics.some(({ pointer }) => pointer.startsWith('/paths/~1pets/additionalOperations'))).toBe(true);
  });

  it('does not read QUERY in a document of 3.1', async () => {
    const api = await loadDocument({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { query: { responses } } },
    });
    expect(api.operations).toEqual([]);
    expect(api.diagnostics).toMatchObject([{ code: 'document-invalid', pointer: '/paths/~1a/query' }]);
  });
});

describe('the items of a sequential media type', () => {
  const ITEM = { type: 'object', properties: { name: { type: 'string' } } };
  const EVENT = {
    type: 'object',
    properties: { data: { type: 'string', contentMediaType: 'application/json', contentSchema: ITEM } },
  };
  const read = async (version: string, mediaType: string, media: object) => {
    const content = { [mediaType]: media };
    const api = await loadDocument({
      openapi: version,
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', content } } } } },
    });
    return api.operations[0]?.responses[0]?.content[0]?.sequence;
  };

  it.each([
    ['text/event-stream', { itemSchema: EVENT }, 'event-stream', 'event', EVENT],
    ['text/event-stream', { itemSchema: {} }, 'event-stream', 'event', {}],
    ['text/event-stream', { itemSchema: ITEM }, 'event-stream', 'data', ITEM],
    ['text/event-stream', { schema: ITEM }, 'event-stream', 'data', ITEM],
    ['text/event-stream', { schema: ITEM, 'x-event-stream': 'item' }, 'event-stream', 'data', ITEM],
    ['application/jsonl', { itemSchema: ITEM }, 'json-lines', 'item', ITEM],
    ['application/x-ndjson; charset=utf-8', { schema: { type: 'array', items: ITEM } }, 'json-lines', 'item', ITEM],
    ['application/json-seq', { itemSchema: ITEM }, 'json-seq', 'item', ITEM],
    ['application/geo+json-seq', { itemSchema: ITEM }, 'json-seq', 'item', ITEM],
    ['multipart/mixed', { itemSchema: ITEM }, 'multipart', 'item', ITEM],
  ])(
    'the items of a sequential media type of %s with %j are found in 3.1 and 3.2',
    async (mediaType, media, framing, unit, schema) => {
      for (const version of ['3.1.0', '3.2.0'])
        expect(await read(version, mediaType, media)).toEqual({ framing, unit, schema });
    },
  );

  it.each([
    ['application/json', { itemSchema: ITEM }],
    ['text/event-stream', { schema: { type: 'string' } }],
    ['multipart/form-data', { schema: ITEM }],
    ['multipart/mixed', { schema: ITEM }],
  ])('a media type %s with %j has no items', async (mediaType, media) => {
    expect(await read('3.2.0', mediaType, media)).toBeUndefined();
  });
});

describe('the other parts of OpenAPI 3.2', () => {
  it('reads media types that are references', async () => {
    const api = await loadDocument(
      document({
        components: { mediaTypes: { Pets: { schema: { type: 'array' } } } },
        paths: {
          '/a': {
            get: {
              operationId: 'a',
              responses: { 200: { content: { 'application/json': { $ref: '#/components/mediaTypes/Pets' } } } },
            },
          },
        },
      }),
    );
    expect(api.operations[0]?.responses[0]).toMatchObject({
      description: '',
      content: [{ schema: { type: 'array' } }],
    });
    expect(api.diagnostics).toEqual([]);
  });

  it('reads an in: querystring parameter with its media type and encodings', async () => {
    const content = {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object' },
        encoding: { a: { contentType: 'application/json' } },
      },
    };
    const parameters = [
      { name: 'q', in: 'querystring', content },
      { name: 'c', in: 'cookie', style: 'cookie', schema: {} },
    ];
    const api = await loadDocument(document({ paths: { '/a': { get: { operationId: 'a', parameters, responses } } } }));
    const [whole, cookie] = api.operations[0]?.parameters ?? [];
    expect(whole).toMatchObject({ in: 'querystring', mediaType: 'application/x-www-form-urlencoded' });
    expect(whole?.encoding?.get('a')).toMatchObject({ contentType: 'application/json' });
    expect(cookie).toMatchObject({ style: 'cookie', explode: true });
  });

  it('reads encodings by position and nested encodings', async () => {
    const media = {
      schema: { type: 'array' },
      prefixEncoding: [{ contentType: 'text/plain' }],
      itemEncoding: { contentType: 'multipart/mixed', itemEncoding: { contentType: 'image/png' } },
    };
    const requestBody = { content: { 'multipart/mixed': media } };
    const api = await loadDocument(
      document({ paths: { '/a': { post: { operationId: 'a', requestBody, responses } } } }),
    );
    expect(api.operations[0]?.body?.content[0]).toMatchObject({
      prefixEncoding: [{ contentType: 'text/plain' }],
      itemEncoding: { contentType: 'multipart/mixed', nested: { itemEncoding: { contentType: 'image/png' } } },
    });
  });

  it('reads summaries, names, tag relations, dataValue, defaultMapping, nodeType and the new members of security schemes', async () => {
    const flows = {
      deviceAuthorization: { deviceAuthorizationUrl: 'https://a.test/d', tokenUrl: 'https://a.test/t', scopes: {} },
    };
    const api = await loadDocument(
      document({
        servers: [{ url: '/v1', name: 'main' }],
        tags: [{ name: 'a' }, { name: 'b', summary: 'B', parent: 'a', kind: 'nav' }],
        components: {
          securitySchemes: { o: { type: 'oauth2', deprecated: true, oauth2MetadataUrl: 'https://a.test/m', flows } },
          schemas: {
            Other: { type: 'object' },
            Pet: {
              type: 'object',
              oneOf: [{ $ref: '#/components/schemas/Other' }],
              discriminator: { propertyName: 'kind', defaultMapping: 'Other' },
            },
            Note: { type: 'string', xml: { attribute: true, name: 'n' } },
          },
        },
        paths: {
          '/a': {
            get: {
              operationId: 'a',
              responses: {
                200: {
                  summary: 'Fine',
                  content: { 'text/plain': { examples: { e: { dataValue: 'x', serializedValue: 'y' } } } },
                },
              },
            },
          },
        },
      }),
    );
    expect(api.servers).toMatchObject([{ name: 'main' }]);
    expect(api.tags[1]).toEqual({ name: 'b', summary: 'B', parent: 'a', kind: 'nav' });
    expect(api.securitySchemes.get('o')).toMatchObject({
      deprecated: true,
      metadataUrl: 'https://a.test/m',
      flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://a.test/d' } },
    });
    expect(api.schemas.get('Pet')?.schema).toMatchObject({ discriminator: { defaultMapping: 'Other' } });
    expect(api.schemas.get('Note')?.schema).toMatchObject({ xml: { name: 'n', nodeType: 'attribute' } });
    expect(api.operations[0]?.responses[0]).toMatchObject({
      summary: 'Fine',
      content: [{ examples: [{ value: 'x', serializedValue: 'y' }] }],
    });
    expect(api.diagnostics).toEqual([]);
  });

  it('resolves references between documents with the base URI $self', async () => {
    const folder = specFolder({
      'a.json': document({
        $self: 'https://api.test/v1/a',
        paths: {
          '/x': {
            get: {
              operationId: 'x',
              responses: {
                200: { content: { 'application/json': { schema: { $ref: 'shared#/components/schemas/Pet' } } } },
              },
            },
          },
        },
      }),
      'b.json': document({
        $self: 'https://api.test/v1/shared',
        components: { schemas: { Pet: { type: 'integer' } } },
      }),
    });
    const api = await loadApi([path.join(folder, 'a.json'), path.join(folder, 'b.json')]);
    expect(api.diagnostics).toEqual([]);
    expect(api.operations[0]?.responses[0]?.content[0]?.schema).toEqual({ $ref: '#/$defs/Pet' });
  });

  it('reads a security scheme that a requirement names by its URI, in a file that nothing else refers to', async () => {
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
    const security = [
      { 'shared.json#/components/securitySchemes/key': ['s'] },
      { '#/components/securitySchemes/o': [] },
    ];
    const api = await loadFiles({
      'a.json': document({
        paths: { '/a': { get: { operationId: 'a', security, responses } } },
        components: { securitySchemes: { o: { type: 'mutualTLS' } } },
      }),
      'shared.json': document({ components: { securitySchemes: { key } } }),
    });
    expect(api.diagnostics).toEqual([]);
    expect(api.operations[0]?.security).toEqual([{ key: ['s'] }, { o: [] }]);
    expect(api.securitySchemes.get('key')).toMatchObject({ type: 'apiKey', name: 'X-Key' });
  });

  it('reads a file that only the mapping of a discriminator names', async () => {
    const cat = { allOf: [{ $ref: 'a.json#/components/schemas/Pet' }], properties: { lives: { type: 'integer' } } };
    const discriminator = { propertyName: 'kind', mapping: { cat: 'cat.json' } };
    const api = await loadFiles({
      'a.json': document({
        components: { schemas: { Pet: branch({ required: ['kind'], discriminator }) } },
      }),
      'cat.json': cat,
    });
    expect(api.diagnostics).toEqual([]);
    expect([...api.schemas.keys()].sort()).toEqual(['Cat', 'Pet']);
  });

  it('still resolves files beside a document that has a $self', async () => {
    const api = await loadFiles({
      'a.json': document({ $self: 'https://api.test/v1/a', components: { schemas: { A: { $ref: './b.json' } } } }),
      'b.json': { type: 'integer' },
    });
    expect(api.diagnostics).toEqual([]);
  });
});

describe('documents that the standard forbids', () => {
  it.each([
    ['no container', document({}), ''],
    ['an unknown member, with the one that was meant', document({ paths: { '/a': { gte: {} } } }), '/paths/~1a/gte'],
    ['a path without a slash', document({ paths: { a: {} } }), '/paths/a'],
    ['two paths that match the same', document({ paths: { '/b/{id}': {}, '/b/{name}': {} } }), '/paths/~1b~1{name}'],
    [
      'example beside examples',
      document({ components: { parameters: { p: { name: 'p', in: 'query', schema: {}, example: 1, examples: {} } } } }),
      '/components/parameters/p',
    ],
    [
      'a 3.1 response without description',
      { ...document({ paths: { '/a': { get: { operationId: 'a', responses: { 200: {} } } } } }), openapi: '3.1.0' },
      '/paths/~1a/get/responses/200',
    ],
    ['a 3.0 document without paths', { ...document({}), openapi: '3.0.3' }, ''],
  ])('%s is reported at its position', async (_name, spec, pointer) => {
    const { diagnostics } = await loadDocument(spec);
    expect(diagnostics.filter(({ code }) => code === 'document-invalid')).toMatchObject([{ pointer }]);
  });

  it('names the member that was probably meant', async () => {
    const { diagnostics } = await loadDocument(document({ paths: { '/a': { gte: {} } } }));
    expect(diagnostics[0]?.message).toBe('A Path Item Object of OpenAPI 3.2 has no member "gte". Did you mean "get"?');
  });
});

describe.skipIf(!existsSync(SUITE))('the documents of the OpenAPI repository', () => {
  const files = (folder: string): string[] => (existsSync(SUITE) ? readdirSync(path.join(SUITE, folder)) : []);
  const problems = async (folder: string, file: string): Promise<string[]> => {
    const api = await loadApi(path.join(SUITE, folder, file));
    return api.diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  };

  it.each(files('fail'))('reports a problem in fail/%s', async (file) => {
    const found = await problems('fail', file).catch((error: unknown) => [String(error)]);
    expect(found).not.toEqual([]);
  });

  // What these report: links, schemes and schemas that exist nowhere, for the standard does not ask for them.
  it.each(files('pass'))('accepts pass/%s', async (file) => {
    const found = await problems('pass', file);
    expect(found.filter((code) => code === 'document-invalid' || code === 'document-shape')).toEqual([]);
  });
});
