import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { type EmitterDefinition, generate } from '../../entry/specmill.js';
import { compileFiles, compiles, emitFiles, emitText } from '../../entry/emitter-testing.js';
import { importModule } from '../../config/import-module.js';
import { defineEmitter } from '../../generator/emitter-kit/define-emitter.js';
import { tempFolder } from '../support/temp-folder.js';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/writing-an-emitter.md'), 'utf8');
const shop = path.join(import.meta.dirname, 'shop.yaml');
const blocks = [...page.matchAll(/^```(?:ts|yaml)\n([^`]*(?:`[^`]+)*?)^```$/gm)].map(([, text = '']) => text);

it('the first emitter of the page runs with the configuration of the page', async () => {
  const folder = tempFolder({ 'shop.yaml': readFileSync(shop, 'utf8'), 'emitters/paths.ts': blocks[0] ?? '' });
  writeFileSync(path.join(folder, 'specmill.config.yaml'), blocks[1] ?? '');
  const { apis } = await generate({ cwd: folder, only: ['types', 'paths'] });
  expect(apis[0]?.error).toBeUndefined();
  const text = readFileSync(path.join(folder, 'generated/shop/paths.ts'), 'utf8');
  expect(text).toContain("export const getOrderPath = '/v1/orders/{id}';");
});

it('the expectation of the test on the page holds', async () => {
  const file = path.join(tempFolder({ 'paths.ts': blocks[0] ?? '' }), 'paths.ts');
  const module = await importModule(file, { subject: 'The page', virtualModules: { specmill: { defineEmitter } } });
  const { default: paths } = module as { readonly default: EmitterDefinition<{ prefix: string }> };
  const expected = /toContain\(`(.*?)`\)/.exec(page)?.[1] ?? 'The page has no expectation.';
  expect(await emitText(paths, shop, { options: { prefix: '/v1' } })).toContain(expected);
});

it('compileFiles gives the errors of the type checker with their place', { timeout: 60_000 }, async () => {
  const emitter = (value: string): EmitterDefinition =>
    defineEmitter({
      name: 'sum',
      version: 1,
      requires: ['types'],
      emit: (_api, { file }) => void file('sum.ts').addStatements(`\nexport const sum: number = ${value};`),
    });
  const emit = (value: string): ReturnType<typeof emitFiles> => emitFiles(emitter(value), shop, { only: ['types'] });
  const [right, wrong] = [await emit('1'), await emit("'1'")];
  expect(await compiles(right)).toBe(true);
  const [error, ...others] = await compileFiles(wrong);
  expect(error).toMatch(/^sum\.ts:\d+: Type 'string' is not assignable to type 'number'\.$/);
  expect(others).toEqual([]);
});
