import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { expect, test } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { tempFolder } from '../support/temp-folder.js';

/** Functions that copy a list or map for each item, one on each line. */
const COPIES = [
  'for (const [name, value] of all) { const known = headers[name]; headers[name] = known ? [known, value].flat() : value; }',
  'for (const [name, value] of all) groups.set(name, [...(groups.get(name) ?? []), value]);',
  'for (const [name, value] of all) { const known = groups.get(name) ?? []; groups.set(name, known ? [...known, value] : [value]); }',
  'for (const one of all) { const scope = new Map([...outer, one]); read(scope); }',
  'for (const one of all) list = [...list, one];',
  'for (const one of all) list = list.concat([one]);',
  'all.forEach((one) => { list = [...list, one]; });',
  'for (const [name, value] of all) headers = { ...headers, [name]: value };',
  'read(all.reduce((done, one) => [...done, one], []));',
  'read(all.reduce((done, [name, value]) => ({ ...done, [name]: value }), {}));',
];

const OTHERS = [
  'for (const one of all) list.push(...[...one].sort());',
  'list = [...list, 1];',
  'for (const [name, value] of all) groups.set(name, { ...groups.get(name), isRead: true });',
  'read(all.reduce((sum, [, value]) => sum + value.length, 0));',
  'for (const one of all) { const copy = [...one]; read(copy); }',
];

const functionWith = (line: string, index: number): string =>
  `export function run${index}(all, { list, headers, groups, outer, read }) { ${line} }`;

test('the rule finds each copy of a list or map that grows in a loop, and nothing else', () => {
  const jsPlugins = [path.join(packageRoot, 'test/lint/linear-copies.js')];
  const rules = { 'specmill/linear-copies': 'error' };
  const folder = tempFolder({
    'a.js': [...COPIES, ...OTHERS].map(functionWith).join('\n'),
    'rules.json': JSON.stringify({ jsPlugins, rules, categories: { correctness: 'off' } }),
  });
  const oxlint = path.join(packageRoot, 'node_modules/.bin/oxlint');
  let found = '';
  try {
    execFileSync(oxlint, ['-c', 'rules.json', '--format', 'unix', 'a.js'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    found = (error as { readonly stdout: string }).stdout;
  }
  const lines = new Set([...found.matchAll(/a\.js:(\d+):\d+:/g)].map(([, line]) => Number(line)));
  expect([...lines].sort((one, other) => one - other)).toEqual(COPIES.map((_, index) => index + 1));
});
