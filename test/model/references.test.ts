import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { readSchema, schemaDocument, type SchemaDialectUnderTest } from '../support/read-schema.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { type SpecFiles, loadFiles } from '../support/spec-folder.js';

const codesOf = (api: Api): string[] => api.diagnostics.map(({ code }) => code);
const schemasOf = (api: Api): Record<string, unknown> =>
  Object.fromEntries([...api.schemas.values()].map(({ name, schema }) => [name, schema]));

type Row = readonly [what: string, dialect: SchemaDialectUnderTest, given: unknown, others: object, want: object];

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const text = { type: 'string' };
const root = { Root: { title: 'Root' } };

const INSIDE: readonly Row[] = [
  ['a component', '3.0', { $ref: '#/components/schemas/Pet' }, { Pet: text }, { Given: ref('Pet'), Pet: text }],
  [
    'itself',
    '3.0',
    { properties: { next: { $ref: '#/components/schemas/Given' } } },
    {},
    { Given: { properties: { next: ref('Given') } } },
  ],
  ['the whole schema', 'draft-07', { items: { $ref: '#' } }, {}, { ...root, Given: { items: ref('Root') } }],
  [
    'a member of a component, which gets a name',
    '3.0',
    { $ref: '#/components/schemas/Pet/properties/name' },
    { Pet: { properties: { name: text } } },
    { Given: ref('PetName'), Pet: { properties: { name: text } }, PetName: text },
  ],
  [
    'an item deep inside',
    '3.1',
    { $ref: '#/components/schemas/Pet/oneOf/1/items' },
    { Pet: { oneOf: [true, { items: text }] } },
    { Given: ref('PetOneOf1Items'), Pet: { oneOf: [true, { items: text }] }, PetOneOf1Items: text },
  ],
  [
    'a member that is called like a keyword',
    '3.1',
    { $ref: '#/components/schemas/Pet/properties/properties' },
    { Pet: { properties: { properties: text } } },
    { Given: ref('PetProperties'), Pet: { properties: { properties: text } }, PetProperties: text },
  ],
  [
    'through another reference',
    '3.1',
    { $ref: '#/components/schemas/Alias/properties/name' },
    { Alias: { $ref: '#/components/schemas/Pet' }, Pet: { properties: { name: text } } },
    { Given: ref('PetName'), Alias: ref('Pet'), Pet: { properties: { name: text } }, PetName: text },
  ],
  [
    'escaped characters',
    '3.1',
    { $ref: '#/components/schemas/a~1b~0c%20d' },
    { 'a/b~c d': text },
    { Given: ref('ABCD'), ABCD: text },
  ],
  [
    'percent-encoded letters',
    '3.1',
    { $ref: '#/components/schemas/%50et' },
    { Pet: text },
    { Given: ref('Pet'), Pet: text },
  ],
  [
    'an anchor',
    '2020-12',
    { $ref: '#pet' },
    { Pet: { $anchor: 'pet', ...text } },
    { ...root, Given: ref('Pet'), Pet: text },
  ],
  [
    'an anchor of draft-07',
    'draft-07',
    { $ref: '#pet' },
    { Pet: { $id: '#pet', ...text } },
    { ...root, Given: ref('Pet'), Pet: text },
  ],
  [
    'an anchor of draft-04',
    'draft-04',
    { $ref: '#pet' },
    { Pet: { id: '#pet', ...text } },
    { ...root, Given: ref('Pet'), Pet: text },
  ],
  [
    'an $id',
    '2020-12',
    { $ref: 'https://example.com/pet' },
    { Pet: { $id: 'https://example.com/pet', ...text } },
    { ...root, Given: ref('Pet'), Pet: text },
  ],
  [
    'a pointer inside a resource',
    '2020-12',
    { $id: 'https://example.com/a', $ref: '#/$defs/Inner', $defs: { Inner: text } },
    {},
    { ...root, Given: ref('GivenInner'), GivenInner: text },
  ],
  [
    'an address relative to the $id around it',
    '2020-12',
    { $id: 'https://example.com/dir/a', items: { $ref: 'b' } },
    { B: { $id: 'https://example.com/dir/b', ...text } },
    { ...root, Given: { items: ref('B') }, B: text },
  ],
  [
    'an address of draft-04',
    'draft-04',
    { $ref: 'https://example.com/pet#' },
    { Pet: { id: 'https://example.com/pet', ...text } },
    { ...root, Given: ref('Pet'), Pet: text },
  ],
];

