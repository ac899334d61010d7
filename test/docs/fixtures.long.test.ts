import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { generate } from '../../generator/generate.js';
import { tempFolder } from '../support/temp-folder.js';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/fixtures.md'), 'utf8');

test('the program of docs/fixtures.md prints what the page shows', async () => {
  const [, program = ''] = /^```ts fixtures\.ts\n(.*?)^```$/ms.exec(page) ?? [];
  const [, output = ''] = /^```txt\n(.*?)^```$/ms.exec(page) ?? [];
  const folder = tempFolder({});
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'fixtures.ts'), program);
  const shop = {
    spec: path.join(root, 'test/docs/shop.yaml'),
    output: 'generated/shop',
    only: ['types', 'fixtures'] as const,
  };
  await generate({ cwd: folder, config: { apis: { shop } } });
  const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, 'fixtures.ts'], { cwd: folder });
  expect(stdout).toBe(output);
});
