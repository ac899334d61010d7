import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import * as emitted from '../../runtime/formats.js';
import { FORMATS } from '../../schema/known-formats.js';

const { int32, uint32, int64, uint64, ...textFormats } = emitted;

/** Format -> its function, texts that are of it, and texts that are not. */
const TEXTS: Readonly<Record<string, readonly [keyof typeof textFormats, readonly string[], readonly string[]]>> = {
  date: [
    'date',
    ['2026-01-31', '2024-02-29', '2000-02-29'],
    ['2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-1-1', '2026-01-00', ''],
  ],
  time: [
    'time',
    ['12:00:00Z', '12:00:00.123+01:00', '23:59:60Z', '00:29:60+00:30', '15:59:60-08:00', '12:00:00z'],
    ['12:00:00', '24:00:00Z', '12:60:00Z', '12:00:60Z', '12:00:00+24:00', '12:00Z', '12:00:00+01', '12:00:00+0100'],
  ],
  'date-time': [
    'dateTime',
    ['2026-01-01T12:00:00Z', '2026-01-01t12:00:00.5+02:00', '1998-12-31T23:59:60Z'],
    [
      '2026-01-01',
      '2026-01-01 12:00:00Z',
      '2026-01-01T12:00:00',
      '2026-02-30T12:00:00Z',
      '2026-01-01T12:00:00Z ',
      '2026-01-01T12:00:00ZT',
      '2026-01-01T12:00:00+01',
    ],
  ],
  'date-time-local': [
    'dateTimeLocal',
    ['2026-01-01T12:00:00', '2024-02-29t23:59:59.5'],
    [
      '2026-01-01T12:00:00Z',
      '2026-01-01T12:00:00+01:00',
      '2026-02-30T12:00:00',
      '2026-01-01T24:00:00',
      '2026-01-01T23:59:60',
      '2026-01-01T12:00',
      '2026-01-01 12:00:00',
      'T',
      '',
    ],
  ],
  duration: [
    'duration',
    ['P1D', 'PT1H', 'P1Y2M3DT4H5M6S', 'P2W', 'PT0S'],
    ['P', 'PT', '1D', 'P1', 'P2W1D', 'PT1D', 'P1H'],
  ],
  uri: [
    'uri',
    ['http://a.b/c?d#e', 'urn:isbn:1', 'mailto:a@b', 'http://[::1]:80/', 'file:///x'],
    ['a/b', '//a', 'http://a b', ':x', '1:/', '%', 'http://a/%zz'],
  ],
  'uri-reference': [
    'uriReference',
    ['a/b', '/', '', '#x', '//a/b', 'http://a', '//a@[::1]:1/b'],
    ['a b', '\\', 'http://a/<', '%zz', '//a"@[::1]', '//a@[::g]'],
  ],
  'uri-template': ['uriTemplate', ['/a/{b}', 'http://x/{?q*,r:3}', 'x'], ['/a/{b', '{', '{ }', '/a}']],
  url: [
    'url',
    ['https://example.com/a', 'ftp://a.example.com'],
    ['http://localhost', 'example.com', 'mailto:a@b.c', 'http://10.0.0.1'],
  ],
  email: [
    'email',
    ['a@b.c', 'a.b+c@d.example', '"a b"@c.d', 'a@localhost', 'a@[127.0.0.1]', 'a@[IPv6:::1]'],
    [
      'a',
      '@b',
      'a@',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.d',
      'a@b..c',
      'a@-b.c',
      'a@[300.0.0.1]',
      'a b@c.d',
      'a@b c',
      `a@${'b'.repeat(64)}.c`,
    ],
  ],
  hostname: ['hostname', ['a', 'a-b.c', 'xn--a.b', '1.a'], ['-a', 'a-', 'a_b', 'a..b', '', 'a b', 'a'.repeat(64)]],
  ipv4: ['ipv4', ['0.0.0.0', '255.255.255.255'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '٣.0.0.1']],
  ipv6: [
    'ipv6',
    ['::', '::1', 'fe80::1:2', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    ['1:2:3', ':::', '1::2::3', '12345::', '::1%eth0', '1.2.3.4'],
  ],
  uuid: [
    'uuid',
    ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380'],
    [
      'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380',
      '2eb8aa08aa9811eab4aa73b441d16380',
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638',
      'x',
    ],
  ],
  byte: ['byte', ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'YQ=', '*', 'YWJj\n****', 'YW Jj', 'YQ==YQ==']],
  regex: ['regex', ['^a$', '\\p{L}', '(?<a>b)'], ['(', '[', '\\Z', 'a**', '\\-']],
  'json-pointer': ['jsonPointer', ['', '/', '/a/b', '/~0~1'], ['a', '#/a', '/~', '/~2']],
  'relative-json-pointer': ['relativeJsonPointer', ['0', '1/a', '0#', '12/~0'], ['/a', '01', '-1', '1#/a', '']],
  int64: [
    'int64String',
    ['0', '-9223372036854775808', '9223372036854775807'],
    ['9223372036854775808', '-9223372036854775809', '1.0', '01', '-0', '', '1e3', '99999999999999999999'],
  ],
  uint64: ['uint64String', ['0', '18446744073709551615'], ['-1', '18446744073709551616', '+1', '']],
};

