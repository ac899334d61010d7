import { expect, test } from 'vitest';

import { parseJson } from '../../model/document/parse-json.js';

const CASES: readonly (readonly [string, string, string])[] = [
  ['nothing', '', '1:1 a value must stand here, not the end of the file.'],
  [
    'a comment',
    '{\n  // why\n  "a": 1\n}',
    '2:3 the name of a member, in double quotes, must stand here, not a comment, which JSON does not have.',
  ],
  [
    'a comment at the end',
    '{ "a": 1 /* why */ }',
    '1:10 a comma or } is missing before a comment, which JSON does not have.',
  ],
  ['a comma at the end', '{ "a": 1,\n}', '2:1 there is a comma too many before "}".'],
  ['a comma at the end of an array', '[1,]', '1:4 there is a comma too many before "]".'],
  ['no comma', '{ "a": 1\n  "b": 2 }', '2:3 a comma or } is missing before "b".'],
  ['no colon', '{ "a" 1 }', '1:7 a colon must stand here, not "1".'],
  ['no closing bracket', '{ "a": [1', '1:10 a comma or ] is missing before the end of the file.'],
  ['the wrong bracket', '[1}', '1:3 a comma or ] is missing before "}".'],
  ['single quotes', "{ 'a': 1 }", '1:3 the name of a member, in double quotes, must stand here, not a single quote.'],
  ['a name without quotes', '{ a: 1 }', '1:3 the name of a member, in double quotes, must stand here, not "a".'],
  ['a word of another language', '{ "a": True }', '1:8 a value must stand here, not "True".'],
  ['a number of another language', '[01]', '1:2 a value must stand here, not "01".'],
  [
    'a string without an end',
    '{ "a": "b }',
    '1:8 a value must stand here, not a string that does not end, or has a bare control character.',
  ],
  ['two values', '{} {}', '1:4 "{" follows the end of the value.'],
  ['too deep', '['.repeat(600) + '}', '1:501 it is nested deeper than 500 levels.'],
];

test.each(CASES)('strict JSON is refused with a message: %s', (_name, text, problem) => {
  const parsed = parseJson(text);
  const message = parsed.ok ? 'ok' : `${parsed.problem.line}:${parsed.problem.column} ${parsed.problem.message}`;
  expect(message).toBe(problem);
});

test('accepts the same texts as JSON.parse, with or without a byte order mark', () => {
  for (const value of [{}, [], 'a"\\\u2028', 1.5e-7, null, { a: [{ b: {} }, []] }]) {
    const text = JSON.stringify(value, null, 2);
    expect(parseJson(text)).toEqual({ ok: true, value });
    expect(parseJson(`\uFEFF${text}`)).toEqual({ ok: true, value });
  }
});
