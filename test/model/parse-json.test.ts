import { expect, test } from 'vitest';

import { parseFile } from '../../model/document/parse-file.js';
import { parseJson } from '../../model/document/parse-json.js';

const CASES: readonly (readonly [string, string, string])[] = [
  ['nothing', '', '1:1 a value is expected here, not the end of the file.'],
  [
    'a comment',
    '{\n  // why\n  "a": 1\n}',
    '2:3 the name of a member, in double quotes, is expected here, not a comment, which JSON does not have.',
  ],
  [
    'a comment at the end',
    '{ "a": 1 /* why */ }',
    '1:10 a comma or } is missing before a comment, which JSON does not have.',
  ],
  ['a comma at the end', '{ "a": 1,\n}', '2:1 there is a comma too many before "}".'],
  ['a comma at the end of an array', '[1,]', '1:4 there is a comma too many before "]".'],
  ['no comma', '{ "a": 1\n  "b": 2 }', '2:3 a comma or } is missing before "b".'],
  ['no colon', '{ "a" 1 }', '1:7 a colon is expected here, not "1".'],
  ['no closing bracket', '{ "a": [1', '1:10 a comma or ] is missing before the end of the file.'],
  ['the wrong bracket', '[1}', '1:3 a comma or ] is missing before "}".'],
  ['single quotes', "{ 'a': 1 }", '1:3 the name of a member, in double quotes, is expected here, not a single quote.'],
  ['a name without quotes', '{ a: 1 }', '1:3 the name of a member, in double quotes, is expected here, not "a".'],
  ['a word of another language', '{ "a": True }', '1:8 a value is expected here, not "True".'],
  ['a number of another language', '[01]', '1:2 a value is expected here, not "01".'],
  [
    'a string without an end',
    '{ "a": "b }',
    '1:8 a value is expected here, not a string that does not end, or has a bare control character.',
  ],
  [
    'a long string in the wrong place',
    `{ "a": 1 "${'b'.repeat(50)}": 2 }`,
    `1:10 a comma or } is missing before "${'b'.repeat(39)}….`,
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
    expect(parseJson(text)).toMatchObject({ ok: true, value });
    expect(parseJson(`\uFEFF${text}`)).toMatchObject({ ok: true, value });
  }
});

/** The key that is found twice, with its place; `ok` for none. */
function repeatedIn(name: string, text: string): string {
  const parsed = parseFile(name, text);
  const problem = parsed.ok ? parsed.repeated : parsed.problem;
  if (problem === undefined) return 'ok';
  const { code, line, column, pointer, message } = problem;
  return `${code} ${line}:${column} ${pointer} ${message}`;
}

const REPEATED: readonly (readonly [what: string, text: string, place: string, key: string, first: number])[] = [
  ['at the top', '{\n"a": 1,\n"a": 2}', '3:1 /a', 'a', 2],
  ['in a list', '[{}, {"b": [0, {"c": 1, "c": 1}]}]', '1:25 /1/b/1/c', 'c', 1],
  ['beside a string that starts with a colon', '{"a": ":x", "b": " : y",\n"b": {}}', '2:1 /b', 'b', 1],
  ['in another spelling', String.raw`{"a/b": {}, "\u0061/b": {}}`, '1:13 /a~1b', 'a/b', 1],
  ['with a space before its colon', '{"a" : 1, "b": 2,\n"b"\n: 3}', '2:1 /b', 'b', 1],
  ['called __proto__', '{"__proto__": 1, "__proto__": 2}', '1:18 /__proto__', '__proto__', 1],
  ['after a key that looks like the end of one', String.raw`{"a\\": 1, "a\":": 2, "a\\": 3}`, '1:23 /a\\', 'a\\', 1],
];

test.each(REPEATED)('a repeated key of a JSON object is found: %s', (_what, text, place, key, first) => {
  const message = `The key ${JSON.stringify(key)} is not unique: its object already has it on line ${first}.`;
  for (const name of ['a.json', 'a.yaml', 'https://example.com/a.json?b=c', ''])
    expect(repeatedIn(name, text)).toBe(`key-repeated ${place} ${message}`);
});

test('texts that only look as if a key were repeated are accepted', () => {
  for (const value of [
    { a: ':a":', b: '":"', '":': { '":': ':' } },
    { a: { a: [{ a: 1 }, { a: 2 }] } },
    { 'a:': ': ' },
  ])
    expect(repeatedIn('a.json', JSON.stringify(value))).toBe('ok');
});

test('a string of ten million escapes is read', () => {
  expect(repeatedIn('a.json', `{"a": ":", "b": "${String.raw`\n`.repeat(10_000_000)}"}`)).toBe('ok');
});
