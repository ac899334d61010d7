import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { COMMANDS } from '../../cli/commands/index.js';
import { runCaptured } from '../support/run-captured.js';

const root = path.join(import.meta.dirname, '../..');
const GUIDES: Readonly<Record<string, string>> = {
  generate: 'docs/outputs.md',
  mock: 'docs/mocks.md',
  contract: 'docs/contract.md',
  coverage: 'docs/contract.md',
  proxy: 'docs/proxy.md',
  diff: 'docs/diff.md',
};

test.each(Object.keys(COMMANDS))('each option of specmill %s is in the README or in its guide', async (command) => {
  const { out } = await runCaptured(root, command, '--help');
  const options = [...out.matchAll(/^ +(--[a-z-]+)/gm)].map(([, option = '']) => option);
  const pages = new Set(['README.md', GUIDES[command] ?? 'README.md']);
  const text = [...pages].map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n');
  const isNamed = (option: string): boolean => new RegExp(`${option}(?![a-z-])`).test(text);

  expect(options).toContain('--json');
  expect(options.filter((option) => !isNamed(option))).toEqual([]);
});
