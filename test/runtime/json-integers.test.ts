import { describe, expect, it } from 'vitest';

import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';

describe('parseExactJson', () => {
  it.each([
    ['9007199254740993', 9_007_199_254_740_993n],
    ['4611686018427387904', 2n ** 62n],
    ['1000000000000000000000', 10n ** 21n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['[9223372036854775807,1]', [9_223_372_036_854_775_807n, 1]],
    ['{"id": 18446744073709551615 }', { id: 18_446_744_073_709_551_615n }],
    [
      '{"a":{"b":[{"c":9007199254740993}]},"d":9007199254740993}',
      { a: { b: [{ c: 2n ** 53n + 1n }] }, d: 2n ** 53n + 1n },
    ],
  ])('keeps the digits of %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
    expect(stringifyExactJson(parseExactJson(text))).toBe(text.replaceAll(' ', ''));
  });

  it.each([
    '9007199254740991',
    '9007199254740992',
    '100000000000000000',
    '1234567890123456.5',
    '1234567890123456e2',
    '12345678901234567E-2',
    '0.1234567890123456789',
    '"9007199254740993"',
    '["\\"9007199254740993", "\\\\", "a\\\\\\"9007199254740993"]',
    '{"9007199254740993":1,"text":"id 9007199254740993, 1"}',
    '1e999',
    `1${'0'.repeat(1_000)}`,
    '[]',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('keeps members named __proto__ and repeated names as JSON.parse does', () => {
    const value = parseExactJson('{"__proto__":9007199254740993,"a":1,"a":9007199254740993,"b":{"__proto__":{"c":1}}}');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 2n ** 53n + 1n],
      ['a', 2n ** 53n + 1n],
      ['b', JSON.parse('{"__proto__":{"c":1}}')],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('throws a SyntaxError for invalid JSON, whatever numbers are in it', () => {
    for (const text of ['', '[9007199254740993', '{"a":9007199254740993,}', '09007199254740993', '9007199254740993"'])
      expect(() => parseExactJson(text), text).toThrow(SyntaxError);
  });

  it('reads values that are nested deeper than a call stack', () => {
    const depth = 20_000;
    let value = parseExactJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`);
    for (let level = 0; level < depth; level += 1) value = (value as readonly unknown[])[0];
    expect(value).toBe(2n ** 53n + 1n);
  });

  it('reads a random document of wide numbers digit by digit', () => {
    const digits = Array.from({ length: 500 }, (_, index) => `${(BigInt(index) * 7_919n + 1n) ** 7n}`);
    const value = parseExactJson(`[${digits.join(' ,\n')}]`) as readonly (bigint | number)[];
    expect(value.map((one) => String(BigInt(one)))).toEqual(digits);
  });
});

describe('stringifyExactJson', () => {
  it('writes all but bigints as JSON.stringify does', () => {
    const value = {
      at: new Date(0),
      list: [undefined, () => 1, Symbol('a'), null, Number.NaN],
      gone: undefined,
      'q"': 'é"',
    };
    expect(stringifyExactJson(value)).toBe(JSON.stringify(value));
    expect(stringifyExactJson({ ...value, id: 2n ** 64n })).toBe(
      JSON.stringify({ ...value, id: 0 }).replace('"id":0', `"id":${2n ** 64n}`),
    );
    expect(stringifyExactJson(undefined)).toBe('null');
    expect(stringifyExactJson({ a: [2n ** 64n] }, 2)).toBe(
      JSON.stringify({ a: [1] }, undefined, 2).replace('1', `${2n ** 64n}`),
    );
  });

  it('throws the TypeError of JSON.stringify for a cycle, even if a bigint comes first', () => {
    const value: Record<string, unknown> = { id: 1n };
    value['self'] = value;
    expect(() => stringifyExactJson(value)).toThrow(/circular/i);
  });
});
