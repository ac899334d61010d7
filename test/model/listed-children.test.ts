import { expect, test } from 'vitest';

import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { findUnchecked } from '../../schema/find-unchecked-schemas.js';
import { generateValue } from '../../schema/generate-value.js';
import { loadFiles } from '../support/spec-folder.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const own = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } };
const cat = { type: 'object', properties: { lives: { type: 'integer' } } };
const dog = { type: 'object', properties: { bark: { type: 'string' } } };
const discriminator = { propertyName: 'type', mapping: { cat: 'Cat', dog: 'Dog' } };

async function load(schemas: Readonly<Record<string, object>>): Promise<Api> {
  const paths = {};
  return loadFiles({
    'spec.json': { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components: { schemas } },
  });
}

const codes = (api: Api): readonly string[] =>
  [...api.diagnostics, ...[...findUnchecked(api)].flat()].map(({ code }) => code);

const CHILDREN = { Cat: { allOf: [ref('Pet'), cat] }, Dog: { allOf: [ref('Pet'), dog] } };

test.each([
  ['oneOf with a mapping', { Pet: { ...own, oneOf: [ref('Cat'), ref('Dog')], discriminator }, ...CHILDREN }],
  ['anyOf', { Pet: { ...own, anyOf: [ref('Cat'), ref('Dog')] }, ...CHILDREN }],
  ['a list inside of allOf', { Pet: { allOf: [own, { anyOf: [ref('Cat'), ref('Dog')] }] }, ...CHILDREN }],
  [
    'a child that includes the parent through another schema',
    { Pet: { ...own, anyOf: [ref('Cat')] }, Animal: { allOf: [ref('Pet')] }, Cat: { allOf: [ref('Animal'), cat] } },
  ],
])('a parent that lists its children stands for its own members inside of them: %s', async (_shape, schemas) => {
  const api = await load(schemas);
  const validate = compileValidator(api, { $ref: '#/$defs/Pet' }, { direction: 'response' });

  expect(codes(api)).toEqual(['parent-lists-children']);
  expect(validate({ type: 'cat', lives: 9 })).toEqual([]);
  expect(validate({ type: 'cat', lives: 'x', bark: 1 })).not.toEqual([]);
  expect(validate({ lives: 9 })).not.toEqual([]);
  expect(generateValue(api, { $ref: '#/$defs/Pet' }, { direction: 'response', seed: 1 }).ok).toBe(true);
});

test('a parent keeps a list inside of its children that does not lead back to it', async () => {
  const either = [{ required: ['name'] }, { required: ['nick'] }];
  const api = await load({
    Pet: { allOf: [own, { anyOf: either }], oneOf: [ref('Cat')] },
    Cat: { allOf: [ref('Pet'), cat] },
  });
  const validate = compileValidator(api, { $ref: '#/$defs/Cat' }, { direction: 'response' });

  expect(validate({ type: 'cat', nick: 'Tom' })).toEqual([]);
  expect(validate({ type: 'cat' })).not.toEqual([]);
});

test.each([
  ['allOf', { Pet: { allOf: [ref('Cat'), own] }, Cat: { allOf: [ref('Pet'), cat] } }, []],
  ['references alone', { Pet: ref('Cat'), Cat: ref('Dog'), Dog: ref('Pet') }, []],
  ['a branch beside another one', { Pet: { anyOf: [ref('Pet'), cat] }, Cat: ref('Pet') }, [{ lives: 9 }]],
  ['not', { Pet: { ...own, not: ref('Pet') }, Cat: { anyOf: [{ not: ref('Pet') }], not: ref('Cat') } }, []],
  ['a condition', { Pet: { if: { anyOf: [ref('Cat'), dog] }, then: dog }, Cat: { not: { not: ref('Pet') } } }, []],
  [
    'what a condition leads to',
    {
      Pet: { type: 'object', if: { required: ['bark'] }, then: ref('Cat'), else: cat },
      Cat: { ...dog, allOf: [ref('Pet')], not: cat },
    },
    [{ lives: 9 }],
  ],
  [
    'a schema that depends on a member',
    {
      Pet: { type: 'object', dependentSchemas: { bark: ref('Cat') } },
      Cat: { allOf: [ref('Pet')], required: ['bark'] },
    },
    [{ lives: 9 }],
  ],
  ['branches of each other', { Pet: { oneOf: [ref('Cat'), dog] }, Cat: { anyOf: [ref('Pet')] } }, [{ bark: 'x' }]],
])('a real circle refuses only what uses it: %s', async (_shape, schemas, valid) => {
  const api = await load({ ...schemas, Owner: { type: 'object', properties: { pet: ref('Pet') } }, Other: own });
  const validate = (name: string, value: unknown): unknown =>
    compileValidator(api, { $ref: `#/$defs/${name}` }, { direction: 'response' })(value).length === 0;

  expect(new Set(codes(api))).toEqual(new Set(['schema-includes-itself']));
  for (const value of valid) expect(validate('Pet', value)).toBe(true);
  for (const name of ['Pet', 'Cat']) expect(validate(name, { type: 'cat', lives: 'x', bark: 1 })).toBe(false);
  expect(validate('Owner', { pet: 1 })).toBe(false);
  expect(validate('Owner', {})).toBe(true);
  expect(validate('Other', { type: 'x' })).toBe(true);
});
