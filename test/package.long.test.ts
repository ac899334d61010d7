import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

it('npm pack in a fresh clone makes a package with its build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-clone-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder]);
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const text = execFileSync('npm', ['pack', '--json', '--loglevel', 'error'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const files = /"path": "dist\/(?:cli\/main|entry\/specmill)\.js"/g;

    expect(text.match(files)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