describe('a reference inside the document leads to', () => {
  test.each(INSIDE)('a reference inside the document leads to %s', async (...row) => {
    const [, dialect, given, others, want] = row;
    const { api } = await readSchema(dialect, given, others);
    expect(schemasOf(api)).toEqual(want);
    expect(codesOf(api)).toEqual([]);
  });
});

const LOST: readonly (readonly [what: string, dialect: SchemaDialectUnderTest, reference: string])[] = [
  ['a component that does not exist', '3.1', '#/components/schemas/Nobody'],
  ['an index that does not exist', '3.1', '#/components/schemas/Given/allOf/7'],
  ['a member of Object.prototype', '3.1', '#/components/schemas/constructor'],
  ['a pointer into a cycle', '3.1', '#/components/schemas/Given/allOf/0/x'],
  ['an anchor that does not exist', '2020-12', '#nobody'],
  ['a file that does not exist', '3.1', 'nobody.json'],
  ['an invalid address', '3.1', 'http://[/'],
  ['broken percent-encoding', '3.1', '#/components/%ZZ'],
];

describe('an unresolved reference is ignored and reported', () => {
  test.each(LOST)('an unresolved reference is ignored and reported: %s', async (_what, dialect, reference) => {
    const api = await loadFiles({ 'spec.json': schemaDocument(dialect, { allOf: [{ $ref: reference }] }) });
    expect(api.schemas.get('Given')?.schema).toEqual({ allOf: [{}] });
    const [diagnostic] = api.diagnostics;
    expect(diagnostic).toMatchObject({ severity: 'error', line: 1, column: expect.any(Number) });
    expect(diagnostic?.pointer).toMatch(/\/Given\/allOf\/0\/\$ref$/);
  });
});

const TREE = {
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  title: 'Tree',
  $recursiveAnchor: true,
  items: { $recursiveRef: '#' },
};
const PAGE = {
  $id: 'https://example.com/page',
  properties: { items: { type: 'array', items: { $dynamicRef: '#item' } } },
  $defs: { any: { $dynamicAnchor: 'item' } },
};

function schemaOf(api: Api, name: string): SchemaObject {
  const schema = api.schemas.get(name)?.schema;
  return typeof schema === 'object' ? schema : {};
}

function referredBy(schema: Schema | undefined): string {
  return refName((typeof schema === 'object' ? schema.$ref : undefined) ?? '');
}

/** A page whose items are of a type. */
const pageOf = (type: string): object => {
  return { $id: `https://example.com/${type}s`, $ref: 'page', $defs: { own: { $dynamicAnchor: 'item', type } } };
};

describe('a dynamic reference', () => {
  test.each<readonly [what: string, others: object]>([
    ['one anchor', { Node: { $dynamicAnchor: 'node' } }],
    ['a plain anchor', { Node: { $anchor: 'node' }, Other: { $id: 'https://example.com/o', $dynamicAnchor: 'node' } }],
    [
      'several anchors, none of them in scope',
      { Node: { $dynamicAnchor: 'node' }, Other: { $id: 'https://example.com/o', $dynamicAnchor: 'node' } },
    ],
  ])('a dynamic reference resolves to its static target: %s', async (_what, others) => {
    const { api, schema } = await readSchema('2020-12', { $dynamicRef: '#node' }, others);
    expect(schema).toEqual(ref('Node'));
    expect(codesOf(api)).toEqual([]);
  });

  test('a dynamic reference of a generic schema resolves to the schema that the referring schema binds', async () => {
    const others = { Page: PAGE, Texts: pageOf('string'), Numbers: pageOf('number') };
    const { api } = await readSchema('2020-12', {}, others);
    const itemsOf = (name: string): unknown => {
      const { items } = schemaOf(api, referredBy(schemaOf(api, name))).properties ?? {};
      const item = typeof items === 'object' ? items.items : undefined;
      return schemaOf(api, referredBy(item)).type;
    };
    expect([itemsOf('Texts'), itemsOf('Numbers')]).toEqual(['string', 'number']);
    expect(codesOf(api)).toEqual([]);
  });

  test('$recursiveRef resolves to the outermost schema with $recursiveAnchor', async () => {
    const one = await loadFiles({ 'tree.json': TREE });
    expect([one.schemas.get('Tree')?.schema, codesOf(one)]).toEqual([{ title: 'Tree', items: ref('Tree') }, []]);
    const strict = {
      $id: 'https://example.com/strict',
      title: 'Strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      maxItems: 2,
    };
    const two = await loadFiles({
      'tree.json': { ...TREE, $id: 'https://example.com/tree', $defs: { strict } },
    });
    const target = schemaOf(two, referredBy(schemaOf(two, 'Strict')));
    expect([target.items, codesOf(two)]).toEqual([ref('Strict'), []]);
  });

  test('a dynamic reference applies together with a $ref beside it', async () => {
    const { schema } = await readSchema(
      '2020-12',
      { $ref: '#/$defs/A', $dynamicRef: '#b' },
      { A: {}, B: { $dynamicAnchor: 'b' } },
    );
    expect(schema).toEqual({ $ref: '#/$defs/A', allOf: [ref('B')] });
  });
});

