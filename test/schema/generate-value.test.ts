import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { type GenerateValueOptions, generateValue } from '../../schema/generate-value.js';
import { noteStep, watchWork } from '../../schema/sample/watched-work.js';
import { readSchema } from '../support/read-schema.js';

const SEEDS = Array.from({ length: 21 }, (_, seed) => seed);
const VARIANTS = ['minimal', 'typical', 'full'] as const;
const GIVEN = { $ref: '#/$defs/Given' };

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 8 });
for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
for (const name of ['byte', 'int32', 'int64']) ajv.addFormat(name, true);

/** The judgement of an ajv that has nothing to do with ours. */
function independentCheck(schema: unknown, defs: object): (value: unknown) => string | undefined {
  const validate = ajv.compile({ $defs: { Given: schema, ...defs }, ...GIVEN });
  return (value) => (validate(value) ? undefined : `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`);
}

const PERSON = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};

const CASES: Readonly<Record<string, unknown>> = {
  anything: true,
  'no keyword': {},
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  'oneOf of branches with only optional members': {
    oneOf: [
      { type: 'object', properties: { error: { type: 'string' } } },
      { type: 'object', properties: { ignored: { type: 'string' } } },
      { properties: { list: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' } } },
    ],
  },
  'several types': { type: ['string', 'integer', 'null'] },
  const: { const: { a: [1, null] } },
  'enum of everything': { enum: ['a', 1, null, { b: 2 }, [3]] },
  'enum narrowed by a type': { type: 'string', enum: ['a', 1, 'b'] },
  'minimum and maximum': { type: 'integer', minimum: 17, maximum: 19 },
  'exclusive bounds': { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
  'exclusive bounds close together': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e-9 },
  'negative numbers': { type: 'number', maximum: -1000.5 },
  'far numbers': { type: 'integer', minimum: 1e12 },
  multipleOf: { type: 'integer', multipleOf: 7, minimum: 100, maximum: 110 },
  'multipleOf a fraction': { type: 'number', multipleOf: 0.01, minimum: 0.055, maximum: 0.075 },
  'two multiples': { type: 'integer', allOf: [{ multipleOf: 6 }, { multipleOf: 10 }], minimum: 1 },
  lengths: { type: 'string', minLength: 3, maxLength: 4 },
  'exact length': { type: 'string', minLength: 200, maxLength: 200 },
  'no length': { type: 'string', maxLength: 0 },
  'length in characters': { type: 'string', pattern: '^\\p{Extended_Pictographic}+$', minLength: 3, maxLength: 3 },
  pattern: { type: 'string', pattern: '^[A-Z]{2}\\d{3,5}(-[a-f0-9]+)?$' },
  'pattern and length': { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 30, maxLength: 34 },
  'pattern without anchors': { type: 'string', pattern: 'needle', minLength: 20 },
  'two patterns': { type: 'string', allOf: [{ pattern: '^[a-f0-9]+$' }, { pattern: '^\\D{6}$' }] },
  'pattern that looks ahead': { type: 'string', pattern: '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)[^\\s]{8,20}$' },
  'pattern beside a format': { type: 'string', format: 'uri', pattern: '^https://' },
  'short email': { type: 'string', format: 'email', maxLength: 8 },
  'long uri': { type: 'string', format: 'uri', minLength: 300 },
  ...Object.fromEntries(
    [
      'uuid',
      'email',
      'date-time',
      'date',
      'time',
      'duration',
      'uri',
      'uri-reference',
      'uri-template',
      'hostname',
      'ipv4',
      'ipv6',
      'byte',
      'json-pointer',
      'relative-json-pointer',
      'regex',
      'int64',
      'password',
      'nonsense',
    ].map((format) => [`format ${format}`, { type: 'string', format }]),
  ),
  items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 3 },
  uniqueItems: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 5 }, minItems: 5, uniqueItems: true },
  'uniqueItems of an enum': { type: 'array', items: { enum: ['a', 'b', 'c', 'a'] }, minItems: 3, uniqueItems: true },
  'uniqueItems of booleans': { type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true },
  prefixItems: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
  'prefixItems and more': { type: 'array', prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 4 },
  contains: { type: 'array', items: { type: 'integer' }, contains: { minimum: 500 }, minContains: 2, maxContains: 3 },
  unevaluatedItems: { type: 'array', allOf: [{ prefixItems: [{ type: 'string' }] }], unevaluatedItems: false },
  required: PERSON,
  'required without a schema': { type: 'object', required: ['a', 'b'] },
  additionalProperties: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 3 },
  closed: { ...PERSON, additionalProperties: false },
  patternProperties: {
    type: 'object',
    patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
  },
  propertyNames: {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{3}$' },
    additionalProperties: { type: 'string' },
    minProperties: 2,
  },
  'propertyNames over optional members': {
    type: 'object',
    propertyNames: { maxLength: 3 },
    properties: { name: {}, age: {} },
  },
  minProperties: { type: 'object', properties: { a: {}, b: {}, c: {} }, minProperties: 2 },
  maxProperties: { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['b'], maxProperties: 1 },
  dependentRequired: { type: 'object', properties: { a: {}, b: {}, c: {} }, dependentRequired: { a: ['b'], b: ['c'] } },
  dependentSchemas: {
    type: 'object',
    required: ['a'],
    properties: { a: {}, b: { type: 'integer' } },
    dependentSchemas: { a: { required: ['b'], properties: { b: { minimum: 90 } } } },
  },
  'dependentSchemas that exclude each other': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b', 'c'] }, x: {}, y: {} },
    dependentSchemas: { x: { properties: { kind: { const: 'a' } } }, y: { properties: { kind: { const: 'b' } } } },
  },
  allOf: { allOf: [PERSON, { type: 'object', required: ['age'], properties: { age: { minimum: 18 } } }] },
  anyOf: { anyOf: [{ type: 'string' }, PERSON, false] },
  'anyOf of required members': {
    type: 'object',
    properties: { a: {}, b: {} },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'oneOf that overlap': {
    oneOf: [
      { type: 'integer', minimum: 1 },
      { type: 'integer', multipleOf: 2 },
    ],
  },
  'oneOf of required members': {
    type: 'object',
    properties: { a: {}, b: {} },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'oneOf beside anyOf': {
    oneOf: [{ type: 'string' }, { type: 'number' }],
    anyOf: [{ type: 'number' }, { type: 'boolean' }],
  },
  'if and then': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] }, size: { type: 'integer' } },
    if: { properties: { kind: { const: 'a' } } },
    then: { required: ['size'] },
    else: { properties: { size: false } },
  },
  'chained conditions': {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'integer', minimum: 0, maximum: 9 } },
    allOf: Array.from({ length: 10 }, (_, n) => ({
      if: { properties: { n: { const: n } } },
      then: { required: [`m${n}`], properties: { [`m${n}`]: { const: n } } },
    })),
  },
  'not a type': { not: { type: ['string', 'object'] } },
  'not a const': { type: 'integer', minimum: 1, maximum: 2, not: { const: 1 } },
  'not both': { type: 'object', properties: { a: {}, b: {} }, not: { required: ['a', 'b'] } },
  unevaluatedProperties: { allOf: [PERSON], properties: { extra: { type: 'boolean' } }, unevaluatedProperties: false },
  'recursion by an optional member': {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, next: GIVEN },
  },
  'recursion by a list': {
    type: 'object',
    required: ['children'],
    properties: { children: { type: 'array', items: GIVEN } },
  },
  'recursion with a way out': { anyOf: [{ type: 'array', items: GIVEN, minItems: 1 }, { type: 'integer' }] },
  'members named like those of Object': {
    type: 'object',
    required: ['__proto__', 'constructor', 'toString'],
    properties: { constructor: { type: 'integer' } },
  },
  'examples that do not match': { type: 'integer', examples: ['seven', 7.5], default: 'none' },
};

