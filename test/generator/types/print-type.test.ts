import { describe, expect, test } from 'vitest';

import type { Schema } from '../../../model/schema-types.js';
import { buildApi } from '../../support/build-api.js';
import { declarationOf, emitTypes } from '../../support/emit-types.js';

const others: Record<string, Schema> = {
  Pet: { type: 'object', properties: { name: { type: 'string' }, kind: { type: 'string' } } },
  Cat: { type: 'object', properties: { lives: { type: 'integer' } } },
  Dog: { type: 'object', properties: { kind: { const: 'dog' } }, required: ['kind'] },
  Rank: { type: 'object', properties: { level: { type: 'integer' }, isTop: { type: 'boolean' } } },
  List: { type: 'object', properties: { items: { type: 'array', items: { $ref: '#/$defs/Cat' } } } },
  Named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  Kitten: { allOf: [{ $ref: '#/$defs/Cat' }], type: 'object', properties: { age: { type: 'integer' } } },
};
const pet = { $ref: '#/$defs/Pet' };
const cat = { $ref: '#/$defs/Cat' };
const dog = { $ref: '#/$defs/Dog' };
const list = { $ref: '#/$defs/List' };
const kitten = { $ref: '#/$defs/Kitten' };
const rank = { $ref: '#/$defs/Rank' };

