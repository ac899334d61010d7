import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { type Verdict, verdictsOf } from '../../diff/severity.js';
import { type ChangeKind, KIND_GROUPS } from '../../diff/change-catalog.js';
import { runCaptured } from '../support/run-captured.js';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/diff.md'), 'utf8');

function show(verdict: Verdict | undefined): string {
  if (typeof verdict !== 'object') return verdict ?? '';
  return `${verdict.usually}; ${verdict.else} where ${verdict.when}`;
}

test('docs/diff.md has the tables of the code', () => {
  const tables = Object.entries(KIND_GROUPS).map(([group, kinds]) => {
    const rows = Object.entries<{ readonly description: string }>(kinds).map(([kind, { description }]) => {
      const { request, response } = verdictsOf(kind as ChangeKind);
      return `| \`${kind}\` | ${description} | ${show(request)} | ${show(response)} |`;
    });
    return [
      '',
      `### ${group}`,
      '',
      '| kind | meaning | request | response |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  expect(page.slice(page.indexOf('\n### Operations'))).toBe(`${tables.join('\n')}\n`);
});

test('the command of docs/diff.md prints what the page shows', async () => {
  const [block = ''] = /(?<=```console\n)\$ [^`]*(?=```)/.exec(page) ?? [];
  const [command = '', ...printed] = block.split('\n');
  const run = await runCaptured(path.join(root, 'examples/diff'), ...command.replace('$ npx specmill ', '').split(' '));
  expect(run.out).toBe(printed.join('\n'));
  expect(run.status).toBe(1);
});

test('the README shows a part of the output in docs/diff.md', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const [block = ''] = /(?<=```console\n)\$ npx specmill diff [^`]*(?=```)/.exec(readme) ?? [];
  for (const part of block.split('…\n')) expect(page).toContain(part);
});
