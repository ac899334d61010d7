import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { Redaction } from '../../contract/findings/hide-given-secrets.js';
import { toCurl } from '../../contract/reproduction/print-curl.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { WireRequest } from '../../contract/types.js';
import type { Api, Operation } from '../../model/api.js';

test('integers of 64 bits keep their digits', () =>
  expect(stringifyExactJson({ a: [9_007_199_254_740_993n] })).toBe('{"a":[9007199254740993]}'));

/** The line for one request alone. */
function toLine(request: WireRequest, secrets = new Redaction()): string {
  const exchange = { request, status: 200, headers: new Headers(), text: '', durationMs: 0 };
  const call = { operation: {} as Operation, parameters: new Map() };
  const sent = { phase: 'examples', call, expectation: { kind: 'valid' } } as const;
  const steps = [{ key: exchange, sent, exchange, fills: [] }];
  const wire = {
    api: {} as Api,
    url: new URL(request.url),
    headers: {},
    headersFor: { of: () => ({}) },
    otherHeaders: {},
    madeUp: { mayHave: () => false },
  };
  return toCurl({ steps, assertion: { expects: 'response', matches: () => true } }, { wire, secrets });
}

describe('the curl line', () => {
  const hostile = ["it's $HOME `id`", '"; rm -rf /', 'a\nb\\c\u001b', '!x é 𝄞'];
  test.each(hostile)('the curl line quotes %j so that a shell does not interpret it', (body) => {
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

  test('the curl line contains no secret of the user', () => {
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
