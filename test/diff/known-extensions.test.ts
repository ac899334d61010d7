import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { KNOWN_EXTENSIONS } from '../../model/known-extensions.js';
import { diffApis, selectChanges } from '../../diff/index.js';
import { loadApi } from '../../model/load-api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import extensions from '../../specs/extensions.schema.json' with { type: 'json' };
import { loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';
import { diffDocuments, documentOf, shorten } from './diff-documents.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

function object(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more };
}

/** A document in which operations send or receive named schemas: `{ 'post /a': { sends: 'A' } }`. */
function documentUsing(
  uses: Readonly<Record<string, { readonly sends?: string; readonly receives?: string }>>,
  schemas: object,
): object {
  const content = (name: string): object => ({ 'application/json': { schema: ref(name) } });
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, { sends, receives }] of Object.entries(uses)) {
    const [method = '', where = ''] = name.split(' ');
    (paths[where] ??= {})[method] = {
      operationId: name,
      ...(sends === undefined ? {} : { requestBody: { content: content(sends) } }),
      responses: { 200: { description: 'done', ...(receives === undefined ? {} : { content: content(receives) }) } },
    };
  }
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, components: { schemas } };
}

/** The messages of the changes between two schemas that are sent and received. */
async function messagesBetween(old: unknown, next: unknown, schemas: object = {}): Promise<string[]> {
  const changes = await diffDocuments(documentOf(old, schemas), documentOf(next, schemas));
  return changes.map(({ message, request, response }) => `${message} ${request ?? '-'} / ${response ?? '-'}`);
}

describe('a change in a schema of many operations', () => {
  const uses = {
    'get /b': { receives: 'List' },
    'post /a': { sends: 'Pet', receives: 'Pet' },
    'put /c': { sends: 'Other' },
  };
  const schemas = (pet: object): object => ({
    Pet: pet,
    List: { type: 'array', items: ref('Pet') },
    Other: object({ a: string }),
  });

  test('a change in a schema of many operations is one change that lists all affected operations', async () => {
    const changes = await diffDocuments(
      documentUsing(uses, schemas(object({ kind: { enum: ['cat'] } }))),
      documentUsing(uses, schemas(object({ kind: { enum: ['cat', 'dog'] } }))),
    );
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      kind: 'enum-value-added',
      request: 'safe',
      response: 'risky',
      level: 'risky',
      operations: [
        { id: 'post /a', method: 'post', path: '/a', directions: ['request', 'response'] },
        { id: 'get /b', method: 'get', path: '/b', directions: ['response'] },
      ],
    });
  });

  test('a change in a schema of many operations is judged only in the directions that reach it', async () => {
    const only = { 'put /c': { sends: 'Pet' } };
    const changes = await diffDocuments(
      documentUsing(only, { Pet: object({ a: string }) }),
      documentUsing(only, { Pet: object({ a: integer }) }),
    );
    expect(changes.map(shorten)).toMatchObject([{ kind: 'type-changed', levels: 'breaking / -' }]);
  });

  test('a change in a base schema of several schemas is one change', async () => {
    const of = (name: object): object =>
      documentUsing(
        { 'post /a': { sends: 'Cat', receives: 'Dog' } },
        {
          Base: object({ name }),
          Cat: { allOf: [ref('Base'), object({ meows: string })] },
          Dog: { allOf: [ref('Base'), object({ barks: string })] },
        },
      );
    expect((await diffDocuments(of(string), of({ ...string, maxLength: 9 }))).map(shorten)).toEqual([
      {
        kind: 'length-tightened',
        levels: 'breaking / safe',
        message: 'The maxLength of "Base.name" is 9, was not there.',
        at: ['/components/schemas/Base/properties/name', '/components/schemas/Base/properties/name/maxLength'],
      },
    ]);
  });

  test('a change in a parameter of several operations is one change', async () => {
    const of = (maximum: number): object => {
      const get = (operationId: string): object => ({
        get: {
          operationId,
          parameters: [{ $ref: '#/components/parameters/Take' }],
          responses: { 200: { description: '' } },
        },
      });
      const Take = { name: 'take', in: 'query', schema: { type: 'integer', maximum } };
      return {
        openapi: '3.1.0',
        info: { title: 'Test', version: '1' },
        paths: { '/a': get('a'), '/b': get('b') },
        components: { parameters: { Take } },
      };
    };
    const changes = await diffDocuments(of(100), of(50));
    expect(changes.map(({ operations }) => operations.map(({ id }) => id))).toEqual([['a', 'b']]);
  });

  test('a change in a schema of many operations is found in a schema that contains itself', async () => {
    const node = (value: object): object =>
      object({ value, next: ref('Thing'), all: { type: 'array', items: ref('Thing') } });
    expect(await messagesBetween(node(string), node(integer))).toEqual([
      '"Thing.value" is an integer, was a string. breaking / breaking',
    ]);
  });

  test('a change in a schema of many operations is found in a schema that no operation uses', async () => {
    const changes = await diffDocuments(documentUsing({}, { A: string }), documentUsing({}, { A: integer }));
    expect(changes).toMatchObject([{ kind: 'type-changed', level: 'breaking', operations: [] }]);
  });
});

