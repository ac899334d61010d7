import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { type ApiResult, defineEmitter, generate } from '../../../entry/specmill.js';
import { sampleSpec } from '../../support/sample-spec.js';
import { tempFolder } from '../../support/temp-folder.js';

const body = (name: string): string =>
  `{ name: '${name}', version: 1, options: { text: { type: 'string', default: 'plain' }, size: { type: 'integer' } },
     emit: (api, { options, file }) => void file('${name}.ts').addStatements(\`export const said = '\${options.text}';\`) }`;

/** Emitters as packages and files of all kinds of modules, beside a configuration. */
const FILES = {
  'pets.yaml': sampleSpec(),
  'node_modules/specmill-emitter-cjs/package.json': '{ "main": "index.js" }',
  'node_modules/specmill-emitter-cjs/index.js': `const { defineEmitter } = require('specmill'); module.exports = defineEmitter(${body('cjs')});`,
  'node_modules/@a/esm/package.json': '{ "type": "module", "exports": { "import": "./main.mjs" } }',
  'node_modules/@a/esm/main.mjs': `import { defineEmitter } from 'specmill'; export default defineEmitter(${body('esm')});`,
  'node_modules/typed/package.json': '{ "type": "module", "exports": "./main.ts" }',
  'node_modules/typed/main.ts': `import { defineEmitter } from 'specmill'; const emitter: object = ${body('typed')}; export default defineEmitter(emitter as never);`,
  'tools/mine.ts': `import { type EmitterApi, defineEmitter } from 'specmill'; export default defineEmitter(${body('mine')});`,
  'tools/pure.cjs': `exports.name = 'pure'; exports.emit = (api) => [{ path: 'pure.txt', contents: api.title }];`,
};

async function run(
  emitters: string,
  others: Readonly<Record<string, string>> = {},
): Promise<{ folder: string; api: ApiResult }> {
  const folder = tempFolder({
    ...FILES,
    ...others,
    'conf/specmill.config.yaml': `apis: { pets: { spec: ../pets.yaml, output: out, only: [types], emitters: ${emitters} } }`,
  });
  const { apis } = await generate({ cwd: path.join(folder, 'conf') });
  const [api] = apis;
  if (api === undefined) throw new Error('There is no result.');
  return { folder, api };
}

describe('emitters in a configuration', () => {
  it('are packages of every kind of module, with and without their prefix, and files from the folder of the configuration', async () => {
    const { folder, api } = await run(`[cjs, '@a/esm', [typed, { text: told }], ../tools/mine.ts, ../tools/pure.cjs]`);
    expect([api.status, api.error]).toEqual(['written', undefined]);
    const read = (file: string): string => readFileSync(path.join(folder, 'conf/out', file), 'utf8');
    expect(read('typed.ts')).toContain(`export const said = 'told';`);
    for (const name of ['cjs', 'esm', 'mine']) expect(read(`${name}.ts`)).toContain(`export const said = 'plain';`);
    expect(read('pure.txt')).toBe('Pets');
  });

  it.each([
    [
      `[nope]`,
      /^There is no emitter "nope": it is neither built in nor a package that is installed for .*conf\. A file is named by its path/,
    ],
    [`[./gone.ts]`, /^The emitter "\.\/gone\.ts" cannot be loaded: /],
    [`[../pets.yaml]`, /^The emitter "\.\.\/pets\.yaml" /],
    [`[[cjs, { txt: a }]]`, /^The emitter "cjs" has no option "txt"\. Did you mean text\?$/],
    [`[[cjs, { text: 1 }]]`, /^The option text of the emitter "cjs" must be a text\.$/],
    [`[[../tools/pure.cjs, { text: a }]]`, /^The emitter "pure" has no option "text"\. It has no options\.$/],
    [`[../tools/mine.ts, ../tools/mine.ts]`, /^There are two emitters named "mine"/],
    [
      `[../tools/new.mjs]`,
      /^The emitter "\.\.\/tools\/new\.mjs" is written for version 2 of the contract of emitters, but this specmill has version 1\.$/,
    ],
    [`[../tools/empty.mjs]`, /^The emitter "\.\.\/tools\/empty\.mjs" exports no emitter: /],
  ])('%s is refused with one sentence and its place', async (emitters, said) => {
    const failed = run(emitters, {
      'tools/new.mjs': `export default { name: 'new', version: 2, emit() {} };`,
      'tools/empty.mjs': 'export const name = 1;',
    });
    await expect(failed).rejects.toThrow(said);
  });

  it('an error names the line of the configuration', async () => {
    const error = await run(`[[cjs, { txt: a }]]`).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ place: { line: 1, pointer: '/apis/pets/emitters/0' } });
  });

  it('run after what they require, which runs even if it was not chosen', async () => {
    const order: string[] = [];
    const note = (name: string, requires: readonly string[]) =>
      defineEmitter({ name, version: 1, requires, emit: () => void order.push(name) });
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const api = (emitters: readonly ReturnType<typeof note>[], only: readonly string[]) => ({
      cwd: folder,
      config: { apis: { pets: { spec: 'pets.yaml', output: 'out', only: ['types'], emitters } } },
      only,
    });
    await generate(api([note('last', ['first', 'validators']), note('first', []), note('other', [])], ['last']));
    expect(order).toEqual(['first', 'last']);
    expect(readdirSync(path.join(folder, 'out'))).toContain('validators.ts');
    await expect(generate(api([note('a', ['b']), note('b', ['a'])], ['a']))).rejects.toThrow(
      'The emitters a -> b -> a require each other.',
    );
    await expect(generate(api([note('a', ['validater'])], ['a']))).rejects.toThrow(
      'The emitter "a" requires "validater", which is not an emitter of this API. Did you mean validators?',
    );
  });

  it('a package that the output needs and that is missing or too old is a diagnostic, and an error with strict', async () => {
    const emitter = defineEmitter({
      name: 'peers',
      version: 1,
      peers: { here: '>=2.1', old: '>=2.1', gone: '>=1' },
      emit: (_api, { file }) => void file('peers.ts').addStatements('export {};'),
    });
    const folder = tempFolder({
      'pets.yaml': sampleSpec(),
      'node_modules/here/package.json': '{ "version": "2.10.0" }',
      'node_modules/old/package.json': '{ "version": "2.0.9" }',
    });
    const config = { apis: { pets: { spec: 'pets.yaml', output: 'out', emitters: [emitter] } } };
    const [loose] = (await generate({ cwd: folder, config })).apis;
    const found = loose?.diagnostics.filter(({ code }) => code === 'peer-missing').map(({ message }) => message);
    expect([loose?.status, found]).toEqual([
      'written',
      [
        'peers.ts needs the package old >= 2.1; version 2.0.9 is installed here.',
        'peers.ts needs the package gone >= 1; it is not installed here.',
      ],
    ]);
    expect((await generate({ cwd: folder, config, strict: true })).apis[0]?.status).toBe('failed');
  });
});
