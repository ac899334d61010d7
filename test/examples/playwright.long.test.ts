import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { browserPath, hasBrowser } from '../support/browser.js';
import { hasPackages } from '../support/missing-packages.js';
import { tempFolder } from '../support/temp-folder.js';

const root = path.join(import.meta.dirname, '../..');
const packages = path.join(root, 'test/matrix/node_modules/@playwright');
const isPossible = hasBrowser && hasPackages('test/matrix');

/** The example in a project of its own, with this repository as its package. */
async function makeProject(): Promise<string> {
  const folder = tempFolder({});
  await cp(path.join(root, 'examples/playwright'), folder, { recursive: true });
  await mkdir(path.join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(root, path.join(folder, 'node_modules/specmill'));
  await symlink('../specmill/dist/cli/main.js', path.join(folder, 'node_modules/.bin/specmill'));
  await chmod(path.join(root, 'dist/cli/main.js'), 0o755);
  await symlink(packages, path.join(folder, 'node_modules/@playwright'));
  return folder;
}

test.runIf(isPossible)(
  'the tests of Playwright pass against a mock',
  async () => {
    const folder = await makeProject();
    const cli = path.join(folder, 'node_modules/@playwright/test/cli.js');
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, CHROMIUM: browserPath };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'test', '--reporter=json'], {
      cwd: folder,
      env,
    });
    const { stats } = JSON.parse(stdout) as { stats: { expected: number; unexpected: number; flaky: number } };
    expect(stats).toMatchObject({ expected: 3, unexpected: 0, flaky: 0 });
  },
  180_000,
);