/** Where ajv-formats says something else than we do, on purpose. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  time: ['12:00:00+01', '12:00:00+0100'],
  'date-time': ['2026-01-01 12:00:00Z', '2026-01-01T12:00:00+01'],
  email: ['"a b"@c.d', 'a@localhost', 'a@[127.0.0.1]', 'a@[IPv6:::1]', `a@${'b'.repeat(64)}.c`],
  uuid: ['urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380'],
  byte: ['YWJj\n****'],
  regex: ['\\-', '\\Z'],
};

function ajvSays(format: string, text: string): boolean | undefined {
  const definition: unknown = Object.hasOwn(fullFormats, format)
    ? fullFormats[format as keyof typeof fullFormats]
    : undefined;
  const check =
    typeof definition === 'object' && definition !== null && 'validate' in definition
      ? definition.validate
      : definition;
  if (check instanceof RegExp) return check.test(text);
  return typeof check === 'function' ? Boolean((check as (text: string) => unknown)(text)) : undefined;
}

describe.each(Object.entries(TEXTS))('%s', (format, [name, good, bad]) => {
  const inProcess = FORMATS.get(format)?.string;

  test.each(good)('accepts %j', (text) => {
    expect(textFormats[name](text)).toBe(true);
    expect(inProcess?.(text)).toBe(true);
  });
  test.each(bad)('refuses %j', (text) => {
    expect(textFormats[name](text)).toBe(false);
    expect(inProcess?.(text)).toBe(false);
  });

  test('formats have the same results as ajv-formats, except the listed ones', () => {
    const known = [...good, ...bad].filter((text) => ajvSays(format, text) !== undefined && !format.endsWith('int64'));
    const different = known.filter((text) => textFormats[name](text) !== ajvSays(format, text));

    expect(different).toEqual(known.filter((text) => OURS[format]?.includes(text) === true));
  });

  test('gives the same result in process and in the output for near misses', () => {
    const pieces = ['', '0', '9', 'a', 'T', ':', '.', '-', '@', '/', '"', '[', ' ', '\n', '%', 'é', '💩'];
    const nearly = fc.tuple(fc.constantFrom(...good, ...bad), fc.nat(40), fc.constantFrom(...pieces));
    const texts = fc
      .sample(nearly, { numRuns: 400, seed: 1 })
      .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1));

    expect(texts.filter((text) => textFormats[name](text) !== inProcess?.(text))).toEqual([]);
  });
});

describe('numbers', () => {
  const cases = [
    ['int32', int32, [0, -(2 ** 31), 2 ** 31 - 1], [2 ** 31, -(2 ** 31) - 1, 0.5]],
    ['uint32', uint32, [0, 2 ** 32 - 1], [-1, 2 ** 32]],
    ['int64', int64, [0, -(2 ** 63), 2 ** 63 - 1024, 2 ** 53], [2 ** 63, -(2 ** 63) - 2048, 0.5]],
    ['uint64', uint64, [0, 2 ** 64 - 2048], [2 ** 64, -1]],
  ] as const;

  test.each(cases)('numbers: %s', (name, format, good, bad) => {
    const inProcess = FORMATS.get(name)?.number;

    expect(good.map((value) => [format(value), inProcess?.(value)])).toEqual(good.map(() => [true, true]));
    expect(bad.map((value) => [format(value), inProcess?.(value)])).toEqual(bad.map(() => [false, false]));
  });
});

test('the output contains every format that is checked in process', () => {
  const tested = new Set([...Object.keys(TEXTS), 'int32', 'uint32']);

  expect([...FORMATS.keys()].toSorted()).toEqual([...tested].toSorted());
});
