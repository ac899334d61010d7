import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import {
  NameAllocator,
  toCommentCode,
  toCommentText,
  toFileName,
  toLiteral,
  toMarkdownText,
  toPropertyKey,
  toStringLiteral,
  toTypeName,
  toValueName,
} from '../../model/identifiers.js';
import { readSchema } from '../support/read-schema.js';

describe('a type name', () => {
  test.each([
    ['case file', 'CaseFile'],
    ['HTTPServerError', 'HTTPServerError'],
    ['foo.bar-baz_qux', 'FooBarBazQux'],
    ['2fa', 'Schema2fa'],
    ['', 'Schema'],
    ['*/ process.exit()', 'ProcessExit'],
    ['__proto__', 'Proto'],
    ['constructor', 'Constructor'],
    ['Error', 'ErrorModel'],
    ['ApiError', 'ApiErrorModel'],
    ['Übergröße', 'Übergröße'],
    ['合同', '合同'],
    ['e\u0301t\u00e9', '\u00c9t\u00e9'],
    ['\ud83d\ude00', 'Schema'],
    ['\u202eevil', 'Evil'],
    ['`${x}`', '$X'],
    ['a\u0000b', 'AB'],
  ])('a type name is made from %j', (text, want) => expect(toTypeName(text)).toBe(want));
});

describe('a value name', () => {
  test.each([
    ['Get case', 'getCase'],
    ['delete', 'delete_'],
    ['URL', 'url'],
    ['URLFor', 'urlFor'],
    ['constructor', 'constructor_'],
    ['', 'operation'],
    ['404', 'operation404'],
    ['get /a/{b}', 'getAB'],
    ['__proto__', 'proto'],
  ])('a value name is made from %j', (text, want) => expect(toValueName(text)).toBe(want));
});

describe('a file name', () => {
  test.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['CON', 'con-file'],
    ['com1', 'com1-file'],
    ['合同', 'u5408u540c'],
    ['', 'unnamed'],
    ['a'.repeat(300), 'a'.repeat(100)],
  ])('a file name is made from %j', (text, want) => expect(toFileName(text)).toMatch(new RegExp(`^${want}`)));
});

const HOSTILE = [
  '*/ process.exit() /*',
  '`${process.exit()}`',
  `'"\\`,
  'a\nb\r\nc',
  '</script><script>',
  '<!--',
  '\u2028\u2029',
  '\u202e\u2066\u061c',
  '\u0000\u001b',
  '__proto__',
  'constructor',
  '\ud800',
  '*\u200b/ process.exit() /*',
  '*\u0000/ process.exit() /*',
  '*`/ process.exit() /*',
  '*\n/ process.exit() /*',
];

