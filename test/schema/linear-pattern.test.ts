import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { createLinearPattern } from '../../schema/linear-pattern.js';
import { compilePattern } from '../../schema/compile-pattern.js';
import { translatePattern } from '../../schema/translate-pattern.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { RE2JS } from 're2js';
import { LINEAR, growthOf } from '../support/growth.js';

describe('a pattern of a spec', () => {
  test.each([
    ['^(a+)+$', 'a'],
    ['(a|aa)+$', 'a'],
    [String.raw`\s+$`, ' '],
    [String.raw`^(\w+\s?)*$`, 'a'],
    ['[a-z]+[0-9]', 'a'],
    [String.raw`^.*\.json.*x$`, '.json'],
    [
      String.raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$`,
      'a',
    ],
  ])('%s is matched in linear time', async (pattern, part) => {
    const linear = createLinearPattern(pattern);
    expect(linear).toMatchObject({ maxLength: undefined });
    const search = (size: number): void => expect(linear.test(`${part.repeat(size / part.length)}!`)).toBe(false);
    expect(await growthOf(search, 50_000)).toBeLessThan(LINEAR);
  });

  test.each([
    [String.raw`^(\w+)\1*x$`, 22],
    ['^(?=.*a)(?=.*b).*$', 200],
    ['(?!x)a', 3_000],
    [String.raw`^(?!.*(a+)+$)`, 22],
  ])('%s that needs backtracking is matched for bounded texts only', (pattern, length) => {
    expect(createLinearPattern(pattern).maxLength).toBe(length);
  });

  it('a mock refuses a request of a megabyte that could take a pattern exponential time', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const api = await loadDocument(
      documentWith({
        '/a': {
          post: {
            operationId: 'post',
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 200: { description: 'ok' } },
          },
        },
      }),
    );
    await using mock = await startMock(api);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ a: `${'a'.repeat(1_000_000)}!` });
    expect((await mock.fetch('http://mock/a', { ...init, body })).status).toBe(400);
  });
});

/** Pieces that differ, or could differ, between the two engines. */
const PIECES = [
  'a',
  'é',
  '.',
  '-',
  '/',
  '{',
  String.raw`\/`,
  String.raw`\-`,
  String.raw`\.`,
  String.raw`\d`,
  String.raw`\D`,
  String.raw`\w`,
  String.raw`\W`,
  String.raw`\s`,
  String.raw`\S`,
  String.raw`\b`,
  String.raw`\n`,
  String.raw`\u00e9`,
  String.raw`\x41`,
  String.raw`\u{1F600}`,
  String.raw`\p{L}`,
  String.raw`\P{Lu}`,
  '[a-z]',
  '[^a-z]',
  String.raw`[\s\S]`,
  String.raw`[\]\-\\]`,
  '[[:x]',
  String.raw`[^\s,]`,
  '[]',
  '[^]',
  String.raw`[\w-]`,
  '(?:a|b)',
  '(a)',
  '(?<n>b)',
  '^',
  '$',
  '😀',
];
const REPEATS = ['', '*', '+', '?', '{2}', '{0,3}', '{1,}', '*?'];
const CHARS = [
  'a',
  'b',
  'z',
  'A',
  '1',
  ' ',
  '\n',
  '\u00a0',
  '\u2028',
  'é',
  '-',
  '/',
  '.',
  '\\',
  ']',
  '[',
  ':',
  '{',
  '😀',
  '_',
  ',',
];

it('the linear engine has the same results as ECMAScript', () => {
  const piece = fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...REPEATS)).map((both) => both.join(''));
  const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  const text = fc.array(fc.constantFrom(...CHARS), { maxLength: 8 }).map((chars) => chars.join(''));
  let compared = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
      const compiled = compilePattern(source);
      const translated = compiled?.unicode === true ? translatePattern(source, true) : undefined;
      if (compiled === undefined || translated === undefined) return;
      const linear = RE2JS.compile(translated);
      const different = texts.filter((one) => linear.test(one) !== compiled.regexp.test(one));
      expect(different, source).toEqual([]);
      compared += 1;
    }),
    { numRuns: 1_500, seed: 1 },
  );
  expect(compared).toBeGreaterThan(500);
});