type Row = readonly [schema: Schema, type: string];

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'simple types': [
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'int64' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ type: 'null' }, 'null'],
    [{ type: 'boolean' }, 'boolean'],
    [{ minimum: 1 }, 'unknown'],
    [pet, 'Pet'],
  ],
  values: [
    [{ const: 'a' }, "'a'"],
    [{ enum: ['a', 1, true, null] }, "'a' | 1 | true | null"],
    [{ type: 'string', enum: ['a', 'a'] }, "'a'"],
    [{ const: { a: [1, 'b'], 'c-d': {} } }, "{ a: [1, 'b']; 'c-d': {} }"],
    [{ enum: [] }, 'never'],
    [{ enum: ["it's", 'a | b', '{'] }, "'it\\'s' | 'a | b' | '{'"],
  ],
  lists: [
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ items: pet }, 'Pet[]'],
    [{ type: 'array', items: { enum: ['a | b'] } }, "'a | b'[]"],
    [{ type: 'array', items: { type: 'array', items: { allOf: [pet, cat] } } }, '(Pet & Cat)[][]'],
    [{ prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 }, '[string, number?]'],
    [{ prefixItems: [{ type: 'string' }], minItems: 1 }, '[string, ...unknown[]]'],
    [{ prefixItems: [{ type: ['string', 'null'] }], items: { type: 'number' } }, '[(string | null)?, ...number[]]'],
  ],
  objects: [
    [{ type: 'object' }, '{ [key: string]: unknown }'],
    [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
    [{ properties: { a: { type: 'string' }, 'b-c': true }, required: ['a'] }, "{ a: string; 'b-c'?: unknown; }"],
    [{ properties: { a: { type: 'string', default: 'x' } } }, '{ a?: string; }'],
    [
      { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      '{ a?: string; [key: string]: number | string | undefined; }',
    ],
    [{ patternProperties: { '^x': { type: 'number' }, '^y': { type: 'null' } } }, '{ [key: string]: number | null }'],
    [{ type: 'object', required: ['a'] }, '{ a: unknown; }'],
    [
      { type: 'object', required: ['a'], additionalProperties: { type: 'number' } },
      '{ a: number; [key: string]: number; }',
    ],
    [{ type: ['object', 'null'], properties: { a: { type: 'null' } } }, '{ a?: null; } | null'],
    [
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":true}}') as Schema,
      "{ '__proto__'?: string; constructor?: unknown; }",
    ],
  ],
  combinations: [
    [{ allOf: [pet, cat] }, 'extends Pet, Cat {}'],
    [{ allOf: [pet, { properties: { age: { type: 'number' } } }] }, 'extends Pet { age?: number; }'],
    [{ type: 'object', allOf: [pet] }, 'Pet'],
    [{ allOf: [{ minimum: 1 }, pet] }, 'Pet'],
    [{ allOf: [pet, { required: ['name'] }] }, 'extends Pet { name: string; }'],
    [{ allOf: [pet], required: ['name', 'kind'] }, 'extends Pet { name: string; kind: string; }'],
    [{ allOf: [dog], required: ['kind'] }, 'Dog'],
    [{ ...pet, required: ['name'] }, 'extends Pet { name: string; }'],
    // Both name the member, and only one demands it.
    [{ allOf: [pet, { $ref: '#/$defs/Named' }] }, "extends Omit<Pet, 'name'>, Omit<Named, 'name'> { name: string; }"],
    [
      { allOf: [pet, { properties: { kind: { enum: ['cat'] } } }] },
      "extends Omit<Pet, 'kind'> { kind?: string & 'cat'; }",
    ],
    // In a type of lists only the items of the first would be seen.
    [{ allOf: [{ type: 'array', items: pet }, { items: cat }] }, '(Pet & Cat)[]'],
    [
      { properties: { all: { allOf: [list, { properties: { items: { type: 'array', items: kitten } } }] } } },
      '{ all?: { items?: Kitten[]; }; }',
    ],
    [{ ...pet, description: 'd' }, 'Pet'],
    [
      {
        allOf: [{ $ref: '#/$defs/List' }, { properties: { items: { type: 'array', items: { required: ['lives'] } } } }],
      },
      'List',
    ],
    [
      { allOf: [{ $ref: '#/$defs/List' }, { properties: { items: { minItems: 1 } }, required: ['items'] }] },
      'extends List { items: Cat[]; }',
    ],
    [{ oneOf: [pet, cat] }, 'Pet | Cat'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, {}] }, 'unknown'],
    [{ oneOf: [pet, false] }, 'Pet'],
    [{ allOf: [pet], oneOf: [cat, dog] }, 'Pet & (Cat | Dog)'],
    [{ oneOf: [{ allOf: [pet, cat] }, dog] }, '(Pet & Cat) | Dog'],
    [
      { properties: { a: true, b: { type: 'null' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{ a?: unknown; b?: null; } & ({ a: unknown } | { b: null })',
    ],
    [
      {
        properties: { a: { type: 'array', items: pet } },
        anyOf: [{ properties: { a: { minItems: 1 } }, required: ['a'] }],
      },
      '{ a?: Pet[]; } & { a: Pet[] }',
    ],
    [{ not: { type: 'string' } }, 'unknown'],
    [{ if: {}, then: pet }, 'unknown'],
  ],
  discriminators: [
    [
      { oneOf: [cat, pet], discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', pet: 'Pet' } } },
      "(Cat & { kind: 'cat' }) | (Pet & { kind: 'pet' })",
    ],
    [
      { oneOf: [cat, dog], discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } } },
      "(Cat & { kind: 'cat' }) | Dog",
    ],
    [
      { oneOf: [cat], discriminator: { propertyName: 'the-kind', mapping: { a: 'Cat', b: 'Cat' } } },
      "Cat & { 'the-kind': 'a' | 'b' }",
    ],
    [
      { oneOf: [cat, { type: 'null' }], discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } },
      "(Cat & { kind: 'cat' }) | null",
    ],
    // What a branch says itself is its tag, also where the mapping or the name of the schema says something else.
    [{ oneOf: [dog], discriminator: { propertyName: 'kind', mapping: { Dog: 'Dog' } } }, 'Dog'],
    [
      { oneOf: [rank], discriminator: { propertyName: 'level', mapping: { 1: 'Rank', 2: 'Rank', x: 'Rank' } } },
      'Rank & { level: 1 | 2 }',
    ],
    [{ oneOf: [rank], discriminator: { propertyName: 'isTop', mapping: { true: 'Rank' } } }, 'Rank & { isTop: true }'],
  ],
};

describe.each(Object.entries(TABLES))('%s', (_topic, rows) => {
  test.each(rows)('%j', async (schema, want) => {
    const text = await emitTypes(buildApi({ schemas: { Given: schema, ...others } }));
    expect(declarationOf(text, 'Given')).toBe(want);
  });
});

test('the discriminator of a base reaches schemas that extend it indirectly', async () => {
  const extend = (base: string): Schema => ({ allOf: [{ $ref: `#/$defs/${base}` }, { type: 'object' }] });
  const mapping = { Car: 'Car', Volvo: 'Volvo', Bike: 'Bike' };
  const schemas: Record<string, Schema> = {
    Vehicle: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind', mapping },
    },
    Car: extend('Vehicle'),
    Volvo: extend('Car'),
    Bike: extend('Vehicle'),
  };
  const text = await emitTypes(buildApi({ schemas }));
  expect(declarationOf(text, 'Car')).toBe("extends Vehicle { kind: 'Car' | 'Volvo'; }");
  expect(declarationOf(text, 'Volvo')).toBe("extends Car { kind: 'Volvo'; }");
  expect(declarationOf(text, 'Bike')).toContain("{ kind: 'Bike'; }");
});

