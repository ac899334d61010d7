import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { writeFields, writeHeader, writePathParameter } from '../../contract/requests/write-parameter.js';
import { Secrets } from '../../contract/secrets.js';
import { toCurl } from '../../contract/show-request.js';
import { toJsonText } from '../../contract/requests/json-text.js';
import type { ParameterStyle } from '../../model/api.js';

const COLOURS = ['blue', 'black'];
const RGB = { R: 100, G: 200 };

describe('parameters are written as OpenAPI shows them', () => {
  const paths: readonly (readonly [ParameterStyle, boolean, unknown, string])[] = [
    ['simple', false, COLOURS, 'blue,black'],
    ['simple', true, RGB, 'R=100,G=200'],
    ['label', true, COLOURS, '.blue.black'],
    ['label', false, 'blue', '.blue'],
    ['matrix', false, COLOURS, ';color=blue,black'],
    ['matrix', true, COLOURS, ';color=blue;color=black'],
    ['matrix', true, RGB, ';R=100;G=200'],
    ['simple', false, 'a/b?c', 'a%2Fb%3Fc'],
  ];
  test.each(paths)('path %s, explode %s, %j', (style, explode, value, text) => {
    expect(writePathParameter({ name: 'color', style, explode }, value)).toBe(text);
  });

  const queries: readonly (readonly [ParameterStyle, boolean, unknown, string])[] = [
    ['form', true, COLOURS, 'color=blue&color=black'],
    ['form', false, COLOURS, 'color=blue,black'],
    ['form', true, RGB, 'R=100&G=200'],
    ['form', false, RGB, 'color=R,100,G,200'],
    ['spaceDelimited', false, COLOURS, 'color=blue%20black'],
    ['pipeDelimited', false, COLOURS, 'color=blue%7Cblack'],
    ['deepObject', true, RGB, 'color%5BR%5D=100&color%5BG%5D=200'],
    ['form', true, 'a&b', 'color=a%26b'],
  ];
  test.each(queries)('query %s, explode %s, %j', (style, explode, value, text) => {
    const fields = writeFields({ name: 'color', style, explode }, value);
    expect(fields.map(([name, own]) => `${name}=${own}`).join('&')).toBe(text);
  });

  test('headers are not escaped', () => expect(writeHeader({ explode: false }, ['a b', 'c'])).toBe('a b,c'));
});

test('numbers of 64 bits keep their digits', () =>
  expect(toJsonText({ a: [9_007_199_254_740_993n] })).toBe('{"a":[9007199254740993]}'));

describe('the curl line', () => {
  const hostile = ["it's $HOME `id`", '"; rm -rf /', 'a\nb\\c\u001b', '!x é 𝄞'];
  test.each(hostile)('gives a shell nothing to read: %j', (body) => {
    const line = toCurl(
      { method: 'POST', url: "http://127.0.0.1/a?b='$(id)'", headers: { 'x-a': "'" }, body },
      new Secrets(),
    );
    const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
    const words = execFileSync('bash', ['-c', script], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
      .toString()
      .split('\0');
    expect(words).toEqual([
      '-sS',
      '-i',
      '-g',
      '-X',
      'POST',
      "http://127.0.0.1/a?b='$(id)'",
      '-H',
      "x-a: '",
      '--data-raw',
      body,
      '',
    ]);
  });

  test('keeps the secrets of the user out', () => {
    const headers = { authorization: 'Bearer hush' };
    const secrets = new Secrets();
    secrets.addHeaders(headers);
    const line = toCurl({ method: 'GET', url: 'http://127.0.0.1/', headers }, secrets);
    expect(line).not.toContain('hush');
    expect(line).toContain('"$AUTHORIZATION"');
    // What was sent in their place is what the line must repeat.
    const wrong = { authorization: 'Nobody x' };
    expect(toCurl({ method: 'GET', url: 'http://127.0.0.1/', headers: wrong }, secrets)).toContain(
      "'authorization: Nobody x'",
    );
  });
});
