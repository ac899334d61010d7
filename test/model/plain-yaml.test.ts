import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { parseText } from '../../model/document/parse-document.js';
import { parsePlainYaml } from '../../model/document/parse-plain-yaml.js';

const root = path.join(import.meta.dirname, '../..');
const files = ['specs', 'bench', 'test/contract', 'test/docs', 'test/model', 'test/server'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file)),
);

it('the fast parser reads the YAML files of this repository as the one with positions', () => {
  let compared = 0;
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const plain = parsePlainYaml(text, false, 500);
    if (plain === undefined) continue;
    compared += 1;
    expect(JSON.stringify(plain.value), file).toBe(JSON.stringify(parse(text, { merge: true })));
  }
  expect(compared).toBeGreaterThan(20);
});

it.each([
  ['x: 0o14\ny: 014\nz: 0x1F', { x: 12, y: 14, z: 31 }],
  ['x: yes\ny: True\nz: NULL', { x: 'yes', y: true, z: null }],
  ['x: 2020-01-01\ny: 12:30:45', { x: '2020-01-01', y: '12:30:45' }],
  ['x: .5\ny: -.inf\nz: 1e3', { x: 0.5, y: -Infinity, z: 1000 }],
  ['200: {description: ok}\n1.50: x', { 200: { description: 'ok' }, 1.5: 'x' }],
  ['a: {<<: {b: 1, c: 1}, c: 2}', { a: { b: 1, c: 2 } }],
  ['a: &x {k: 1}\nb: {<<: *x, c: 2}', { a: { k: 1 }, b: { k: 1, c: 2 } }],
  ['%YAML 1.1\n---\nx: yes', { x: true }],
  ['x: !own text', { x: 'text' }],
  ['x: |+\n  a\n\ny: >-\n  b\n  c', { x: 'a\n\n', y: 'b c' }],
  [
    'x: 12345678901234567890\ny: 0xFFFFFFFFFFFFFFFF\nz: -9007199254740993',
    {
      x: 12345678901234567890n,
      y: 18446744073709551615n,
      z: -9007199254740993n,
    },
  ],
])('YAML of the kind %j has its values', (text, value) => {
  expect(parseText(text, { isExact: true })).toEqual({ ok: true, value, isJson: false });
});

it('a member named __proto__ stays a member', () => {
  const parsed = parseText('__proto__: {a: 1}');
  expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__']);
});

it.each([
  ['a: 1\na: 2', 'is not unique', 2],
  ['a: 1\n---\nb: 2', 'several documents', 2],
  ['a: "b', 'Missing closing', 1],
  ['a: *b', 'Unresolved alias', 1],
  [`a: ${'['.repeat(600)}`, 'deeper than 500 levels', 1],
])('YAML with a mistake has its line: %j', (text, message, line) => {
  const parsed = parseText(text);
  expect(parsed.ok ? undefined : parsed.problem).toMatchObject({ message: expect.stringContaining(message), line });
});
