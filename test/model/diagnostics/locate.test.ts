import { describe, expect, it, test } from 'vitest';

import { createDiagnostic } from '../../../model/diagnostics/create-diagnostic.js';
import { locateDiagnostics } from '../../../model/diagnostics/locate-diagnostics.js';
import { createLocator, locate } from '../../../model/diagnostics/locate.js';
import { LINEAR, growthOf } from '../../support/growth.js';

describe('locate', () => {
  const json = '{\n  "a": { "b/c": [1, "x,]}\\"", { "d~": null }] },\n  "e":\n    [true]\n}';
  const yaml = 'a:\n  b/c:\n    - 1\n    - d~: x\ne: "quoted"\n404: { f: [ 1, 2 ] }\n';
  it.each<[string, string, string, number, number]>([
    ['the whole document', json, '', 1, 1],
    ['an object', json, '/a', 2, 8],
    ['a key with a slash', json, '/a/b~1c', 2, 17],
    ['an item', json, '/a/b~1c/1', 2, 21],
    ['an item after brackets in a text', json, '/a/b~1c/2', 2, 31],
    ['a key with a tilde', json, '/a/b~1c/2/d~0', 2, 39],
    ['a value on the line after its key, at the key', json, '/e', 3, 3],
    ['an item in it', json, '/e/0', 4, 6],
    ['the nearest ancestor of a missing member', json, '/a/none/deeper', 2, 8],
    ['a missing item', json, '/e/7', 3, 3],
    ['JSON behind a byte order mark', '\uFEFF{"a":1}', '/a', 1, 6],
    ['JSON with CRLF', '{\r\n"a":1}', '/a', 2, 5],
    ['a block in YAML, at its key', yaml, '/a', 1, 1],
    ['an item in YAML', yaml, '/a/b~1c/0', 3, 7],
    ['a member of an item', yaml, '/a/b~1c/1/d~0', 4, 11],
    ['a quoted scalar', yaml, '/e', 5, 4],
    ['a key that is a number', yaml, '/404', 6, 6],
    ['flow style', yaml, '/404/f/1', 6, 16],
    ['an alias, at the place of the alias', 'a: &x\n  b: 1\nc: *x\n', '/c', 3, 4],
    ['a member behind an alias, at its anchor', 'a: &x\n  b: 1\nc: *x\n', '/c/b', 2, 6],
    ['YAML that starts like JSON', '{a: 1,\n b: 2}', '/b', 2, 5],
    ['an empty text', '', '/a', 1, 1],
    ['text that is broken', '{"a": ', '/a', 1, 7],
    ['a place before text that is broken', '{"a": [1,\n 2], "b": ', '/a/1', 2, 2],
    ['the first of two members of the same name', '{"a": 1,\n "b": 2, "a": 3}', '/a', 1, 7],
  ])('finds the position of %s', (_what, text, pointer, ...[line, column]) => {
    expect(locate(text, pointer)).toEqual({ line, column });
  });

  it('finds a position in linear time', async () => {
    const find = (count: number): void => {
      const items = Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(80) }));
      expect(locate(JSON.stringify({ items, last: 1 }), '/last').line).toBe(1);
    };
    expect(await growthOf(find, 10_000)).toBeLessThan(LINEAR);
  });

  it('finds many positions in one line in linear time', async () => {
    const find = (count: number): void => {
      const at = createLocator(
        JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(80) }))),
      );
      for (let id = 0; id < count; id += 1) expect(at(`/${id}/text`).line).toBe(1);
    };
    expect(await growthOf(find, 500)).toBeLessThan(LINEAR);
  });
});

test('a file is searched for the position of a diagnostic when it is read, and not before', () => {
  let reads = 0;
  const file = {
    path: '/api.json',
    hash: '',
    get text() {
      reads += 1;
      return '{\n  "a": 1\n}';
    },
  };
  const diagnostic = createDiagnostic('example-invalid', { file: file.path, pointer: '/a' }, 'It is wrong.');
  const [located] = locateDiagnostics(locateDiagnostics([diagnostic], [file]), [file]);
  expect(reads).toBe(0);
  expect(located).toMatchObject({ line: 2, column: 8 });
  expect(reads).toBe(1);
});
