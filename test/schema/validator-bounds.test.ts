import { describe, expect, test } from 'vitest';

import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { findUncheckedIn } from '../../schema/find-unchecked-schemas.js';
import { buildApi } from '../support/build-api.js';

const FILTER: Schema = { $ref: '#/$defs/Filter' };

/** A filter of filters. Without a constant, no member tells the branches apart. */
function filterSchemas(operator: (word: string) => Schema): Readonly<Record<string, Schema>> {
  const list = (word: string): Schema => ({
    type: 'object',
    required: ['op', 'filters'],
    properties: { filters: { type: 'array', items: FILTER }, op: operator(word) },
  });
  return {
    Filter: { oneOf: ['And', 'Or', 'Not', 'Leaf'].map((name) => ({ $ref: `#/$defs/${name}` })) },
    And: list('and'),
    Or: list('or'),
    Not: { type: 'object', required: ['op', 'filter'], properties: { filter: FILTER, op: operator('not') } },
    Leaf: { type: 'object', required: ['field'], properties: { field: { type: 'string' } } },
  };
}

function nestFilter(depth: number, leaf: object): unknown {
  let filter: unknown = leaf;
  for (let level = 0; level < depth; level += 1) filter = { op: 'and', filters: [filter] };
  return filter;
}

const TAGGED = buildApi({ schemas: filterSchemas((word) => ({ const: word })) });
const UNTAGGED = buildApi({ schemas: filterSchemas(() => ({ type: 'string' })) });

/** How often a member of a value is read: the work of a validator, whatever the machine. */
function countReads(value: unknown): { readonly watched: unknown; readonly count: () => number } {
  let reads = 0;
  const watch = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    const inner: object = Array.isArray(one)
      ? one.map(watch)
      : Object.fromEntries(Object.entries(one).map(([key, child]) => [key, watch(child)]));
    return new Proxy(inner, { get: (target, key, receiver) => ((reads += 1), Reflect.get(target, key, receiver)) });
  };
  return { watched: watch(value), count: () => reads };
}

describe('a recursive union', () => {
  test.each([10, 12, 14, 16, 18])(
    'a recursive union reports the error of the branch that the tag chooses, %d levels deep',
    (depth) => {
      const validate = compileValidator(TAGGED, FILTER, { direction: 'request' });
      const errors = validate(nestFilter(depth, { field: 5 }));
      expect(errors.length).toBeLessThanOrEqual(100);
      expect(errors).toContainEqual(
        expect.objectContaining({ pointer: `${'/filters/0'.repeat(depth)}/field`, message: 'must be string' }),
      );
    },
  );

  test.each([
    ['with tags', TAGGED],
    ['without tags', UNTAGGED],
  ])('a recursive union is checked in time linear in the depth, not exponential: %s', (_what, api) => {
    const validate = compileValidator(api, FILTER, { direction: 'request' });
    const readsAt = (depth: number): number => {
      const { watched, count } = countReads(nestFilter(depth, { field: 5 }));
      expect(validate(watched).length).toBeLessThanOrEqual(100);
      return count();
    };
    expect(readsAt(40)).toBeLessThan(10 * readsAt(10));
  });

  test.each([2_000, 20_000])('refuses a value of %d levels with a sentence, without a stack overflow', (depth) => {
    const validate = compileValidator(TAGGED, FILTER, { direction: 'request' });
    const errors = validate(nestFilter(depth, { field: 'a' }));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(100);
    expect(errors).toContainEqual(expect.objectContaining({ message: 'must NOT be nested so deeply' }));
  });

  test('a recursive union accepts a value of 100 levels', () => {
    const validate = compileValidator(TAGGED, FILTER, { direction: 'request' });
    expect(validate(nestFilter(100, { field: 'a' }))).toEqual([]);
  });
});

describe('two matches of oneOf', () => {
  const api = buildApi({});
  const branch = (name: string): Schema => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const schema: Schema = { oneOf: ['text', 'inlineData', 'functionCall'].map(branch) };
  const validate = compileValidator(api, schema, { direction: 'request' });

  test('two matching branches of oneOf name the members that exclude each other', () => {
    expect(validate({ text: 'a', functionCall: 'f' }).map(({ message }) => message)).toEqual([
      'must have only one of text and functionCall',
    ]);
    expect(validate({ text: 'a', inlineData: 'b', functionCall: 'c' }).map(({ message }) => message)).toEqual([
      'must have only one of text, inlineData and functionCall',
    ]);
  });

  test('two matching branches of oneOf without members give a plain error', () => {
    const numbers = compileValidator(api, { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, { direction: 'request' });
    expect(numbers(6).map(({ message }) => message)).toEqual(['must match exactly one schema in oneOf']);
  });
});

describe('a pattern that can take exponential time', () => {
  const api = buildApi({});
  const schema: Schema = { pattern: '^(a+)+$', patternProperties: { '^(b|bb)*$': { type: 'string' } } };

  test('a pattern that can take exponential time is checked for short texts only if the linear engine cannot run it', () => {
    const validate = compileValidator(api, { pattern: '^(?=a)(a+)+$' }, { direction: 'request' });
    expect(validate('aab')).toMatchObject([{ keyword: 'pattern' }]);
    expect(validate(`${'a'.repeat(50)}!`)).toEqual([]);
  });

  test('a pattern that can take exponential time is reported, and checked in linear time', () => {
    const codes: string[] = [];
    const report = ({ code }: Diagnostic): unknown => codes.push(code);
    const validate = compileValidator(api, schema, { direction: 'request', report });
    expect(validate('aab')).toMatchObject([{ keyword: 'pattern' }]);
    expect(validate(`${'a'.repeat(50_000)}!`)).toMatchObject([{ keyword: 'pattern' }]);
    expect(validate({ ['b'.repeat(50_000)]: 1 })).toMatchObject([{ keyword: 'type' }]);
    expect(validate({ [`${'b'.repeat(50_000)}!`]: 1 })).toEqual([]);
    expect(codes).toEqual(['pattern-costly', 'pattern-costly']);
  });

  test('repetitions that follow each other or are separated are not exponential', () => {
    const safe = [
      '^[a-z]+(-[a-z]+)*$',
      '^\\d+\\.?\\d*$',
      '^(\\w+,)*\\w+$',
      '^(a|b)*$',
      '^\\w+(,\\w+(\\.\\w+)*)*$',
      '^(ttl|time)(,(ttl|time))*$',
    ];
    const diagnostics = safe.flatMap((pattern) => findUncheckedIn(api, { pattern }, { direction: 'request' }));
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
  });
});

describe('large schemas and values', () => {
  const api = buildApi({});

  test('an enum of 100,000 texts is checked by a lookup, not by a search', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `value-${index}`);
    const validate = compileValidator(api, { type: 'array', items: { enum: values } }, { direction: 'request' });
    expect(validate(values)).toEqual([]);
    expect(validate(['nothing'])).toHaveLength(1);
  });

  test('a union of 20,000 schemas gives a bounded number of errors', () => {
    const anyOf = Array.from({ length: 20_000 }, (_, index) => ({ type: 'object', required: [`m${index}`] }) as const);
    const validate = compileValidator(api, { anyOf }, { direction: 'request' });
    expect(validate({ m19999: 1 })).toEqual([]);
    expect(validate({})).toHaveLength(100);
  });

  test('duplicates are found in an array whose items are nested deeper than the call stack', () => {
    const validate = compileValidator(api, { uniqueItems: true }, { direction: 'request' });
    let deep: unknown = [];
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(validate([deep, 1])).toEqual([]);
  });
});