const entry = (reference: string): object => schemaDocument('3.1', { $ref: reference });
const OUTSIDE: readonly (readonly [what: string, files: SpecFiles, target: string])[] = [
  ['a whole file', { 'spec.json': entry('pet.json'), 'pet.json': text }, 'Pet'],
  [
    'a part of a file',
    {
      'spec.json': entry('./parts/pets.json#/components/schemas/Cat'),
      'parts/pets.json': { components: { schemas: { Cat: text } } },
    },
    'Cat',
  ],
  ['YAML', { 'spec.json': entry('pet.schema.yaml'), 'pet.schema.yaml': 'type: string\n' }, 'Pet'],
  [
    'a file through a file',
    { 'spec.json': entry('a/b.json#/x'), 'a/b.json': { x: { $ref: '../c.json' } }, 'c.json': text },
    'X',
  ],
  ['a file whose name needs encoding', { 'spec.json': entry('my%20pet%23.json'), 'my pet#.json': text }, 'MyPet'],
  [
    'a link that stays inside',
    { 'spec.json': entry('link.json'), 'link.json': { link: 'pet.json' }, 'pet.json': text },
    'Link',
  ],
  [
    'an anchor of a file',
    { 'spec.json': entry('pets.json#cat'), 'pets.json': { $defs: { c: { $anchor: 'cat', ...text } } } },
    'C',
  ],
  [
    'a file beside a document with an $id',
    { 'spec.json': { ...entry('pet.json'), $id: 'https://example.com/spec' }, 'pet.json': text },
    'Pet',
  ],
];

describe('a reference to another file leads to', () => {
  test.each(OUTSIDE)('a reference to another file leads to %s', async (_what, files, target) => {
    const api = await loadFiles(files);
    // An OpenAPI document must not have an $id, and is read all the same.
    expect(codesOf(api).filter((code) => code !== 'document-invalid')).toEqual([]);
    expect(api.schemas.get('Given')?.schema).toEqual(ref(target));
    expect(JSON.stringify(schemasOf(api))).toContain('"type":"string"');
    expect(api.files).toHaveLength(
      Object.values(files).filter((file) => typeof file === 'string' || !('link' in file)).length,
    );
  });

  test('a reference may lead to files that refer to each other', async () => {
    const api = await loadFiles({
      'spec.json': entry('a.json'),
      'a.json': { properties: { b: { $ref: 'b.json' } } },
      'b.json': { properties: { a: { $ref: 'a.json' }, spec: { $ref: 'spec.json#/components/schemas/Given' } } },
    });
    expect(schemasOf(api)).toEqual({
      Given: ref('A'),
      A: { properties: { b: ref('B') } },
      B: { properties: { a: ref('A'), spec: ref('Given') } },
    });
  });

  test('a file of another dialect is read in its own dialect', async () => {
    const old = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      definitions: { x: { minimum: 1, exclusiveMinimum: true } },
    };
    const api = await loadFiles({ 'spec.json': entry('old.json#/definitions/x'), 'old.json': old });
    expect(api.schemas.get('X')?.schema).toEqual({ exclusiveMinimum: 1 });
  });
});