describe('members that travel in one direction', () => {
  test.each([
    ['readOnly', ['"Thing.a.b" is an integer, was a string. - / breaking']],
    ['writeOnly', ['"Thing.a.b" is an integer, was a string. breaking / -']],
  ])('a change inside a member is judged in one direction if the member is %s', async (mark, messages) => {
    const of = (b: object): object => object({ a: object({ b }, { [mark]: true }) });
    expect(await messagesBetween(of(string), of(integer))).toEqual(messages);
  });

  test.each([
    ['readOnly', '"Thing.a" is new and required. - / safe'],
    ['writeOnly', '"Thing.a" is new and required. breaking / -'],
  ])('a new required member is judged in one direction if it is %s', async (mark, message) => {
    const next = object({ a: { ...string, [mark]: true } }, { required: ['a'] });
    expect(await messagesBetween(object({}), next)).toEqual([message]);
  });

  test('readOnly in a referenced schema limits a member to responses', async () => {
    const of = (type: string): object => documentOf(object({ a: ref('A') }), { A: { type, readOnly: true } });
    expect((await diffDocuments(of('string'), of('integer'))).map(shorten)).toMatchObject([{ levels: '- / breaking' }]);
  });
});

describe('alternatives', () => {
  const [cat, dog] = [object({ meows: string }), object({ barks: string })];

  test.each<[string, unknown, unknown, string[]]>([
    ['one becomes two', cat, { oneOf: [cat, dog] }, ['"Thing" has one more alternative: an object. safe / risky']],
    [
      'one becomes two, and changes',
      object({ a: string, b: string }, { required: ['a'] }),
      { oneOf: [object({ a: string, b: string }), dog] },
      [
        '"Thing.oneOf[0].a" is optional now. safe / breaking',
        '"Thing" has one more alternative: an object. safe / risky',
      ],
    ],
    [
      'a type becomes several',
      string,
      { anyOf: [string, cat] },
      ['"Thing" has one more alternative: an object. safe / risky'],
    ],
    [
      'two types become alternatives',
      { type: ['string', 'integer'] },
      { anyOf: [{ ...string, maxLength: 3 }, integer] },
      ['The maxLength of "Thing.anyOf[0]" is 3, was not there. breaking / safe'],
    ],
    ['one becomes nullable', cat, { oneOf: [cat, { type: 'null' }] }, ['"Thing" may be null now. safe / breaking']],
    [
      'null moves from one alternative to the choice',
      { anyOf: [{ type: ['string', 'null'], maxLength: 3 }, cat] },
      { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }, cat] },
      [],
    ],
    [
      'an alternative, found by its tag, changes',
      { oneOf: [object({ kind: { const: 'a' }, x: string, y: string }), object({ kind: { const: 'b' }, z: string })] },
      { oneOf: [object({ kind: { const: 'b' }, x: string, y: string }), object({ kind: { const: 'a' }, z: string })] },
      [
        '"Thing.oneOf[0].x" is gone. risky / risky',
        '"Thing.oneOf[0].y" is gone. risky / risky',
        '"Thing.oneOf[1].z" is gone. risky / risky',
        '"Thing.oneOf[0].x" is new. safe / safe',
        '"Thing.oneOf[0].y" is new. safe / safe',
        '"Thing.oneOf[1].z" is new. safe / safe',
      ],
    ],
    [
      'an alternative is replaced by another thing',
      { anyOf: [string, cat] },
      { anyOf: [string, dog] },
      [
        '"Thing" has one more alternative: an object. safe / risky',
        '"Thing" has one alternative fewer: an object. breaking / safe',
      ],
    ],
    [
      'any value becomes a choice',
      {},
      { oneOf: [cat, dog] },
      ['"Thing" must also fit one of 2 alternatives now. breaking / safe'],
    ],
  ])('alternatives: %s', async (_name, old, next, messages) => {
    expect((await messagesBetween(old, next)).toSorted()).toEqual(messages.toSorted());
  });
});

