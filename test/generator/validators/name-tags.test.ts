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
  Farm: {
    type: 'object',
    properties: {
      first: ref('A'),
      byName: { type: 'object', properties: { count: { type: 'integer' } }, additionalProperties: ref('Pet') },
      all: { type: 'array', items: { anyOf: [ref('A'), ref('B'), { type: 'string' }, { type: 'null' }] } },
      pair: { type: 'array', prefixItems: [ref('A'), ref('B')] },
      next: ref('Farm'),
      toString: ref('A'),
    },
  },
  Barn: { allOf: [ref('Farm'), { type: 'object', properties: { size: { type: 'integer' } } }] },
  Draft: {
    type: 'object',
    required: ['id', 'animal'],
    properties: { id: { type: 'string', readOnly: true }, animal: ref('DraftPet') },
  },
  DraftPet: {
    oneOf: [ref('DraftCat'), ref('Dog')],
    discriminator: { propertyName: 'type', mapping: { cat: 'DraftCat', dog: 'Dog' } },
  },
  DraftCat: {
    type: 'object',
    required: ['id', 'claws'],
    properties: { id: { type: 'string', readOnly: true }, type: { type: 'string' }, claws: { type: 'integer' } },
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

test('a type guard is false for a tag of another type, although no schema requires the tag', async () => {
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

const FARMS: readonly object[] = [
  { first: { kind: 'a' } },
  { first: { kind: 'b' } },
  { byName: { count: 1, tom: { type: 'Cat', lives: 9 } } },
  { byName: { tom: { type: 'Dog', lives: 9 } } },
  { byName: { tom: { lives: 9 } } },
  { all: [{ kind: 'a' }, { kind: 'b' }, 'text', null] },
  { all: [{ kind: 'a' }, { kind: 'zebra' }] },
  { pair: [{ kind: 'a' }, { kind: 'b' }] },
  { pair: [{ kind: 'a' }, { kind: 'a' }] },
  { next: { next: { first: { kind: 'a' } } } },
  { next: { next: { first: { kind: 'zebra' } } } },
  { toString: { kind: 'zebra' } },
];

test.each(FARMS.map((farm) => [farm]))('a guard checks the tags of members and items: %j', async (value) => {
  const { exported } = await load();
  const isTrue = !/"zebra"|"Dog"|\{"lives"|"a"\},\{"kind":"a"|"first":\{"kind":"b"/.test(JSON.stringify(value));

  // The mapping of Pet decides on its branch, also in the validator.
  const isValid = !JSON.stringify(value).includes('"Dog"');

  expect((exported['validateFarm'] as (value: unknown) => ValidationResult<unknown>)(value).ok).toBe(isValid);
  expect([(exported['isFarm'] as Guard)(value), (exported['isBarn'] as Guard)(value)]).toEqual([isTrue, isTrue]);
});

test('a guard of a request variant checks the tags of members', async () => {
  const { exported } = await load();
  const is = (type: string, claws: object): boolean =>
    (exported[`is${type}`] as Guard)({ animal: { claws: 4, ...claws } });

  expect([is('DraftInput', { type: 'cat' }), is('DraftInput', { type: 'dog' }), is('DraftInput', {})]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a tag that no schema requires has no effect on validation', async () => {
  const { exported } = await load();

  expect((exported['validateA'] as (value: unknown) => ValidationResult<unknown>)({ kind: 'zebra' }).ok).toBe(true);
});

test('a guard does not repeat the check of a tag that the validator checks', async () => {
  const { text } = await load();

  expect(text).toMatch(/function isFixed\(value: unknown\): value is Fixed \{\n {2}return !checkFixed\(value\);\n/);
  expect(text).toMatch(/function isOne\(value: unknown\): value is One \{\n {2}return !checkOne\(value\);\n/);
});

test('a derived schema that names its own tags has these, and not its name', async () => {
  const tagged = (own: object): object => ({
    allOf: [ref('Tagged'), { type: 'object', properties: { kind: { type: 'string', ...own } } }],
  });
  const schemas = {
    Tagged: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind' },
    },
    Selector: tagged({ enum: ['branches', 'tags'] }),
    Narrow: tagged({ enum: ['Narrow', 'Other'] }),
    Plain: tagged({}),
  };
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: {}, components: { schemas } };
  const api = await loadFiles({ 'spec.json': document });
  const exported = await importEmitted(await emitValidators(api), 'validators');
  const kinds = ['branches', 'Selector', 'Narrow', 'Other', 'Plain'];
  const allowed = ['Selector', 'Narrow', 'Plain'].map((name) =>
    kinds.filter((kind) => (exported[`is${name}`] as Guard)({ kind })),
  );
  expect(allowed).toEqual([['branches'], ['Narrow'], ['Plain']]);
});
