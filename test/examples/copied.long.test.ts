import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { browserPath, hasBrowser } from '../support/browser.js';
import { sampleOf } from '../support/sample-of.js';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The examples that people copy. Each has a package.json and a test of its own. CI takes half of them. */
const EXAMPLES = sampleOf(['react', 'hono', 'monorepo', 'playwright', 'ci'], 5);

/**
 * The examples as workspaces of one folder, so that one installation serves all. The tarball of this build replaces the
 * version that npm will have; nothing else differs from a copy.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-copied-'));

beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  for (const name of EXAMPLES) {
    cpSync(path.join(root, 'examples', name), path.join(folder, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
    const file = path.join(folder, name, 'package.json');
    const text = readFileSync(file, 'utf8');
    if (!text.includes('"specmill": "^')) throw new Error(`examples/${name} does not depend on specmill.`);
    writeFileSync(file, text.replace(/("specmill": )"[^"]*"/, `$1"file:${path.join(folder, tarball)}"`));
  }
  const workspaces = [...EXAMPLES, 'monorepo/packages/*', 'monorepo/services/*'];
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, workspaces }));
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(EXAMPLES.filter((name) => name !== 'playwright' || hasBrowser))(
  'the example %s installs the tarball and passes its own test',
  async (name) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, NO_COLOR: '1', CHROMIUM: browserPath, PORT: String(20_000 + (process.pid % 20_000)) };
    const { stdout } = await run('npm', ['test'], { cwd: path.join(folder, name), env });
    expect(stdout).toMatch(/\b[1-9]\d* passed|pass [1-9]/);
  },
  180_000,
);