describe('operations', () => {
  const get = (operation: object): object => ({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: '' } }, ...operation } } },
  });
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

  test.each<[string, object, object, string[]]>([
    [
      'a status that a range covers now',
      { responses: { 200: { description: '', ...json(string) } } },
      { responses: { '2XX': { description: '', ...json(integer) } } },
      ['The response 2XX is an integer, was a string. - / breaking', 'The response 2XX is new. - / risky'],
    ],
    [
      'a media type that a range covers now',
      { requestBody: json(string) },
      { requestBody: { content: { 'application/*': { schema: string } } } },
      ['The request body may be "application/*" now. safe / -'],
    ],
    [
      'explode of a single value',
      { parameters: [{ name: 'q', in: 'query', schema: string }] },
      { parameters: [{ name: 'q', in: 'query', explode: false, schema: string }] },
      [],
    ],
    [
      'headers in another case',
      { parameters: [{ name: 'X-A', in: 'header', schema: string }] },
      { parameters: [{ name: 'x-a', in: 'header', schema: string }] },
      [],
    ],
    [
      'a number that becomes a limited text',
      { parameters: [{ name: 'q', in: 'query', schema: integer }] },
      { parameters: [{ name: 'q', in: 'query', schema: { ...string, maxLength: 3 } }] },
      ['The query parameter "q" is a string, was an integer. breaking / -'],
    ],
  ])('operations: %s', async (_name, old, next, messages) => {
    const changes = await diffDocuments(get(old), get(next));
    expect(
      changes.map(({ message, request, response }) => `${message} ${request ?? '-'} / ${response ?? '-'}`),
    ).toEqual(messages);
  });
});

describe('positions', () => {
  test('positions are the file, line and column in both documents', async () => {
    const head =
      'openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        "200":\n          description: ok\n          content:\n            application/json:\n              schema:\n';
    const folder = tempFolder({
      'old/openapi.yaml': `${head}                type: object\n                nullable: true\n                allOf: [{ type: object }]\n                properties:\n                  n:\n                    type: integer\n                    maximum: 10\n                    exclusiveMaximum: true\n`,
      'new/openapi.yaml': `${head}                nullable: true\n                allOf:\n                  - $ref: ../new/schemas.json#/A\n`,
      'new/schemas.json':
        '{\n  "A": {\n    "type": "object",\n    "properties": { "n": { "type": "integer",\n      "maximum": 8 } }\n  }\n}\n',
    });
    const [old, next] = [path.join(folder, 'old/openapi.yaml'), path.join(folder, 'new/openapi.yaml')];
    const diff = diffApis(await loadApi(old), await loadApi(next));
    const schema = '/paths/~1a/get/responses/200/content/application~1json/schema';
    expect(diff.changes).toMatchObject([
      {
        message: 'The maximum of "A.n" is 8, was 9.',
        old: { file: old, line: 20, column: 39, pointer: `${schema}/properties/n/exclusiveMaximum` },
        new: { file: path.join(folder, 'new/schemas.json'), line: 5, column: 18, pointer: '/A/properties/n/maximum' },
      },
    ]);
  });

  test('positions of security are in the operation, or else in the document', async () => {
    const of = (scopes: readonly string[], own: boolean): object => ({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      components: { securitySchemes: { o: { type: 'oauth2', flows: {} } } },
      security: [{ o: scopes }],
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            responses: { 200: { description: '' } },
            ...(own ? { security: [{ o: scopes }] } : {}),
          },
        },
        '/b': { get: { operationId: 'b', responses: { 200: { description: '' } } } },
      },
    });
    const found = async (own: boolean): Promise<unknown> =>
      (await diffDocuments(of(['x'], own), of(['x', 'y'], own))).map((change) => [
        change.new.pointer,
        change.operations.map(({ id }) => id),
      ]);
    expect(await found(false)).toEqual([['/security', ['a', 'b']]]);
    expect(await found(true)).toEqual([
      ['/security', ['b']],
      ['/paths/~1a/get/security', ['a']],
    ]);
  });
});