describe('a recursive schema', () => {
  test.each<[Record<string, Schema>, string]>([
    [{ A: { $ref: '#/$defs/A' } }, 'unknown'],
    [{ A: { $ref: '#/$defs/B' }, B: { allOf: [{ $ref: '#/$defs/A' }] } }, 'unknown'],
    [{ A: { oneOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } }, 'unknown'],
    [{ A: { type: 'array', items: { $ref: '#/$defs/A' } } }, 'A[]'],
    [{ A: { properties: { a: { $ref: '#/$defs/A' } } } }, '{ a?: A; }'],
  ])('a recursive schema has a type that compiles: %j', async (schemas, want) => {
    expect(declarationOf(await emitTypes(buildApi({ schemas })), 'A')).toBe(want);
  });
});

describe('a variant', () => {
  const schemas: Record<string, Schema> = {
    Case: {
      properties: {
        id: { type: 'string', readOnly: true },
        secret: { type: 'string', writeOnly: true },
        name: { type: 'string' },
        owner: { $ref: '#/$defs/Owner' },
      },
      required: ['id', 'secret', 'name'],
    },
    Owner: { properties: { id: { $ref: '#/$defs/Id' } } },
    Id: { type: 'string', readOnly: true },
    Update: { allOf: [{ $ref: '#/$defs/Case' }], required: ['id', 'owner'] },
  };
  test.each([
    ['Case', '{ readonly id: string; name: string; owner?: Owner; }'],
    ['CaseInput', '{ secret: string; name: string; owner?: OwnerInput; }'],
    ['Owner', '{ readonly id?: Id; }'],
    ['OwnerInput', '{ [key: string]: unknown }'],
    ['Update', 'extends Case { owner: Owner; }'],
    ['UpdateInput', 'extends CaseInput { owner: OwnerInput; }'],
  ])('a variant for requests or responses: %s', async (name, want) => {
    expect(declarationOf(await emitTypes(buildApi({ schemas })), name)).toBe(want);
  });
});

describe('a comment', () => {
  const commentOf = async (schema: Schema): Promise<string> =>
    (await emitTypes(buildApi({ schemas: { A: schema } }))).split('export ')[0] ?? '';

  test.each<[string, Schema, string]>([
    ['contains the description', { description: 'What it is.' }, '/** What it is. */\n'],
    ['contains the title if there is no description', { title: 'T' }, '/** T */\n'],
    [
      'contains constraints that a type cannot express',
      { type: 'string', format: 'uuid', default: 'a`b', minLength: 1 },
      '/** Format: uuid. Default: `"a\'b"`. Minimum length: `1`. */\n',
    ],
    ['marks deprecated schemas', { description: 'Old.', deprecated: true }, '/**\n * Old.\n *\n * @deprecated\n */\n'],
    ['escapes the end of a comment', { description: 'a */ b' }, '/** a *\\/ b */\n'],
    [
      'escapes directives and tags',
      { description: '@ts-ignore\n @internal {@link x} me@example.com' },
      '/**\n * \\@ts-ignore\n *  \\@internal {\\@link x} me@example.com\n */\n',
    ],
    [
      'has lines of limited length',
      { description: `${'word '.repeat(30)}end` },
      `/**\n * ${'word '.repeat(23).trim()}\n * ${'word '.repeat(7)}end\n */\n`,
    ],
    [
      'does not wrap code',
      { description: `\`\`\`\n${'x'.repeat(100)} ${'y'.repeat(50)}\n\`\`\`` },
      `/**\n * \`\`\`\n * ${'x'.repeat(100)} ${'y'.repeat(50)}\n * \`\`\`\n */\n`,
    ],
    ['is omitted if there is nothing to say', {}, ''],
  ])('a comment: %s', async (_what, schema, want) => expect(await commentOf(schema)).toBe(want));
});

test('a long union is printed on several lines', async () => {
  const values = Array.from({ length: 12 }, (_, index) => `value-number-${index}`);
  const text = await emitTypes(
    buildApi({ schemas: { A: { enum: values }, B: { properties: { a: { enum: values } } } } }),
  );
  expect(text).toContain(`export type A =\n  | 'value-number-0'\n`);
  expect(text).toContain(`  a?:\n    | 'value-number-0'\n`);
});
