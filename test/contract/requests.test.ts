import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { writeFields, writeHeader, writePathParameter } from '../../contract/execute/http/serialize-parameter.js';
import { Redaction } from '../../contract/findings/hide-given-secrets.js';
import { toCurl } from '../../contract/reproduction/print-curl.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { WireRequest } from '../../contract/types.js';
import type { Api, Operation, ParameterStyle } from '../../model/api.js';

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
    ['spaceDelimited', false, RGB, 'color=R%20100%20G%20200'],
    ['pipeDelimited', false, RGB, 'color=R%7C100%7CG%7C200'],
    ['deepObject', true, RGB, 'color%5BR%5D=100&color%5BG%5D=200'],
    ['form', true, 'a&b', 'color=a%26b'],
  ];
  test.each(queries)('query %s, explode %s, %j', (style, explode, value, text) => {
    const fields = writeFields({ name: 'color', style, explode }, value);
    expect(fields.join('&')).toBe(text);
  });

  test('headers are not escaped', () => expect(writeHeader({ name: 'x', explode: false }, ['a b', 'c'])).toBe('a b,c'));
});

test('numbers of 64 bits keep their digits', () =>
  expect(stringifyExactJson({ a: [9_007_199_254_740_993n] })).toBe('{"a":[9007199254740993]}'));

/** The line for one request alone. */
function toLine(request: WireRequest, secrets = new Redaction()): string {
  const exchange = { request, status: 200, headers: new Headers(), text: '', durationMs: 0 };
  const call = { operation: {} as Operation, parameters: new Map() };
  const sent = { phase: 'examples', call, expectation: { kind: 'valid' } } as const;
  const steps = [{ key: exchange, sent, exchange, fills: [] }];
  const wire = { api: {} as Api, url: new URL(request.url), headers: {} };
  return toCurl({ steps, assertion: { expects: 'response', matches: () => true } }, { wire, secrets });
}

describe('the curl line', () => {
  const hostile = ["it's $HOME `id`", '"; rm -rf /', 'a\nb\\c\u001b', '!x é 𝄞'];
  test.each(hostile)('the curl line gives a shell nothing to read: %j', (body) => {
    const line = toLine({ method: 'POST', url: "http://127.0.0.1/a?b='$(id)'", headers: { 'x-a': "'" }, body });
    const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
    const words = execFileSync('bash', ['-c', script], { env: { ...process.env, LC_ALL: 'C' } })
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

  test('the curl line keeps the secrets of the user out', () => {
    const headers = { authorization: 'Bearer hush' };
    const secrets = new Redaction();
    secrets.addHeaders(headers);
    const line = toLine({ method: 'GET', url: 'http://127.0.0.1/', headers }, secrets);
    expect(line).not.toContain('hush');
    expect(line).toContain('"$AUTHORIZATION"');
    // What was sent in their place is what the line must repeat.
    const wrong = { authorization: 'Nobody x' };
    expect(toLine({ method: 'GET', url: 'http://127.0.0.1/', headers: wrong }, secrets)).toContain(
      "'authorization: Nobody x'",
    );
  });
});
