import { createRequire } from 'node:module';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { failType, isListed, isLonger, isShorter } from '../../runtime/checks.js';
import { isEqual, isListedInAnyCase } from '../../runtime/checks.js';
import { findDuplicate } from '../../runtime/checks.js';
import { isBytes, isObject, toPointerSegment } from '../../runtime/checks.js';
import { isMultipleOf } from '../../runtime/checks.js';
import { type Check, MAX_ERRORS, ValidationFailure, assertValid } from '../../runtime/validation.js';
import { createRequestValidator, createValidator } from '../../runtime/validation.js';

// Ajv's modules are CommonJS with their own default export.
const load = createRequire(import.meta.url);
const { default: equal } = load('ajv/dist/runtime/equal.js') as { default: (one: unknown, other: unknown) => boolean };
const { default: length } = load('ajv/dist/runtime/ucs2length.js') as { default: (text: string) => number };

const json = fc.jsonValue({ maxDepth: 3 });

describe('isEqual', () => {
  test('the runtime checks have the same results as ajv', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(isEqual(one, other)).toBe(equal(one, other));
        expect(isEqual(one, structuredClone(one))).toBe(true);
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
  ])('treats names that every object inherits as data: %j, %j', (one: unknown, other: unknown, same) => {
    expect(isEqual(one, other)).toBe(same);
  });
});

test('isListedInAnyCase ignores the letter case of texts only', () => {
  const list = ['Email', null, { a: 1 }];
  for (const [value, listed] of [
    ['EMAIL', true],
    ['email', true],
    [null, true],
    ['null', false],
    [{ a: 1 }, true],
    ['e', false],
  ] as const) {
    expect(isListedInAnyCase(list, value)).toBe(listed);
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
  ])('findDuplicate: %j', (items, twins) => {
    expect(findDuplicate(items)).toEqual(twins);
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
  ])('isMultipleOf(%d, %d) is %s', (value, divisor, is) => {
    expect(isMultipleOf(value, divisor)).toBe(is);
  });

  test('any number of cents is a multiple of a cent', () => {
    const cents = fc.sample(fc.integer(), { seed: 1 }).map((count) => Number(`${count}e-2`));

    expect(cents.filter((amount) => !isMultipleOf(amount, 0.01))).toEqual([]);
  });
});

/** Whether a text is shorter or longer than a number of characters, than one more, and than one less. */
function compareLength(text: string, characters: number): readonly boolean[] {
  return [
    isShorter(text, characters),
    isLonger(text, characters),
    isShorter(text, characters + 1),
    isLonger(text, characters - 1),
  ];
}

const FITTING = [false, false, true, true];

test('lengths are counted in code points, as ajv counts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(compareLength(text, length(text))).toEqual(FITTING);
    }),
    { seed: 1 },
  );
  for (const text of ['\uD83D', '\uDCA9\uD83D', '💩', '']) expect(compareLength(text, length(text))).toEqual(FITTING);
});

test('the checks of types tell JSON values and bytes apart', () => {
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
  expect(toPointerSegment('a/b~c')).toBe('a~1b~0c');
});

test('isListed compares objects by their value', () => {
  expect(isListed([{ a: [] }, 'b'], { a: [] })).toBe(true);
  expect(isListed([{ a: [] }, 'b'], { a: {} })).toBe(false);
});

describe('validators', () => {
  const check: Check = (data, path = '', out) => data !== 1 && failType(out, `${path}/a/0`, 'number');

  test('validate returns a valid value with its type, an invalid one with its errors', () => {
    const validate = createValidator<number>(check);
    expect(validate(1)).toEqual({ ok: true, value: 1 });
    expect(validate(2)).toEqual({
      ok: false,
      errors: [{ pointer: '/a/0', message: 'must be number', keyword: 'type', params: { type: 'number' } }],
    });
  });

  test('the validator of a request accepts no request', () => {
    expect(createRequestValidator<object>(() => false)()).toEqual({ ok: true, value: {} });
  });

  test('validators are Standard Schemas whose issues have paths with numbers as indices', () => {
    const { version, vendor, validate } = createValidator<number>(check)['~standard'];
    expect([version, vendor]).toEqual([1, 'specmill']);
    expect(validate(1)).toEqual({ value: 1 });
    expect(validate({ a: [] })).toEqual({ issues: [{ message: 'must be number', path: ['a', 0] }] });
    expect(validate({ a: {} })).toEqual({ issues: [{ message: 'must be number', path: ['a', '0'] }] });
  });

  test('the number of collected errors is bounded', () => {
    const endless: Check = (_data, path = '', out) => {
      for (let index = 0; index < 1000; index += 1) if (failType(out, `${path}/${index}`, 'number')) return true;
      return false;
    };
    const result = createValidator(endless)({});
    expect(result.ok ? 0 : result.errors.length).toBe(MAX_ERRORS);
  });

  test('assertValid throws all errors, and its message names the first', () => {
    const one: Check = (data, path = '', out) => data !== 1 && failType(out, `${path}/a`, 'number');
    expect(() => assertValid(one, 1, 'One')).not.toThrow();
    expect(() => assertValid(one, 2, 'One')).toThrow('One: /a must be number');
    expect(() => assertValid(one, 2, 'One')).toThrow(ValidationFailure);
  });
});
