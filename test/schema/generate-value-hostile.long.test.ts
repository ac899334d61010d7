import { describe, expect, it } from 'vitest';

import { generateValue } from '../../schema/generate-value.js';
import { readSchema } from '../support/read-schema.js';

const GIVEN = { $ref: '#/$defs/Given' };

function nest(depth: number): object {
  let schema: object = { type: 'integer' };
  for (let level = 0; level < depth; level += 1)
    schema = { type: 'object', required: ['a'], properties: { a: schema } };
  return schema;
}

/** A list of objects with a list of objects with texts. */
function listsOf(text: object): object {
  const items = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', ...text } },
  };
  const list = { type: 'array', minItems: 3, items };
  return {
    type: 'array',
    minItems: 3,
    items: { type: 'object', required: ['a'], properties: { a: list } },
  };
}

/** Lists in lists, each of which makes its items again and again. */
function uniqueListsOf(text: object, depth: number): object {
  let items: object = { type: 'string', ...text };
  for (let level = 0; level < depth; level += 1) {
    const members = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: items },
    };
    items = { type: 'array', minItems: 2, uniqueItems: true, items: members };
  }
  return items;
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `text${index}`);
}

/** Schemas that accept nothing, or nothing that could be found. */
const IMPOSSIBLE: Readonly<Record<string, unknown>> = {
  'a pattern that the engine gives up on': {
    type: 'string',
    pattern: `^${'(a|b)?'.repeat(20_000)}$`,
    examples: ['ab'],
  },
  'lists of texts that are too long to be matched against their pattern': listsOf({ pattern: '^(?=a)(?:(a+)+){30}$' }),
  'unique lists of texts whose pattern contradicts their format': uniqueListsOf(
    {
      format: 'email',
      pattern: '^[a-z]+@[a-z]+!\\.[a-z]+$',
      minLength: 3,
      maxLength: 90,
    },
    6,
  ),
  false: false,
  'an empty enum': { enum: [] },
  'types that exclude each other': {
    type: 'string',
    allOf: [{ type: 'integer' }],
  },
  'bounds that cross': { type: 'integer', minimum: 5, maximum: 4 },
  'lengths that cross': { type: 'string', minLength: 5, maxLength: 4 },
  'a required member that is refused': {
    type: 'object',
    required: ['a'],
    properties: { a: false },
  },
  'more members than names': {
    type: 'object',
    properties: { a: {} },
    additionalProperties: false,
    minProperties: 2,
  },
  'more different items than there are': {
    type: 'array',
    items: { type: 'boolean' },
    minItems: 3,
    uniqueItems: true,
  },
  'a value that contains itself': {
    type: 'object',
    required: ['self'],
    properties: { self: GIVEN },
  },
  'a list that contains itself': { type: 'array', items: GIVEN, minItems: 1 },
  'a text of a billion characters': { type: 'string', minLength: 1e9 },
  'a pattern of a billion characters': {
    type: 'string',
    pattern: '^(((a{1000}){1000}){1000})$',
  },
  'an array of a billion items': { type: 'array', minItems: 1e9 },
  'a billion members': { type: 'object', minProperties: 1e9 },
  'an impossible pattern': { type: 'string', pattern: '^(?!a)a$' },
  'a hundred items of a hundred items of a hundred items': {
    type: 'array',
    minItems: 500,
    items: {
      type: 'array',
      minItems: 500,
      items: { type: 'array', minItems: 500, items: { type: 'integer' } },
    },
  },
  'too deep': nest(150),
  'a reference that leads back at once': {
    allOf: [GIVEN, { type: 'integer' }],
  },
};

describe('a schema without a valid value', () => {
  it.each(Object.entries(IMPOSSIBLE))('a schema without a valid value gets a reason: %s', async (_name, schema) => {
    const { api } = await readSchema('2020-12', schema);
    const made = generateValue(api, GIVEN, {
      direction: 'response',
      seed: 0,
    });
    expect(made).toEqual({ ok: false, reason: expect.stringMatching(/\w/) });
  });
});

const HARD: Readonly<Record<string, unknown>> = {
  'an exponential pattern': {
    type: 'string',
    pattern: '^(a+)+$',
    examples: [`${'a'.repeat(50)}!`],
  },
  'a long text of an exponential pattern': {
    type: 'string',
    pattern: '^((a+)+b|(a|a)*)$',
    minLength: 60,
    examples: ['a'.repeat(60)],
  },
  'a pattern with a star over a choice': {
    type: 'string',
    pattern: '^(a|aa|b)*c$',
  },
  'lists of long texts for an exponential pattern': listsOf({
    pattern: '^(([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}){1})+$',
  }),
  'many branches': {
    oneOf: Array.from({ length: 200 }, (_, index) => ({ const: index })),
  },
  'an enum of 60,000 texts': { type: 'string', enum: names(60_000) },
  'two enums of 30,000 texts': {
    allOf: [{ enum: names(30_000) }, { enum: names(30_000).toReversed() }],
  },
  'different items of a large enum': {
    type: 'array',
    uniqueItems: true,
    minItems: 3,
    items: { enum: names(30_000) },
  },
  'branches over branches': {
    allOf: Array.from({ length: 12 }, (_, index) => ({
      oneOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }],
    })),
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a${index}`, { type: 'integer' }])),
  },
  nesting: nest(80),
  'members named like those of Object': {
    type: 'object',
    required: ['__proto__'],
    properties: {
      ['__proto__']: {
        type: 'object',
        required: ['x'],
        properties: { x: { const: 1 } },
      },
    },
  },
  'a thousand members': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, {}])),
  },
  'a very small step': { type: 'number', multipleOf: 1e-300 },
  'a very large step': { type: 'number', multipleOf: 1e300 },
};

describe('a hard schema', () => {
  it.each(Object.entries(HARD))('a hard schema gets a valid value: %s', async (_name, schema) => {
    const { api } = await readSchema('2020-12', schema);
    for (const seed of [0, 1, 2])
      expect(generateValue(api, GIVEN, { direction: 'response', seed })).toMatchObject({ ok: true });
  });

  it('generation never changes a prototype', async () => {
    const { api } = await readSchema('2020-12', HARD['members named like those of Object']);
    const made = generateValue(api, GIVEN, { direction: 'response', seed: 0 });
    expect(made.ok && Object.hasOwn(made.value as object, '__proto__')).toBe(true);
    expect(made.ok && Object.getPrototypeOf(made.value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('x');
  });
});
