import { expect, test } from 'vitest';

import { findUnchecked } from '../../schema/find-unchecked-schemas.js';
import { readSchema } from '../support/read-schema.js';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

async function messagesOf(given: object, others: object = {}): Promise<readonly string[]> {
  const { api } = await readSchema('3.1', given, others);
  return [...findUnchecked(api)]
    .flat()
    .filter(({ code }) => code === 'branches-alike')
    .map(({ message }) => message);
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

test.each([
  ['optional members only', { oneOf: [object({ error: text }), object({ code: text })] }],
  [
    'the same rules with other words',
    {
      oneOf: [
        { ...text, description: 'A' },
        { ...text, description: 'B' },
      ],
    },
  ],
  ['the same required member of any text', { oneOf: [ref('Cat'), ref('Dog')] }],
  [
    'a discriminator whose member is a plain text, without a mapping for both',
    { oneOf: [ref('Cat'), object({ kind: text })], discriminator: { propertyName: 'kind' } },
  ],
])('branches of a oneOf that cannot be told apart are named with the cures: %s', async (_shape, given) => {
  const found = await messagesOf(given, {
    Cat: object({ kind: text, lives: text }, { required: ['kind'] }),
    Dog: object({ kind: text, bark: text }, { required: ['kind'] }),
  });
  expect(found).toEqual([expect.stringMatching(/^oneOf\/0.* and oneOf\/1.* cannot be told apart.*anyOf\.$/)]);
});

test.each([
  [
    'a required member that the other lacks',
    { oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text })] },
  ],
  ['a const', { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] }],
  ['other types', { oneOf: [text, { type: 'integer' }] }],
  ['members of other types', { oneOf: [object({ a: text }), object({ a: { type: 'integer' } })] }],
  ['closed objects', { oneOf: [object({ a: text }, { additionalProperties: false }), object({ b: text })] }],
  ['a mapping that decides', { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } }],
  ['anyOf', { anyOf: [object({ a: text }), object({ b: text })] }],
])('branches that can be told apart get no warning: %s', async (_shape, given) => {
  const plain = object({ kind: text }, { required: ['kind'] });
  expect(await messagesOf(given, { Cat: plain, Dog: plain })).toEqual([]);
});
