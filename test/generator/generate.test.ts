import { readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Emitter } from '../../generator/emitter.js';
import { type GenerateOptions, type GenerateResult, generate } from '../../entry/specmill.js';
import type { ApiConfig } from '../../config/config-types.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

/** Generates the types of pets.yaml into `out`. */
async function run(
  cwd: string,
  api: Partial<ApiConfig<Emitter>> = {},
  options: GenerateOptions = {},
): Promise<GenerateResult['apis'][number]> {
  const config = { apis: { pets: { spec: 'pets.yaml', output: 'out', only: ['types'], ...api } } };
  const { apis } = await generate({ cwd, config, ...options });
  const [result] = apis;
  if (result === undefined) throw new Error('no result');
  return result;
}

function read(folder: string, name: string): string {
  return readFileSync(path.join(folder, 'out', name), 'utf8');
}

describe('generate', () => {
  it('emits the chosen parts, an index and a README', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec({ title: '<script>Pets</script> `x`' }) });
    expect((await run(folder)).status).toBe('written');
    expect(readdirSync(path.join(folder, 'out')).toSorted()).toEqual(
      expect.arrayContaining(['.specmill.json', 'README.md', 'index.ts', 'types.ts']),
    );
    expect(read(folder, 'index.ts')).toMatch(/export \* from '\.\/types\.js';\n$/);
    expect(read(folder, 'README.md')).toContain(String.raw`# \<script\>Pets\</script\> \`x\``);
  });

  it.each<[string, (folder: string) => void, string]>([
    ['nothing', () => {}, 'unchanged'],
    ['the time of the spec', (folder) => utimesSync(path.join(folder, 'pets.yaml'), 1, 1), 'unchanged'],
    ['the spec', (folder) => writeTo(folder, 'pets.yaml', sampleSpec({ description: 'Other.' })), 'out-of-date'],
    ['an output file', (folder) => writeTo(folder, 'out/types.ts', 'edited'), 'out-of-date'],
    ['a deleted output file', (folder) => rmSync(path.join(folder, 'out/README.md')), 'out-of-date'],
    ['the deleted manifest', (folder) => rmSync(path.join(folder, 'out/.specmill.json')), 'out-of-date'],
    ['a file of the user', (folder) => writeTo(folder, 'out/mine.ts', ''), 'unchanged'],
  ])('--check notices a change, or none: %s', async (_what, change, status) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    await run(folder);
    change(folder);
    expect((await run(folder, {}, { check: true })).status).toBe(status);
    expect((await run(folder)).status).not.toBe('failed');
    expect((await run(folder, {}, { check: true })).status).toBe('unchanged');
  });

  it('--check notices a change of the options', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    await run(folder);
    expect((await run(folder, { exclude: ['write'] }, { check: true })).status).toBe('out-of-date');
    expect((await run(folder, { only: ['types', 'client'] }, { check: true })).status).toBe('out-of-date');
  });

  it('writes the same bytes on every machine: no time and no absolute path', async () => {
    const [one, two] = [tempFolder({ 'pets.yaml': sampleSpec() }), tempFolder({ 'pets.yaml': sampleSpec() })];
    await Promise.all([run(one), run(two)]);
    expect(read(one, '.specmill.json')).toBe(read(two, '.specmill.json'));
    expect(read(one, '.specmill.json')).not.toContain(one);
  });

  it('writes a whole output if several runs happen at once', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    await Promise.all([run(folder), run(folder), run(folder)]);
    expect((await run(folder, {}, { check: true })).status).toBe('unchanged');
  });

  it.each<[string, Partial<ApiConfig<Emitter>>, string[], string[]]>([
    ['all', {}, ['Pet', 'Owner'], []],
    ['an included tag', { include: { tags: ['read'] } }, ['Pet'], ['Owner']],
    ['an included path', { include: { paths: ['/owners/**'] } }, ['Owner'], ['Pet']],
    ['an included operation', { include: { operations: ['get*'] } }, ['Pet'], ['Owner']],
    ['a list of all three', { include: ['/pets/*'] }, ['Pet'], ['Owner']],
    ['an excluded tag', { exclude: ['write'] }, ['Pet'], ['Owner']],
  ])('keeps the operations chosen by %s, and the schemas that they reach', async (_what, api, kept, dropped) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    await run(folder, api);
    for (const name of kept) expect(read(folder, 'types.ts')).toMatch(new RegExp(`export (interface|type) ${name}\\b`));
    for (const name of dropped) expect(read(folder, 'types.ts')).not.toContain(`${name} `);
  });

  it('fails if the filters leave no operation', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    expect((await run(folder, { include: ['read'], exclude: ['read'] })).error?.message).toMatch(/leave no operation/);
  });

  it('runs emitters of the user in every run', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    let names = 'first';
    const emitters: Emitter[] = [
      {
        name: 'names',
        emit: (api) => [{ path: 'names.json', key: 'k', contents: JSON.stringify([names, ...api.schemas.keys()]) }],
      },
    ];
    await run(folder, { emitters, only: ['names'] });
    expect(read(folder, 'names.json')).toBe('["first","Pet","Owner"]');
    names = 'second';
    expect((await run(folder, { emitters, only: ['names'] })).changes[0]).toEqual({
      path: 'names.json',
      kind: 'changed',
    });
  });

  it('runs emitters of the user despite "only" of the configuration, but not despite "only" of the caller', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const emitters: Emitter[] = [{ name: 'names', emit: () => [{ path: 'names.txt', contents: 'own' }] }];
    const config = { apis: { pets: { spec: 'pets.yaml', output: 'out', only: ['types', 'client'], emitters } } };
    const paths = async (only?: string[]): Promise<(string | undefined)[]> => {
      const { apis } = await generate({ cwd: folder, config, ...(only === undefined ? {} : { only }) });
      expect(apis[0]?.error).toBeUndefined();
      return readdirSync(path.join(folder, 'out'));
    };
    const all = await paths();
    expect(all).toEqual(expect.arrayContaining(['client.ts', 'names.txt', 'types.ts']));
    expect(all).not.toContain('validators.ts');
    expect(await paths(['types'])).not.toContain('names.txt');
    expect(await paths(['names'])).toContain('names.txt');
  });

  it.each<[string, Emitter['emit']]>([
    [
      'fails',
      () => {
        throw new Error('no luck');
      },
    ],
    [
      'fails later',
      () => [
        {
          path: 'a',
          contents: () => {
            throw new Error('no luck');
          },
        },
      ],
    ],
  ])('names the emitter of the user that %s', async (_what, emit) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const result = await run(folder, { emitters: [{ name: 'mine', emit }], only: ['mine'] });
    expect(result).toMatchObject({ status: 'failed', error: { message: 'The emitter "mine" failed: no luck' } });
  });

  it.each<[string, unknown]>([
    ['a text', 'export const a = 1;'],
    ['nothing', undefined],
    ['a list of texts', ['a']],
    ['a file without contents', [{ path: 'a.ts' }]],
    ['contents that are no text', [{ path: 'a.ts', contents: () => undefined }]],
  ])('says what an emitter of the user must return if it returns %s', async (_what, returned) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const emit = (() => returned) as Emitter['emit'];
    const result = await run(folder, { emitters: [{ name: 'mine', emit }], only: ['mine'] });
    expect(result).toMatchObject({ status: 'failed', error: { name: 'InputError' } });
    expect(result.error?.message).toMatch(/^The emitter "mine" must return a list of files: objects with a path/);
  });

  it.each<[string, string, string]>([
    ['keys.ts', 'export const = ;\n', 'keys.ts:1:14: Variable declaration expected.'],
    ['deep/page.tsx', '\nexport const a = <b>;\n', 'deep/page.tsx:2:'],
    ['plain.mjs', 'const a = 1;\nfunction {', 'plain.mjs:2:10: Identifier expected.'],
  ])('an emitter of the user whose %s does not parse is named, and nothing is written', async (file, text, said) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const emitters: Emitter[] = [{ name: 'mine', emit: () => [{ path: file, contents: text }] }];
    const { status, error } = await run(folder, { emitters, only: ['types', 'mine'] });
    expect(status).toBe('failed');
    expect(error?.message).toContain(`The emitter "mine" made a file that does not parse: ${said}`);
    expect(readdirSync(folder)).toEqual(['pets.yaml']);
  });

  it('a file of an emitter of the user that parses, or is no code, is written', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const files = [
      { path: 'own.d.ts', contents: 'export declare const a: string;\n' },
      { path: 'own.ts', contents: () => 'export const a: number = 1 as never;\n' },
      { path: 'own.txt', contents: 'export const = ;\n' },
    ];
    const result = await run(folder, { emitters: [{ name: 'mine', emit: () => files }], only: ['types', 'mine'] });
    expect([result.status, result.error]).toEqual(['written', undefined]);
  });

  it('keeps the old output if an emitter fails', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    await run(folder);
    const before = read(folder, '.specmill.json');
    const emitters: Emitter[] = [{ name: 'bad', emit: () => [{ path: '../escape.ts', contents: '' }] }];
    const result = await run(folder, { emitters, only: ['types', 'bad'] });
    expect(result).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('../escape.ts') } });
    expect(read(folder, '.specmill.json')).toBe(before);
  });
});
