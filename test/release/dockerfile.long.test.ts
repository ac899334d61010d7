import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { type BuiltImage, buildImage } from './run-dockerfile.js';

/**
 * The steps of the Dockerfile, since this machine has no container engine and no base image. `npm ci` and the build take a minute,
 * and CI has run both already: their results are linked, and with SPECMILL_FULL=1 they run.
 */
const root = path.join(import.meta.dirname, '../..');
let image: BuiltImage;
let mock: ChildProcess | undefined;

beforeAll(() => {
  image = buildImage((command) => (process.env['SPECMILL_FULL'] === '1' ? command : withoutBuild(command)));
}, 300_000);

function withoutBuild(command: string): string {
  if (command.startsWith('npm ci')) return `ln -s ${JSON.stringify(path.join(root, 'node_modules'))} node_modules`;
  return command.replace(
    'npm pack',
    `cp -al ${JSON.stringify(path.join(root, 'dist'))} . && npm pack --ignore-scripts`,
  );
}

afterAll(() => {
  mock?.kill('SIGKILL');
  if (image !== undefined) rmSync(image.folder, { recursive: true, force: true });
});

it('the image has the package from the tarball, its optional peers, and nothing of the sources', () => {
  expect(readdirSync(path.join(image.root, 'app')).sort()).toEqual([
    'node_modules',
    'package-lock.json',
    'package.json',
  ]);
  const modules = readdirSync(path.join(image.root, 'app/node_modules'));
  expect(modules).toEqual(expect.arrayContaining(['specmill', 'lmdb', '@redis']));
  expect(modules).not.toContain('vitest');
});

it('a user without rights starts the command of the image, its health check passes, and SIGTERM ends it', async () => {
  // A free port in place of 8080: only one test of this machine could have that.
  const port = 20_000 + (process.pid % 20_000);
  const moved = (words: readonly string[]): string[] =>
    words.map((word) => (word.startsWith('/app/') ? image.root + word : word.replaceAll('8080', String(port))));
  const [program = '', ...args] = moved([...image.entrypoint, ...image.command]);
  // `nobody` where root runs the tests; else the user of the tests, who has no more rights.
  const isRoot = process.getuid?.() === 0;
  const rights = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  if (isRoot) openFolder(image.folder);
  expect(image.user).toBe('node');

  const child = spawn(program, args, {
    ...rights,
    cwd: path.join(image.root, 'app'),
    stdio: 'ignore',
    env: environment(),
  });
  mock = child;
  const ended = new Promise<number | null>((resolve) => void child.on('close', resolve));
  const isHealthy = (): number | null => {
    const [check = '', ...words] = moved(image.healthCheck);
    return spawnSync(check, words, { ...rights, env: environment() }).status;
  };
  await vi.waitFor(() => expect(isHealthy()).toBe(0), { timeout: 30_000, interval: 500 });
  expect(() => accessSync(path.join(image.root, 'app'), constants.R_OK)).not.toThrow();

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(isHealthy()).toBe(1);
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], NODE_ENV: 'production' };
}

/** Folders of mkdtemp are closed to other users. */
function openFolder(folder: string): void {
  chmodSync(folder, 0o755);
}
