import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  for (const [name, text] of blocks) if (!name.endsWith('output')) await writeFile(path.join(folder, name), text);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await specmill(path.join(root, 'cli/main.ts'), 'generate');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a TypeScript file in the folder of the guide, where `specmill/mock` is the one of this repository. */
async function specmill(file: string, ...args: readonly string[]): Promise<string> {
  const JITI_ALIAS = JSON.stringify({ 'specmill/mock': path.join(root, 'entry/mock.ts') });
  const { stdout } = await run(process.execPath, [path.join(modules, 'jiti/lib/jiti-cli.mjs'), file, ...args], {
    cwd: folder,
    env: { ...process.env, JITI_ALIAS },
  });
  return stdout;
}

test('the guide has the code blocks that it mentions', () => {
  expect([...blocks.keys()]).toEqual([
    ...['tasks.yaml', 'specmill.config.yaml', 'tasks.mock.ts', 'try.ts', 'output'],
    ...['notes.yaml', 'notes.mock.ts', 'try-notes.ts', 'notes-output'],
  ]);
});

test.each([
  ['try.ts', 'output'],
  ['try-notes.ts', 'notes-output'],
])('the program %s prints what the guide shows', async (program, output) => {
  expect(await specmill(path.join(folder, program))).toBe(blocks.get(output));
});

test('the code of the guide compiles under the strictest flags', async () => {
  const { compilerOptions } = JSON.parse(await readFile(path.join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object;
  };
  const paths = { 'specmill/mock': [path.join(root, 'entry/mock.ts')] };
  const options = {
    ...compilerOptions,
    isolatedDeclarations: false,
    declaration: false,
    typeRoots: [path.join(modules, '@types')],
    paths,
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['tasks.mock.ts', 'try.ts', 'notes.mock.ts', 'try-notes.ts'] }),
  );
  const { stdout } = await run(process.execPath, [path.join(modules, 'typescript/bin/tsc'), '-p', folder], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  // What is wrong in specmill itself is for its own type check to say.
  expect(stdout.split('\n').filter((line) => line !== '' && !/^(?:\.\.|\/|\s)/.test(line))).toEqual([]);
});