describe('a value', () => {
  it.each(Object.entries(CASES))('is valid for %s', async (_name, schema) => {
    const { api } = await readSchema('2020-12', schema);
    const check = independentCheck(schema, {});
    for (const variant of VARIANTS) {
      for (const seed of SEEDS) {
        const made = generateValue(api, GIVEN, { direction: 'response', seed, variant });
        expect(made.ok ? check(made.value) : made.reason).toBeUndefined();
      }
    }
  });

  it('a value is the same for the same seed, and usually another for another seed', async () => {
    const { api } = await readSchema('2020-12', CASES['allOf']);
    const { api: again } = await readSchema('2020-12', CASES['allOf']);
    const make = (from: typeof api, seed: number): string =>
      JSON.stringify(generateValue(from, GIVEN, { direction: 'response', seed }));
    expect(SEEDS.map((seed) => make(api, seed))).toEqual(
      SEEDS.toReversed()
        .map((seed) => make(again, seed))
        .toReversed(),
    );
    expect(new Set(SEEDS.map((seed) => make(api, seed))).size).toBeGreaterThan(15);
  });

  it('a value keeps its other members if a member is added to the schema', async () => {
    const wider = { ...PERSON, properties: { nickname: { type: 'string' }, ...PERSON.properties } };
    const [narrow, wide] = [await readSchema('2020-12', PERSON), await readSchema('2020-12', wider)];
    const options: GenerateValueOptions = { direction: 'response', seed: 3, variant: 'full' };
    const [one, other] = [generateValue(narrow.api, GIVEN, options), generateValue(wide.api, GIVEN, options)];
    expect(other).toMatchObject(one);
  });
});

