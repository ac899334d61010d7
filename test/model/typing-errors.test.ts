import { expect, test } from 'vitest';

import { type SchemaDialectUnderTest, schemaDocument } from '../support/read-schema.js';
import { loadDocument } from '../support/load-document.js';

type Meant = readonly [dialect: SchemaDialectUnderTest, given: object];
type Mistyped = readonly [...Meant, message: string];

const CODES: ReadonlySet<string> = new Set(['keyword-unknown', 'required-unknown', 'default-invalid', 'enum-invalid']);

const others = {
  Named: { type: 'object', properties: { name: { type: 'string' } } },
  Base: { type: 'object', required: ['kind', 'extra'], properties: { kind: { type: 'string' } } },
  Child: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { extra: { type: 'string' } } }] },
};
const named = { $ref: '#/components/schemas/Named' };
const name = { name: { type: 'string' } };

async function findTypingErrors(dialect: SchemaDialectUnderTest, given: object): Promise<string[]> {
  const { diagnostics } = await loadDocument(schemaDocument(dialect, given, dialect.startsWith('3') ? others : {}));
  return diagnostics
    .filter(({ code }) => CODES.has(code))
    .map(({ pointer, message, line }) => `${line !== undefined && pointer.split('/Given')[1]} ${message}`);
}

test.each<Mistyped>([
  [
    '3.0',
    { type: 'string', minLenght: 2 },
    '/minLenght openapi-3.0 has no keyword "minLenght"; it is ignored. Did you mean "minLength"?',
  ],
  ['3.0', { type: 'object', colour: 1 }, '/colour openapi-3.0 has no keyword "colour"; it is ignored.'],
  [
    '2.0',
    { type: 'object', propertys: {} },
    '/propertys openapi-2.0 has no keyword "propertys"; it is ignored. Did you mean "properties"?',
  ],
  [
    '3.1',
    { type: 'string', nulable: true },
    '/nulable openapi-3.1 has no keyword "nulable"; it is ignored. Did you mean "nullable", which openapi-3.1 does not have either?',
  ],
  [
    '3.1',
    { type: 'string', min_length: 1 },
    '/min_length openapi-3.1 has no keyword "min_length"; it is ignored. Did you mean "minLength"?',
  ],
  [
    'draft-07',
    { type: 'array', maxItem: 3 },
    '/maxItem draft-07 has no keyword "maxItem"; it is ignored. Did you mean "maxItems"?',
  ],
  ['2020-12', { types: 'string' }, '/types 2020-12 has no keyword "types"; it is ignored. Did you mean "type"?'],
  [
    '3.0',
    { type: 'object', required: ['nmae'], properties: name },
    '/required/0 "required" has "nmae", which is not a property here. Did you mean "name"?',
  ],
  [
    '3.1',
    { allOf: [named, { required: ['nmae'] }] },
    '/allOf/1/required/0 "required" has "nmae", which is not a property here. Did you mean "name"?',
  ],
  ['3.0', { type: 'integer', default: '5' }, '/default The value "5" must be of type integer; it is read as 5.'],
  [
    '3.0',
    { type: 'integer', default: 'five' },
    '/default The value "five" must be of type integer; the default is ignored.',
  ],
  [
    '3.1',
    { type: 'string', enum: ['a', 'b'], default: 'c' },
    '/default The default "c" is not one of the enum; the default is ignored.',
  ],
  ['3.0', { type: 'string', enum: [1, 2] }, '/enum/0 The value 1 must be of type string; it is read as "1".'],
  [
    '3.0',
    { type: 'array', items: {}, enum: ['a'] },
    '/enum/0 The value "a" must be of type array; the enum is ignored.',
  ],
  ['2020-12', { type: 'string', enum: ['a', 1] }, '/enum/1 The value 1 must be of type string; it never matches.'],
])('tells a typing error in %s: %j', async (dialect, given, message) => {
  expect(await findTypingErrors(dialect, given)).toEqual([message]);
});

test.each<Meant>([
  ['3.0', { type: 'string', 'x-minLenght': 2 }],
  ['3.1', { type: 'string', note: 'n', when: 'now', label: 'l', propertyOrder: 1, markdownDescription: 'd' }],
  [
    '3.1',
    {
      type: 'object',
      properties: name,
      anyOf: [{ required: ['name'] }, { required: ['other'], properties: { other: {} } }],
    },
  ],
  ['3.1', { allOf: [named, { type: 'object', required: ['name'] }] }],
  ['3.0', { type: 'object', required: ['any'], properties: name, additionalProperties: true }],
  ['3.1', { type: 'object', required: ['a1'], properties: name, patternProperties: { '^a': {} } }],
  ['3.1', { type: 'object', properties: name, not: { required: ['banned'] } }],
  ['3.1', { type: 'object', required: ['any'] }],
  ['3.0', { type: 'object', required: ['type'], properties: name, discriminator: { propertyName: 'type' } }],
  [
    '3.1',
    {
      properties: { options: { properties: name } },
      then: { properties: { options: { required: ['name'] } } },
      if: {},
    },
  ],
  ['3.0', { type: 'string', default: null }],
  ['3.0', { type: 'string', nullable: true, enum: ['a', null] }],
  ['3.0', { type: 'number', default: 1, enum: [1, 2.5] }],
])('keeps quiet about what an author means in %s: %j', async (dialect, given) => {
  expect(await findTypingErrors(dialect, given)).toEqual([]);
});
