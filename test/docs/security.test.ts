import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { KINDS } from '../support/secret-kinds.js';

const text = readFileSync(path.join(packageRoot, 'docs/security.md'), 'utf8');
const promises = text
  .split('## Promises and their tests')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2);

test('each promise of docs/security.md names tests that exist', () => {
  expect(promises?.length).toBeGreaterThan(30);
  const rows = promises?.map((line) => [
    line,
    [...line.matchAll(/`(test\/[^`]+|npm run [^`]+)`/g)].map(([, one = '']) => one),
  ]);
  for (const [line, names] of rows as [string, string[]][]) {
    expect(names, line).not.toEqual([]);
    const missing = names.filter((one) => one.startsWith('test/') && !existsSync(path.join(packageRoot, one)));
    expect(missing, line).toEqual([]);
  }
});

test('docs/security.md says how many kinds of credentials are tested', () => {
  expect(text).toContain(`${Object.keys(KINDS).length} kinds`);
});
