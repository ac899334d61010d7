import { expect, test } from 'vitest';

import type { ValidationResult } from '../../../runtime/validation.js';
import { emitValidators, importEmitted } from '../../support/emit-validators.js';
import { loadFiles } from '../../support/spec-folder.js';

type Guard = (value: unknown) => boolean;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const heir = (member: string): object => ({
  allOf: [ref('Base'), { type: 'object', properties: { [member]: { type: 'string' } } }],
});
const SCHEMAS = {
  Base: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind', mapping: { a: 'A', b: 'B' } },
  },
  A: heir('x'),
  B: heir('y'),
  Cat: { type: 'object', required: ['lives'], properties: { type: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', required: ['tricks'], properties: { type: { type: 'string' }, tricks: { type: 'integer' } } },
  Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'type' } },
  AorB: { anyOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind', mapping: { a: 'A', b: 'B' } } },
  Fixed: {
    oneOf: [ref('One'), ref('Two')],
    discriminator: { propertyName: 'type', mapping: { one: 'One', two: 'Two' } },
  },
  One: { type: 'object', required: ['type'], properties: { type: { const: 'one' } } },
  Two: { type: 'object', required: ['type'], properties: { type: { const: 'two' } } },
};

async function load(): Promise<{ text: string; exported: Readonly<Record<string, unknown>> }> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: SCHEMAS },
  };
  const emitted = await emitValidators(await loadFiles({ 'spec.json': document }));
  return { text: emitted.files.get('validators.ts') ?? '', exported: await importEmitted(emitted, 'validators') };
}

test('a type guard is false for a tag that its type does not have, although no schema states the tag', async () => {
  const { exported } = await load();
  const is = (name: string, value: unknown): boolean => (exported[`is${name}`] as Guard)(value);

  expect([is('A', { kind: 'a', x: '1' }), is('A', { kind: 'b' }), is('A', { kind: 'zebra' })]).toEqual([
    true,
    false,
    false,
  ]);
  expect([is('AorB', { kind: 'b' }), is('AorB', { kind: 'zebra' }), is('Base', { kind: 'zebra' })]).toEqual([
    true,
    false,
    true,
  ]);
  expect([is('Pet', { type: 'Cat', lives: 9 }), is('Pet', { type: 'Dog', lives: 9 }), is('Pet', { lives: 9 })]).toEqual(
    [true, false, false],
  );
  expect(() => (exported['assertA'] as Guard)({ kind: 'zebra' })).toThrow(
    'A: the value must have the discriminator of A',
  );
});

test('a tag that no schema states changes nothing about what is valid', async () => {
  const { exported } = await load();

  expect((exported['validateA'] as (value: unknown) => ValidationResult<unknown>)({ kind: 'zebra' }).ok).toBe(true);
});

test('a guard asks for no tag that the check asks for', async () => {
  const { text } = await load();

  expect(text).toMatch(/function isFixed\(value: unknown\): value is Fixed \{\n {2}return !checkFixed\(value\);\n/);
  expect(text).toMatch(/function isOne\(value: unknown\): value is One \{\n {2}return !checkOne\(value\);\n/);
});