describe('a hostile text', () => {
  const evaluate = (code: string): unknown => runInNewContext(`(${code})`);

  test.each(HOSTILE)('%j is unchanged as a literal and as a key', (text) => {
    expect(evaluate(toStringLiteral(text))).toBe(text);
    expect(evaluate(toLiteral({ [text]: [text] }))).toEqual({ [text]: [text] });
    expect(Object.keys(evaluate(`{ [${toStringLiteral(text)}]: 1 }`) as object)).toEqual([text]);
    for (const code of [toStringLiteral(text), toLiteral(text), toPropertyKey(text)])
      expect(code).not.toMatch(/[\n\r\u2028\u2029\u0000\u202e\u2066\u061c]|<\/script|<!--/);
  });

  test.each(HOSTILE)('%j does not end a comment or a line of Markdown', (text) => {
    for (const comment of [toCommentText(text), toCommentCode(text)])
      expect(comment).not.toMatch(/\*\/|[\u2028\u2029\u0000\u202e\u2066\u061c\r]/);
    expect(toMarkdownText(text)).not.toMatch(/(?<!\\)[<`[]|[\n\r]/);
  });

  test('a member named __proto__ stays a member of a literal', () => {
    expect(Object.keys(evaluate(toLiteral(JSON.parse('{"__proto__":1,"a":"\\"__proto__\\":"}'))) as object)).toEqual([
      '__proto__',
      'a',
    ]);
  });
});

test('a name that is taken gets a number', () => {
  const plain = new NameAllocator();
  expect(['A', 'a', 'A', 'A2', 'A'].map((name) => plain.take(name))).toEqual(['A', 'a', 'A2', 'A22', 'A3']);
  const folding = new NameAllocator({ fold: true, taken: ['B'] });
  expect(['A', 'a', 'b'].map((name) => folding.take(name))).toEqual(['A', 'a2', 'b2']);
});

describe('the names of schemas', () => {
  test('the names of schemas are unique, whatever their names in the document', async () => {
    const others = JSON.parse('{"given":{},"__proto__":{},"constructor":{},"Given 2":{},"*/":{},"合同":{}}') as object;
    const { api } = await readSchema('3.1', {}, others);
    expect([...api.schemas.keys()]).toEqual(['Given', 'Given2', 'Proto', 'Constructor', 'Given22', 'Schema', '合同']);
    expect(api.schemas.get('Proto')?.originalName).toBe('__proto__');
  });

  test('the names of schemas do not depend on the order of references', async () => {
    const given = { $ref: '#/components/schemas/Z/properties/Given' };
    const { api } = await readSchema('3.1', given, { Z: { properties: { Given: {} } }, ZGiven: {} });
    expect([...api.schemas.keys()]).toEqual(['Given', 'Z', 'ZGiven', 'ZGiven2']);
  });
});

describe('a request variant', () => {
  const ro = { type: 'string', readOnly: true };
  test.each([
    ['its own mark', { properties: { id: ro } }, {}, 'GivenInput'],
    ['a mark deep inside', { allOf: [{ items: { properties: { id: ro } } }] }, {}, 'GivenInput'],
    [
      'a mark of a schema that it reaches',
      { properties: { a: { $ref: '#/components/schemas/A' } } },
      { A: { items: { $ref: '#/components/schemas/B' } }, B: { properties: { s: { writeOnly: true } } } },
      'GivenInput',
    ],
    [
      'a mark in a cycle',
      { properties: { a: { $ref: '#/components/schemas/A' } } },
      { A: { properties: { id: ro, back: { $ref: '#/components/schemas/Given' } } } },
      'GivenInput',
    ],
    [
      'no mark',
      { properties: { a: { $ref: '#/components/schemas/A' } } },
      { A: {}, B: { properties: { id: ro } } },
      undefined,
    ],
    ['a mark that is false', { properties: { id: { readOnly: false } } }, {}, undefined],
    ['a mark that is a member', { properties: { readOnly: { type: 'boolean' } } }, {}, undefined],
    ['a name that is taken', { properties: { id: ro } }, { GivenInput: {} }, 'GivenInput2'],
  ])('a request variant exists, or not, for %s', async (_what, given, others, want) => {
    const { api } = await readSchema('3.1', given, others);
    expect(api.schemas.get('Given')?.inputName).toBe(want);
  });
});

describe('a discriminator', () => {
  const branches = { Cat: { type: 'object' }, Dog: { type: 'object' } };
  const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
  const read = async (discriminator: unknown, more: object = {}) => {
    const { schema, codes } = await readSchema('3.0', { oneOf, discriminator, ...more }, branches);
    return [typeof schema === 'object' ? schema.discriminator : undefined, codes];
  };

  test.each([
    ['names that are implicit', { propertyName: 'k' }, { Cat: 'Cat', Dog: 'Dog' }, []],
    [
      'its own names, beside implicit ones',
      { propertyName: 'k', mapping: { cat: 'Cat' } },
      { Dog: 'Dog', cat: 'Cat' },
      [],
    ],
    [
      'references',
      { propertyName: 'k', mapping: { c: '#/components/schemas/Cat', d: '#/components/schemas/Dog' } },
      { c: 'Cat', d: 'Dog' },
      [],
    ],
    [
      'several names for one',
      { propertyName: 'k', mapping: { a: 'Cat', b: 'Cat', d: 'Dog' } },
      { a: 'Cat', b: 'Cat', d: 'Dog' },
      [],
    ],
    [
      'an unknown name',
      { propertyName: 'k', mapping: { n: 'Nobody' } },
      { Cat: 'Cat', Dog: 'Dog' },
      ['discriminator-unresolved'],
    ],
  ])('maps %s', async (_what, discriminator, mapping, codes) => {
    expect(await read(discriminator)).toEqual([{ propertyName: 'k', mapping }, codes]);
  });

  test.each([7, {}, { propertyName: 1 }])('a broken discriminator is ignored: %j', async (broken) => {
    expect((await read(broken))[0]).toBeUndefined();
  });

  test('a discriminator in a base schema maps the schemas that extend it', async () => {
    const base = { type: 'object', discriminator: { propertyName: 'k', mapping: { cat: '#/components/schemas/Cat' } } };
    const part = { allOf: [{ $ref: '#/components/schemas/Given' }] };
    const { schema } = await readSchema('3.0', base, { Cat: part, 'Big dog': part });
    expect(schema).toMatchObject({ discriminator: { mapping: { cat: 'Cat', 'Big dog': 'BigDog' } } });
  });

  test('a discriminator of OpenAPI 2.0 maps the names of schemas', async () => {
    const { schema } = await readSchema(
      '2.0',
      { discriminator: 'k' },
      { Cat: { allOf: [{ $ref: '#/definitions/Given' }] } },
    );
    expect(schema).toMatchObject({ discriminator: { propertyName: 'k', mapping: { Cat: 'Cat' } } });
  });
});
