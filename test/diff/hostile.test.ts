import { describe, expect, test } from 'vitest';

import { diffApis } from '../../diff/index.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { loadDocument } from '../support/load-document.js';
import { diffDocuments, documentOf } from './diff-documents.js';

const ref = (name: string | number): object => ({ $ref: `#/components/schemas/${name}` });
const string = { type: 'string' };

/** Schemas `0` to `count - 1`, each made of its number. */
function schemas(count: number, make: (index: number) => object): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, make(index)]));
}

describe('the comparison of endlessly nested schemas ends', () => {
  test.each<[string, object]>([
    ['a schema that includes itself by allOf', { Self: { allOf: [ref('Self'), { type: 'object' }] } }],
    ['schemas that include each other by allOf', { Self: { allOf: [ref('B')] }, B: { allOf: [ref('Self'), string] } }],
    ['a choice of itself', { Self: { anyOf: [ref('Self'), string, { type: 'array', items: ref('Self') }] } }],
    [
      'a nullable choice of itself',
      { Self: { anyOf: [{ anyOf: [ref('Self'), { ...string, maxLength: 1 }] }, { type: 'null' }] } },
    ],
    ['itself in conditions', { Self: { not: ref('Self'), if: ref('Self'), then: ref('Self'), contains: ref('Self') } }],
    ['itself as any other member', { Self: { type: 'object', additionalProperties: ref('Self'), items: ref('Self') } }],
    [
      'two that are made of each other, twice over',
      {
        Self: { allOf: [ref('B'), ref('C')] },
        B: { type: 'object', properties: { x: ref('Self'), y: ref('C') } },
        C: { type: 'object', properties: { x: ref('C'), y: ref('Self') } },
      },
    ],
  ])('the comparison ends for %s', async (_name, parts) => {
    const of = (more: object, extra: object): object =>
      documentOf({ type: 'object', properties: { self: ref('Self'), ...more } }, { ...parts, ...extra });
    expect(await diffDocuments(of({}, {}), of({}, {}))).toEqual([]);
    // With another schema beside them nothing is skipped for being the same as before.
    const changes = await diffDocuments(
      of({ a: ref('A') }, { A: string }),
      of({ a: ref('A') }, { A: { type: 'integer' } }),
    );
    expect(changes.map(({ message }) => message)).toEqual(['"A" is an integer, was a string.']);
    // Against another schema there has changed way through each of them: it ends too, and throws nothing.
    const another = documentOf({ type: 'object', properties: { self: { ...string, enum: ['x'] } } }, parts);
    await expect(diffDocuments(of({}, {}), another)).resolves.not.toEqual([]);
  });

  const base = { type: 'object', required: ['kind'], properties: { kind: string } };
  const child = (parent: string, member: object): object => ({
    allOf: [ref(parent), { type: 'object', properties: { member } }],
  });

  test.each<[string, object, object]>([
    ['its children', { oneOf: [ref('B'), ref('C')] }, {}],
    ['its children by anyOf', { anyOf: [ref('B'), ref('C'), { type: 'null' }] }, {}],
    ['its children in lists', { oneOf: [{ type: 'array', items: ref('Self') }, ref('B'), ref('C')] }, {}],
    ['its children in maps', { anyOf: [{ additionalProperties: ref('B') }, ref('B'), ref('C')] }, {}],
    [
      'a child with children of its own',
      { oneOf: [ref('B'), ref('C')] },
      { C: { ...base, oneOf: [ref('D'), ref('E')] } },
    ],
    [
      'a child and a schema that lists the base',
      { oneOf: [ref('B'), ref('C')] },
      { C: { anyOf: [ref('Self'), ref('B')] } },
    ],
    [
      'children that list each other',
      { oneOf: [ref('B'), ref('C')] },
      { B: { ...base, anyOf: [ref('C'), string] }, C: { ...base, anyOf: [ref('B'), string] } },
    ],
  ])('the comparison ends for a base that begins to list %s', async (_name, choice, more) => {
    const children = {
      B: child('Self', string),
      C: child('Self', ref('Self')),
      D: child('C', string),
      E: child('C', string),
    };
    const plain = documentOf(ref('Self'), { Self: base, ...children });
    const listed = documentOf(ref('Self'), { Self: { ...base, ...choice }, ...children, ...more });
    expect(await diffDocuments(plain, listed)).not.toEqual([]);
    expect(await diffDocuments(listed, plain)).not.toEqual([]);
    expect(await diffDocuments(listed, listed)).toEqual([]);
  });

  test('a base that begins to list its children has another set of alternatives, and nothing else', async () => {
    const children = { B: child('Self', string), C: child('Self', { type: 'integer' }) };
    const plain = documentOf(ref('Self'), { Self: base, ...children });
    const listed = documentOf(ref('Self'), { Self: { ...base, oneOf: [ref('B'), ref('C')] }, ...children });
    const changes = await diffDocuments(plain, listed);
    expect(changes.map(({ kind }) => kind).toSorted()).toEqual(['alternative-added', 'member-added']);
  });

  test('compares a chain of thousands of schemas', async () => {
    const chain = (last: object): object =>
      documentOf(
        ref('S0'),
        schemas(4_000, (index) =>
          index === 3_999 ? last : { type: 'object', properties: { next: ref(`S${index + 1}`) } },
        ),
      );
    const changes = await diffDocuments(chain(string), chain({ type: 'integer' }));
    expect(changes.map(({ message }) => message)).toEqual(['"S3999" is an integer, was a string.']);
  });

  test('refuses a chain of schemas at one value with one sentence', async () => {
    const chain = (last: object): object =>
      documentOf(
        ref('S0'),
        schemas(2_000, (index) => (index === 1_999 ? last : { allOf: [ref(`S${index + 1}`), { title: 'x' }] })),
      );
    const [old, next] = await Promise.all([loadDocument(chain(string)), loadDocument(chain({ type: 'integer' }))]);
    expect(() => diffApis(old, next)).toThrow(InputError);
  });

  test('compares unions of hundreds of unrelated schemas', async () => {
    const of = (word: string): object =>
      documentOf({
        anyOf: Array.from({ length: 400 }, (_, index) => ({
          type: 'object',
          properties: { [`${word}${index}`]: string },
        })),
      });
    const changes = await diffDocuments(of('a'), of('b'));
    expect(changes.filter(({ kind }) => kind === 'alternative-added')).toHaveLength(400);
  });
});

describe('a member is compared if its name is inherited by every object', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a member is compared if its name is inherited by every object: %s',
    async (name) => {
      const of = (type: string): object =>
        documentOf(
          JSON.parse(`{ "type": "object", "properties": { ${JSON.stringify(name)}: { "type": "${type}" } } }`),
        );
      const changes = await diffDocuments(of('string'), of('integer'));
      expect(changes.map(({ message, new: place }) => [message, place.pointer])).toEqual([
        [`"Thing.${name}" is an integer, was a string.`, `/components/schemas/Thing/properties/${name}/type`],
      ]);
      const gone = await diffDocuments(of('string'), documentOf({ type: 'object', properties: {} }));
      expect(gone.map(({ message }) => message)).toEqual([`"Thing.${name}" is gone.`]);
    },
  );
});