describe('bare JSON Schemas', () => {
  const schema = (more: object): object => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { list: { type: 'array', items: [{ type: 'string' }], additionalItems: false }, ...more },
  });

  test('bare JSON Schemas are compared in the direction in which they are written', async () => {
    const changes = await diffDocuments(schema({ a: string }), schema({ a: { ...string, minLength: 1 } }));
    expect(changes.map(shorten)).toMatchObject([{ kind: 'length-tightened', levels: 'breaking / -' }]);
  });

  test('bare JSON Schemas of draft-07 and 2020-12 with the same meaning have no changes', async () => {
    const next = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { list: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
    };
    expect(await diffDocuments(schema({}), next)).toEqual([]);
  });

  test('positions use the keywords of the draft of a bare JSON Schema', async () => {
    const old = schema({});
    const next = JSON.parse(
      JSON.stringify(old).replace('"items":[{"type":"string"}]', '"items":[{"type":"integer"}]'),
    ) as object;
    expect((await diffDocuments(old, next)).map(shorten)).toMatchObject([
      {
        message: expect.stringContaining('list[0]'),
        at: ['/properties/list/items/0/type', '/properties/list/items/0/type'],
      },
    ]);
  });

  test('bare JSON Schemas are not compared with OpenAPI documents', async () => {
    const [old, next] = await Promise.all([loadDocument(schema({})), loadDocument(documentOf(string))]);
    expect(() => diffApis(old, next)).toThrow(InputError);
  });
});

describe('selectChanges', () => {
  test('omits accepted changes, and counts those that are not listed', async () => {
    const [old, next] = await Promise.all([
      loadDocument(documentOf(object({ a: string, b: { ...string, description: 'one' } }, { required: ['a'] }))),
      loadDocument(documentOf(object({ a: integer, b: { ...string, description: 'two' }, c: string }))),
    ]);
    const diff = diffApis(old, next);
    expect(diff.counts).toEqual({ breaking: 2, risky: 0, safe: 1, wordsOnly: 1 });
    const kinds = (selection: Parameters<typeof selectChanges>[1]): unknown => {
      const { changes, counts } = selectChanges(diff, selection);
      return [changes.map(({ kind }) => kind), counts.breaking, counts.wordsOnly];
    };
    expect(kinds({})).toEqual([['member-became-optional', 'type-changed', 'member-added'], 2, 1]);
    expect(kinds({ ignore: ['type-changed'] })).toEqual([['member-became-optional', 'member-added'], 1, 1]);
    expect(kinds({ only: ['safe'], all: true })).toEqual([['description-changed', 'member-added'], 2, 1]);
  });
});

test('the diff knows every documented extension except pure documentation', () => {
  const documented = Object.keys(extensions.properties).filter((name) => name !== 'x-assumption');
  expect([...KNOWN_EXTENSIONS].toSorted()).toEqual(documented.toSorted());
});
