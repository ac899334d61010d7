import { createRequire } from 'node:module';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { allow, allowAnyCase, maxLength, minLength, require } from '../../runtime/check-keywords.js';
import { isEqual, isListedInAnyCase } from '../../runtime/equal.js';
import { findDuplicate } from '../../runtime/find-duplicate.js';
import { escapePointer, hasOwn, isBytes, isObject } from '../../runtime/json-types.js';
import { isMultipleOf } from '../../runtime/multiple-of.js';
import { ucs2Length } from '../../runtime/ucs2-length.js';
import { type Out, ValidationFailure, assertValid, passes, validate } from '../../runtime/validation.js';
import * as values from '../../schema/values.js';

// Ajv's modules are CommonJS with a default export of their own.
const load = createRequire(import.meta.url);
const { default: equal } = load('ajv/dist/runtime/equal.js') as { default: (one: unknown, other: unknown) => boolean };
const { default: length } = load('ajv/dist/runtime/ucs2length.js') as { default: (text: string) => number };

const json = fc.jsonValue({ maxDepth: 3 });

describe('isEqual', () => {
  test('says what ajv says', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(isEqual(one, other)).toBe(equal(one, other));
        expect(isEqual(one, structuredClone(one))).toBe(true);
        expect(values.isEqual(one, other)).toBe(isEqual(one, other));
      }),
      { seed: 1 },
    );
  });

  test.each([
    [{ valueOf: 1 }, { valueOf: 1 }, true],
    [{ toString: 1 }, { toString: 2 }, false],
    [{ constructor: 1 }, {}, false],
    [[], {}, false],
    [{ a: 1 }, { b: 1 }, false],
    [JSON.parse('{"__proto__":1}'), {}, false],
  ])('takes names of Object as data: %j, %j', (one: unknown, other: unknown, same) => {
    expect(isEqual(one, other)).toBe(same);
  });
});

test('lists in any letter case', () => {
  const list = ['Email', null, { a: 1 }];
  for (const [value, listed] of [
    ['EMAIL', true],
    ['email', true],
    [null, true],
    ['null', false],
    [{ a: 1 }, true],
    ['e', false],
  ] as const) {
    expect([isListedInAnyCase(list, value), values.isListedInAnyCase(list, value)]).toEqual([listed, listed]);
  }
});

describe('findDuplicate', () => {
  test.each([
    [[], undefined],
    [[1, '1', true, 'true', null, {}, []], undefined],
    [
      [1, 2, 1],
      [0, 2],
    ],
    [
      [{ a: 1, b: [1] }, {}, { b: [1], a: 1 }],
      [0, 2],
    ],
    [
      ['__proto__', '__proto__'],
      [0, 1],
    ],
    [
      [{ __proto__: null }, '{}', {}],
      [0, 2],
    ],
  ])('%j', (items, twins) => {
    expect(findDuplicate(items)).toEqual(twins);
    expect(values.findDuplicate(items)).toEqual(twins);
  });
});

describe('isMultipleOf', () => {
  test.each([
    [0.07, 0.01, true],
    [4.35, 0.01, true],
    [19.99, 0.01, true],
    [0.075, 0.01, false],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [0, 0.3, true],
    [-0.6, 0.3, true],
    [1.5, 2, false],
    [5e-324, 5e-324, true],
    [Number.POSITIVE_INFINITY, 2, false],
  ])('%d of %d: %s', (value, divisor, is) => {
    expect(isMultipleOf(value, divisor)).toBe(is);
    expect(values.isMultipleOf(value, divisor)).toBe(is);
  });

  test('any number of cents is a multiple of a cent', () => {
    const cents = fc.sample(fc.integer(), { seed: 1 }).map((count) => Number(`${count}e-2`));

    expect(cents.filter((amount) => !isMultipleOf(amount, 0.01))).toEqual([]);
  });
});

test('lengths are counted as ajv counts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(ucs2Length(text)).toBe(length(text));
    }),
    { seed: 1 },
  );
  for (const text of ['\uD83D', '\uDCA9\uD83D', '💩', '']) expect(ucs2Length(text)).toBe(length(text));
});

test('types of JSON and of bytes', () => {
  expect([{}, Object.create(null), [], null, 'x', undefined].map(isObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  const bytes = ['x', new Uint8Array(1), new ArrayBuffer(1), new Blob([]), new ReadableStream(), {}, [], 1, null];

  expect(bytes.map(isBytes)).toEqual([true, true, true, true, true, false, false, false, false]);
  expect(bytes.map(values.isBytes)).toEqual(bytes.map(isBytes));
  expect([hasOwn({ a: 1 }, 'a'), hasOwn({}, 'toString')]).toEqual([true, false]);
  expect(escapePointer('a/b~c')).toBe('a~1b~0c');
});

describe('keywords', () => {
  const errorsOf = (check: (out: Out) => void): string[] => {
    const out: Out = [];
    check(out);
    return out.map(({ pointer, message }) => `${pointer} ${message}`);
  };

  test('require asks for own members that are not undefined', () => {
    expect(errorsOf((out) => require({ a: undefined, b: null }, ['a', 'b', 'toString'], '/x', out))).toEqual([
      "/x must have required property 'a'",
      "/x must have required property 'toString'",
    ]);
  });

  test('allow, in any case or as written', () => {
    expect(errorsOf((out) => allow('A', ['a'], '', out))).toHaveLength(1);
    expect(errorsOf((out) => allowAnyCase('A', ['a'], '', out))).toEqual([]);
    expect(errorsOf((out) => allow({ a: [] }, [{ a: [] }], '', out))).toEqual([]);
  });

  test('lengths', () => {
    expect(errorsOf((out) => maxLength('💩💩', 2, '', out))).toEqual([]);
    expect(errorsOf((out) => maxLength('abc', 2, '', out))).toEqual([' must NOT have more than 2 characters']);
    expect(errorsOf((out) => minLength('💩', 2, '', out))).toEqual([' must NOT have fewer than 2 characters']);
  });
});

describe('answers', () => {
  const check = (data: unknown, path: string, out: Out): void => {
    if (data !== 1) out.push({ pointer: `${path}/a`, message: 'must be 1', keyword: 'const', params: {} });
  };

  test('validate, passes', () => {
    expect(validate<number>(check, 1)).toEqual({ ok: true, value: 1 });
    expect(validate<number>(check, 2)).toMatchObject({ ok: false, errors: [{ pointer: '/a' }] });
    expect([passes(check, 1), passes(check, 2)]).toEqual([true, false]);
  });

  test('assertValid throws all errors, and names the first', () => {
    expect(() => assertValid(check, 1, 'One')).not.toThrow();
    expect(() => assertValid(check, 2, 'One')).toThrow(
      new ValidationFailure('One', [{ pointer: '/a', message: 'must be 1', keyword: 'const', params: {} }]),
    );
    expect(() => assertValid(check, 2, 'One')).toThrow('One: /a must be 1');
  });
});