describe('directions', () => {
  const CASE = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
    },
  };
  it.each([
    ['request', ['name', 'secret']],
    ['response', ['id', 'name']],
  ] as const)('a %s has its own members only', async (direction, members) => {
    const { api } = await readSchema('3.1', CASE);
    for (const variant of VARIANTS) {
      const made = generateValue(api, GIVEN, { direction, seed: 1, variant });
      expect(made.ok && Object.keys(made.value as object).toSorted()).toEqual(members);
    }
  });
});

describe('variants', () => {
  const { name } = PERSON.properties;
  const WIDE = {
    type: 'object',
    required: ['a'],
    properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => [key, name])),
  };
  async function countMembers(variant: 'minimal' | 'typical' | 'full'): Promise<number> {
    const { api } = await readSchema('2020-12', WIDE);
    const made = generateValue(api, GIVEN, { direction: 'response', seed: 2, variant });
    return made.ok ? Object.keys(made.value as object).length : 0;
  }
  it('minimal values have the required members, full values all, typical values most', async () => {
    expect(await countMembers('minimal')).toBe(1);
    expect(await countMembers('full')).toBe(8);
    expect(await countMembers('typical')).toBeGreaterThan(4);
  });
});

describe('a discriminator', () => {
  const branch = (extra: object): object => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, ...extra },
  });
  it('a discriminator has the tag of the chosen branch', async () => {
    const others = { Cat: branch({ lives: { type: 'integer' } }), Dog: branch({ tricks: { type: 'integer' } }) };
    const refs = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const { api } = await readSchema(
      '3.1',
      { anyOf: refs, discriminator: { propertyName: 'kind', mapping: { miaow: '#/components/schemas/Cat' } } },
      others,
    );
    const kinds = SEEDS.map((seed) => generateValue(api, GIVEN, { direction: 'response', seed, variant: 'full' })).map(
      (made) => {
        const value = made.ok ? (made.value as Record<string, unknown>) : {};
        return `${String(value['kind'])} ${'lives' in value ? 'lives' : 'tricks'}`;
      },
    );
    expect(new Set(kinds)).toEqual(new Set(['miaow lives', 'Dog tricks']));
  });

  it('a discriminator has a number if its tag is a number', async () => {
    const others = { One: { type: 'object', required: ['level'], properties: { level: { type: 'integer' } } } };
    const { api } = await readSchema(
      '3.1',
      {
        oneOf: [{ $ref: '#/components/schemas/One' }],
        discriminator: { propertyName: 'level', mapping: { 7: '#/components/schemas/One' } },
      },
      others,
    );
    expect(generateValue(api, GIVEN, { direction: 'response', seed: 1 })).toEqual({ ok: true, value: { level: 7 } });
  });

  it('a discriminator in a request variant has the tag of the original schema', async () => {
    const others = { Base: { ...branch({}), discriminator: { propertyName: 'kind' } } };
    const size = { type: 'object', required: ['size'], properties: { size: { type: 'integer', readOnly: true } } };
    const { api } = await readSchema(
      '3.0',
      { allOf: [{ $ref: '#/components/schemas/Base' }, size] },
      {
        ...others,
        Other: { allOf: [{ $ref: '#/components/schemas/Base' }] },
      },
    );
    for (const seed of SEEDS)
      expect(generateValue(api, GIVEN, { direction: 'request', seed })).toMatchObject({ value: { kind: 'Given' } });
  });

  it('a discriminator in a base schema has the tag of the schema that extends it', async () => {
    const others = {
      Base: { ...branch({}), discriminator: { propertyName: 'kind' } },
    };
    const { api } = await readSchema(
      '3.0',
      { allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: { size: { type: 'integer' } } }] },
      others,
    );
    expect(generateValue(api, GIVEN, { direction: 'response', seed: 1 })).toMatchObject({
      ok: true,
      value: { kind: 'Given' },
    });
  });
});

describe('a long search for a value', () => {
  it('ends with the error of the check that watches it, and others are not watched', async () => {
    const { api } = await readSchema('3.1', { type: 'array', minItems: 90, items: { type: 'integer' } });
    let steps = 0;
    const check = (): void => {
      steps += 1;
      if (steps === 20) throw new Error('time is up');
    };
    const search = (): boolean => generateValue(api, GIVEN, { direction: 'request', seed: 1 }).ok;
    expect(() => watchWork(check, search)).toThrow('time is up');
    expect(steps).toBe(20);
    noteStep();
    expect(search()).toBe(true);
    expect(steps).toBe(20);
  });
});
