import { describe, expect, test } from 'vitest';

import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { nameVariants } from '../../schema/variant-names.js';
import { namedView, requestView, responseView } from '../../schema/variants.js';
import { buildApi } from '../support/build-api.js';

const readOnly: SchemaObject = { type: 'string', readOnly: true };
const writeOnly: SchemaObject = { type: 'string', writeOnly: true };
const ref = (name: string): SchemaObject => ({ $ref: `#/$defs/${name}` });

interface ViewCase {
  readonly rule: string;
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly given: Schema;
  readonly want: Schema;
}

describe('a request', () => {
  const cases: readonly ViewCase[] = [
    {
      rule: 'need not have what is read-only',
      given: { required: ['id', 'name'], properties: { id: readOnly } },
      want: { required: ['name'], properties: { id: readOnly } },
    },
    {
      rule: 'can have what is write-only',
      given: { required: ['key'], properties: { key: writeOnly } },
      want: { required: ['key'], properties: { key: writeOnly } },
    },
    {
      rule: 'at any depth',
      given: { items: { required: ['id'], properties: { id: readOnly } } },
      want: { items: { required: [], properties: { id: readOnly } } },
    },
    {
      rule: 'also where another part demands it',
      given: { allOf: [{ properties: { id: readOnly } }, { required: ['id'] }] },
      want: { allOf: [{ properties: { id: readOnly } }, { required: [] }] },
    },
    {
      rule: 'also where it depends on another',
      given: { properties: { id: readOnly }, dependentRequired: { name: ['id', 'x'] } },
      want: { properties: { id: readOnly }, dependentRequired: { name: ['x'] } },
    },
    {
      rule: 'also behind a reference',
      schemas: { Id: readOnly },
      given: { required: ['id'], properties: { id: ref('Id') } },
      want: { required: [], properties: { id: ref('Id') } },
    },
    {
      rule: 'also beside a reference',
      schemas: { Text: { type: 'string' } },
      given: { required: ['id'], properties: { id: { ...ref('Text'), readOnly: true } } },
      want: { required: [], properties: { id: { ...ref('Text'), readOnly: true } } },
    },
    {
      rule: 'also as a part of allOf',
      given: { required: ['id'], properties: { id: { allOf: [readOnly] } } },
      want: { required: [], properties: { id: { allOf: [readOnly] } } },
    },
    {
      rule: 'but conditions keep their meaning',
      given: { properties: { id: readOnly }, if: { required: ['id'] }, not: { required: ['id'] } },
      want: { properties: { id: readOnly }, if: { required: ['id'] }, not: { required: ['id'] } },
    },
    {
      rule: 'also where the mark is in a schema that is taken in',
      schemas: { Base: { properties: { id: readOnly } } },
      given: { ...ref('Base'), required: ['id'] },
      want: { ...ref('Base'), required: [] },
    },
    {
      rule: 'takes in a schema that demands what only its surroundings mark',
      schemas: { Base: { required: ['id', 'name'] } },
      given: { allOf: [ref('Base')], properties: { id: readOnly } },
      want: { allOf: [{ allOf: [{ required: ['name'] }] }], properties: { id: readOnly } },
    },
    {
      rule: 'refers to the request variant of what differs',
      schemas: { Item: { required: ['id'], properties: { id: readOnly } }, Plain: { type: 'string' } },
      given: { properties: { item: ref('Item'), plain: ref('Plain') } },
      want: { properties: { item: ref('ItemInput'), plain: ref('Plain') } },
    },
    {
      rule: 'needs no variant of a schema whose marks change nothing',
      schemas: { Item: { properties: { id: readOnly } } },
      given: { items: ref('Item') },
      want: { items: ref('Item') },
    },
    {
      rule: 'can have an enum in any case',
      given: { enum: ['a'], 'x-enum-any-case': true },
      want: { enum: ['a'], 'x-enum-any-case': true },
    },
    {
      rule: 'leads a discriminator to the variants',
      schemas: { Item: { required: ['id'], properties: { id: readOnly } } },
      given: { oneOf: [ref('Item')], discriminator: { propertyName: 'kind', mapping: { item: 'Item' } } },
      want: { oneOf: [ref('ItemInput')], discriminator: { propertyName: 'kind', mapping: { item: 'ItemInput' } } },
    },
  ];

  test.each(cases)('a request: $rule', ({ schemas = {}, given, want }) => {
    expect(requestView(given, buildApi({ schemas }))).toEqual(want);
  });
});

describe('a response', () => {
  const cases: readonly ViewCase[] = [
    {
      rule: 'has nothing that is write-only',
      given: { required: ['key'], properties: { key: writeOnly } },
      want: { required: [], properties: { key: false } },
    },
    {
      rule: 'also where all further members are',
      given: { additionalProperties: writeOnly, patternProperties: { x: writeOnly } },
      want: { additionalProperties: false, patternProperties: { x: false } },
    },
    {
      rule: 'has what is read-only',
      given: { required: ['id'], properties: { id: readOnly } },
      want: { required: ['id'], properties: { id: readOnly } },
    },
    { rule: 'has enums as written', given: { enum: ['a'], 'x-enum-any-case': true }, want: { enum: ['a'] } },
    {
      rule: 'refers to plain schemas',
      schemas: { Item: { required: ['id'], properties: { id: readOnly } } },
      given: { items: ref('Item') },
      want: { items: ref('Item') },
    },
  ];

  test.each(cases)('a response: $rule', ({ schemas = {}, given, want }) => {
    expect(responseView(given, buildApi({ schemas }))).toEqual(want);
  });
});

describe('variants', () => {
  const api = buildApi({
    schemas: {
      Method: { enum: ['Email'], 'x-enum-any-case': true },
      Party: { properties: { method: ref('Method') } },
      Id: { required: ['id'], properties: { id: readOnly, next: ref('Id') } },
      Plain: {},
    },
  });

  test('only schemas that differ by direction, and those that refer to them, have variants', () => {
    expect(Object.fromEntries(nameVariants(api).request)).toEqual({
      Method: 'MethodAnyCase',
      Party: 'PartyAnyCase',
      Id: 'IdInput',
    });
  });

  test('variants are resolved by name, through recursion', () => {
    expect(namedView('IdInput', api)).toEqual({ required: [], properties: { id: readOnly, next: ref('IdInput') } });
    expect(namedView('Id', api)).toEqual(api.schemas.get('Id')?.schema);
    expect(namedView('PartyAnyCase', api)).toEqual({ properties: { method: ref('MethodAnyCase') } });
    expect(namedView('Nothing', api)).toBeUndefined();
  });

  test('a variant never has the name of another schema', () => {
    const taken = buildApi({ schemas: { Method: { enum: ['a'], 'x-enum-any-case': true }, MethodAnyCase: {} } });

    expect(nameVariants(taken).request.get('Method')).toBe('MethodAnyCase2');
  });

  test('a schema without a difference is returned unchanged', () => {
    const schema = { items: ref('Plain') };

    expect(requestView(schema, api)).toBe(schema);
    expect(responseView(schema, api)).toBe(schema);
  });
});