test.each([
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-04/schema#',
  'https://json-schema.org/draft/2020-12/meta/validation',
])('the meta-schema %s needs no request', async (address) => {
  const api = await loadFiles({ 'spec.json': entry(address) });
  expect(codesOf(api)).toEqual([]);
  const validate = compileValidator(api, { $ref: '#/$defs/Given' }, { direction: 'request' });
  expect(validate({ type: 'string' })).toEqual([]);
  expect(validate({ type: 'sring' })).not.toEqual([]);
});

test('an address beside those of the meta-schemas is refused', async () => {
  const api = await loadFiles({ 'spec.json': entry('https://json-schema.org/draft/2020-12/meta/../schema/other') });
  expect(api.diagnostics[0]?.message).toContain('--allow-remote');
});

const REFUSED: readonly (readonly [what: string, reference: string, why: RegExp])[] = [
  ['a file above', '../secret.json', /outside the folder/],
  ['a file above, encoded', '%2e%2e/secret.json', /outside the folder/],
  ['an absolute path', '/etc/hosts', /outside the folder/],
  ['a file address', 'file:///etc/hosts', /outside the folder/],
  ['a link that leads out', 'link.json', /outside the folder/],
  ['a remote address', 'http://example.com/pet.json', /--allow-remote/],
  ['a remote address without a scheme', '//example.com/pet.json', /outside the folder|no target/],
  ['a folder', 'folder', /folder/],
];

describe('a reference is refused to', () => {
  test.each(REFUSED)('a reference is refused to %s', async (_what, reference, why) => {
    const api = await loadFiles({
      'spec.json': entry(reference),
      'link.json': { link: '/etc/hosts' },
      'folder/x.json': {},
    });
    expect(api.files).toHaveLength(1);
    expect(api.schemas.get('Given')?.schema).toEqual({});
    const [diagnostic] = api.diagnostics;
    expect(diagnostic).toMatchObject({ pointer: '/components/schemas/Given/$ref', line: 1, severity: 'error' });
    expect(diagnostic?.message).toMatch(why);
  });

  test('an unused reference is not read', async () => {
    const api = await loadFiles({ 'spec.json': schemaDocument('3.1', { examples: [{ $ref: 'http://example.com' }] }) });
    expect(codesOf(api)).toEqual([]);
  });

  test('a broken file is reported with its position', async () => {
    const api = await loadFiles({ 'spec.json': entry('broken.yaml'), 'broken.yaml': 'a: 1\nb: [\n' });
    expect(api.diagnostics.find(({ code }) => code === 'document-syntax')).toMatchObject({ line: 3, column: 1 });
  });
});

describe('an allowed remote reference', () => {
  let server: EchoServer;
  beforeAll(async () => {
    server = await startEchoServer(({ url }, response) => {
      const file = REMOTE_FILES[url];
      if (file === undefined) response.writeHead(404).end();
      else response.end(JSON.stringify(file));
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const loadRemote = (reference: string): Promise<Api> =>
    loadFiles({ 'spec.json': entry(reference) }, { allowRemote: true });

  test('an allowed remote reference is followed, also to files beside its target', async () => {
    const api = await loadRemote(`${server.url}/parts/pet.json`);
    expect(api.diagnostics).toEqual([]);
    expect(schemasOf(api)).toMatchObject({ Pet: { properties: { name: ref('Name') } }, Name: text });
  });

  test.each([
    ['does not exist', '/nowhere.json', /responded 404/],
    ['leads back to this machine’s files', '/parts/local.json', /outside the folder/],
  ])('an allowed remote reference is reported with a reason if it %s', async (_what, file, why) => {
    const { diagnostics } = await loadRemote(server.url + file);
    expect(diagnostics.map(({ message }) => message).join()).toMatch(why);
  });

  test('an allowed remote reference is reported with a reason if no server listens', async () => {
    const gone = await startEchoServer();
    await gone[Symbol.asyncDispose]();
    const { diagnostics } = await loadRemote(`${gone.url}/pet.json`);
    expect(diagnostics[0]).toMatchObject({
      code: 'ref-refused',
      message: expect.stringContaining('its server refuses connections'),
    });
  });
});

const REMOTE_FILES: Readonly<Record<string, unknown>> = {
  '/parts/pet.json': { type: 'object', properties: { name: { $ref: 'name.json' } } },
  '/parts/name.json': text,
  '/parts/local.json': { $ref: 'file:///etc/hosts' },
};
