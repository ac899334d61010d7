import { expect, test } from 'vitest';

import { repairValue } from '../../schema/repair-value.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const api = await loadDocument(documentWith({}));
const text = { type: 'string' } as const;

const CASES: readonly (readonly [rule: string, schema: Schema, value: unknown, kept: object])[] = [
  ['valid values stay', { type: 'object', properties: { a: text } }, { a: 'x', b: 1 }, { a: 'x', b: 1 }],
  [
    'missing members are filled',
    { type: 'object', required: ['a', 'b'], properties: { a: text, b: text } },
    { a: 'x' },
    { a: 'x' },
  ],
  [
    'members that are not allowed are removed',
    { type: 'object', properties: { a: text }, additionalProperties: false },
    { a: 'x', b: 1 },
    { a: 'x' },
  ],
  [
    'write-only members are removed',
    { type: 'object', properties: { a: text, b: { ...text, writeOnly: true } } },
    { a: 'x', b: 'y' },
    { a: 'x' },
  ],
  [
    'wrong optional members are removed',
    { type: 'object', properties: { a: text, b: text } },
    { a: 'x', b: 1 },
    { a: 'x' },
  ],
  [
    'wrong required members are replaced',
    { type: 'object', required: ['b'], properties: { a: text, b: text } },
    { a: 'x', b: 1 },
    { a: 'x' },
  ],
  [
    'a number that was sent as text keeps its value',
    { type: 'object', properties: { rate: { type: 'number' }, code: text } },
    { rate: '21.5', code: 7 },
    { rate: 21.5, code: '7' },
  ],
  [
    'an invalid member is repaired in place',
    {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, a: text } },
        },
      },
    },
    { list: [{ a: 'x' }, { id: 2, a: 'y' }] },
    { list: [{ a: 'x' }, { id: 2, a: 'y' }] },
  ],
  [
    'a branch is kept',
    {
      oneOf: [
        { type: 'object', required: ['kind', 'a'], properties: { kind: { const: 'a' }, a: text } },
        { type: 'object', required: ['kind', 'b'], properties: { kind: { const: 'b' }, b: { type: 'integer' } } },
      ],
    },
    { kind: 'b', b: 7, a: 5 },
    { kind: 'b', b: 7 },
  ],
];

test.each(CASES)('a broken value is repaired: %s', (_rule, schema, value, kept) => {
  const fitted = repairValue(api, schema, value, 1);
  expect(compileValidator(api, schema, { direction: 'response' })(fitted)).toEqual([]);
  expect(fitted).toMatchObject(kept);
  expect(repairValue(api, schema, value, 1)).toEqual(fitted);
});
