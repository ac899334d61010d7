import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const BIN = path.join(packageRoot, 'dist/cli/main.js');
const PROJECT = {
  'specmill.config.yaml': 'apis: { pets: { spec: pets.yaml, output: out, only: [types] } }',
  'pets.yaml': sampleSpec(),
};

// `npm test` builds first; a run of vitest alone may have no build.
describe.runIf(existsSync(BIN))('the built command prints its version and its help', { timeout: 30_000 }, () => {
  it.each([
    [['--version'], 0],
    [['generate', '--check'], 1],
    [['generate', '--chekc'], 2],
  ])('the command %j exits with status %d', (argv, status) => {
    const run = spawnSync(process.execPath, [BIN, ...argv], { cwd: tempFolder(PROJECT), encoding: 'utf8' });
    expect(run.status).toBe(status);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  it('prints no colour and no progress without a terminal', () => {
    const run = spawnSync(process.execPath, [BIN, 'generate'], { cwd: tempFolder(PROJECT), encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^API +files +changed +ms\npets [ \d]+\n$/);
  });

  it('stops watching on SIGINT with status 0', async () => {
    const child = spawn(process.execPath, [BIN, 'generate', '--watch'], { cwd: tempFolder(PROJECT) });
    const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (data: Buffer) => data.includes('watching') && resolve()),
    );
    child.kill('SIGINT');
    expect(await closed).toBe(0);
  });
});
