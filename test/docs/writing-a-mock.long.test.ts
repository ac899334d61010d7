import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const modules = path.join(root, 'node_modules');
const run = promisify(execFile);

/** The blocks of the guide, by the name that stands after their language. */
async function readBlocks(): Promise<ReadonlyMap<string, string>> {
  const guide = await readFile(path.join(root, 'docs/writing-a-mock.md'), 'utf8');
  return new Map([...guide.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]));
}

let folder = '';
let blocks: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-guide-'));
  blocks = await readBlocks();
  await mkdir(path.join(folder, 'generated'));
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(root, path.join(folder, 'node_modules/specmill'));
  for (const [name, text] of blocks) if (!name.endsWith('output')) await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await runNode(path.join(root, 'dist/cli/main.js'), 'generate');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the folder of the guide, where `specmill` is the build of this repository. */
async function runNode(...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd: folder })).stdout;
}

const jiti = path.join(modules, 'jiti/lib/jiti-cli.mjs');

test('the guide has the code blocks that it mentions', () => {
  expect([...blocks.keys()]).toEqual([
    'fifty.mjs',
    ...['tasks.yaml', 'specmill.config.yaml', 'tasks.mock.ts', 'try.ts', 'output'],
    ...['notes.yaml', 'notes.mock.ts', 'try-notes.ts', 'notes-output'],
  ]);
});

test.each([
  ['try.ts', 'output'],
  ['try-notes.ts', 'notes-output'],
])('the program %s prints what the guide shows', async (program, output) => {
  expect(await runNode(jiti, path.join(folder, program))).toBe(blocks.get(output));
});

test('the lines of plain JavaScript print what the guide says', async () => {
  expect(await runNode(path.join(folder, 'fifty.mjs'))).toBe('50 200 409\n');
});

test('the code of the guide compiles under the strictest flags', async () => {
  const { compilerOptions } = JSON.parse(await readFile(path.join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object;
  };
  const options = {
    ...compilerOptions,
    isolatedDeclarations: false,
    declaration: false,
    typeRoots: [path.join(modules, '@types')],
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['tasks.mock.ts', 'try.ts', 'notes.mock.ts', 'try-notes.ts'] }),
  );
  const { stdout } = await run(process.execPath, [path.join(modules, 'typescript/bin/tsc'), '-p', folder], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
