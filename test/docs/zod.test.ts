import { readFileSync } from 'node:fs';

import { afterAll, expect, it } from 'vitest';

import { generate } from '../../generator/generate.js';
import { OutputFolder } from '../support/output-folder.js';

const output = new OutputFolder();
afterAll(() => output[Symbol.dispose]());

it('the code of docs/zod.md runs, and shows what it says', async () => {
  output.linkPackages();
  output.write('shop.yaml', readFileSync('test/docs/shop.yaml', 'utf8'));
  const shop = { spec: 'shop.yaml', output: 'generated/shop', only: ['zod'] };
  const { apis } = await generate({ cwd: output.folder, config: { apis: { shop } } });
  expect(apis.map(({ status }) => status)).toEqual(['written']);
  const blocks = [...readFileSync('docs/zod.md', 'utf8').matchAll(/^```ts\n([^`]*)^```$/gm)];
  expect(blocks).toHaveLength(1);
  output.write('page.ts', blocks[0]?.[1] ?? '');
  const { shown } = await output.run<{ shown: unknown[] }>('page.ts');
  expect(shown).toEqual(['tea', false, 2, 'gone', ['id', 'at']]);
});
