import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeTo } from '../support/temp-folder.js';

/** A project with specmill and three emitters of others, each installed from a tarball as users do. */
const root = path.resolve(import.meta.dirname, '../..');
const project = mkdtempSync(path.join(tmpdir(), 'specmill-emitters-'));
const folders = ['valibot', 'arktype', 'permissions'].map((name) => path.join(root, 'examples/emitters', name));
const run = promisify(execFile);

const CONFIG = `
apis:
  signing: { spec: '${root}/specs/signing/openapi.yaml', output: signing, emitters: &all [valibot, '@example/arktype-schemas', permissions] }
  generation: { spec: '${root}/specs/generation/openapi.yaml', output: generation, emitters: *all }
`;

const PROGRAM = `
import * as v from 'valibot';
import * as ark from './signing/arktype.js';
import { caseFixture, signingPermissions } from './signing/index.js';
import { caseSchema } from './signing/valibot.js';
const wrong = { ...caseFixture(), SignInSequence: 'yes' };
console.log(JSON.stringify([
  v.is(caseSchema, caseFixture()), v.is(caseSchema, wrong),
  ark.schemas.Case.allows(caseFixture()), ark.schemas.Case.allows(wrong),
  signingPermissions.getcase.anyOf,
]));
`;

beforeAll(() => {
  const tarballs = [root, ...folders].map((folder) => {
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], {
      cwd: folder,
      encoding: 'utf8',
    });
    return `./${packed.trim().split('\n').at(-1)}`;
  });
  writeTo(project, 'package.json', '{ "private": true, "type": "module" }');
  writeTo(project, 'specmill.config.yaml', CONFIG);
  writeTo(project, 'main.ts', PROGRAM);
  const packages = [...tarballs, 'valibot@1.5.0', 'arktype@2.2.9', 'typescript@5.9.3', '@types/node@20'];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: project });
}, 300_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('emitters of others', () => {
  it.each(folders)('%s has at most 120 lines', (folder) => {
    const code = readdirSync(folder).find((file) => /\.(ts|mjs|cjs)$/.test(file)) ?? '';
    expect(readFileSync(path.join(folder, code), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });

  it('generate, compile and run from packages in TypeScript, as an ES module and in CommonJS', async () => {
    const { stderr } = await run('npx', ['specmill', 'generate', '--json'], { cwd: project });
    expect(stderr).not.toContain('peer-missing');
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022'];
    const compiled = await run('npx', ['tsc', ...flags, '--module', 'nodenext', 'main.ts'], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(compiled.stdout).toBe('');
    await run(
      path.join(root, 'node_modules/.bin/esbuild'),
      ['main.ts', '--bundle', '--format=esm', '--outfile=main.mjs'],
      { cwd: project },
    );
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual([true, false, true, false, [{ basic: [] }]]);
  }, 120_000);
});

describe('an ejected emitter', () => {
  it('is source that compiles, and emits the same bytes as the built-in one', async () => {
    const names = ['msw', 'tanstack-query', 'zod', 'server'];
    for (const name of names) await run('npx', ['specmill', 'emitters', 'eject', name], { cwd: project });
    const ejected = names.map((name) => `./emitters/${name}/${name}.ts`);
    const outputs = await Promise.all(
      Object.entries({ own: ejected, 'built-in': names }).map(async ([output, emitters]) => {
        const signing = { spec: path.join(root, 'specs/signing/openapi.yaml'), output, only: ['types'], emitters };
        writeTo(project, `${output}.json`, JSON.stringify({ apis: { signing } }));
        await run('npx', ['specmill', 'generate', '--config', `${output}.json`], { cwd: project });
        return readOutput(path.join(project, output));
      }),
    );
    const [own, builtIn] = outputs;
    expect(Object.keys(own ?? {})).toEqual(expect.arrayContaining(['msw.ts', 'query.ts', 'server.ts', 'zod.ts']));
    expect(own).toEqual(builtIn);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
    await expect(run('npx', ['tsc', ...flags, ...ejected], { cwd: project })).resolves.toMatchObject({ stdout: '' });
  }, 120_000);
});

/** The texts of an output by their paths, without the manifest, which has the hash of the configuration. */
function readOutput(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}
