import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { sampleSpec } from '../support/sample-spec.js';
import { TEXT, listOf, object, smallSpec } from '../support/small-spec.js';
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

  // Help loads 11 files of 293 kB; Node itself takes 0.13 s of processor time.
  it.each([[['--help']], [['--version']], [['generate', '--help']]])(
    'the command %j loads few and small files',
    (argv) => {
      const files = filesLoadedBy(argv, tempFolder());
      expect(files).toContain(BIN);
      expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
      expect(files.length).toBeLessThanOrEqual(20);
      expect(files.reduce((total, file) => total + statSync(file).size, 0)).toBeLessThan(300_000);
    },
  );

  it('generates a client with helpers without loading ts-morph', () => {
    const integer = { type: 'integer' };
    const listBooks = { returns: listOf(object({ id: TEXT })), query: { offset: integer, limit: integer } };
    const folder = tempFolder({ 'books.json': JSON.stringify(smallSpec({ 'GET /books listBooks': listBooks })) });
    const argv = ['generate', '--spec', 'books.json', '--out', 'out', '--only', 'types,client'];
    const files = filesLoadedBy(argv, folder);
    expect(existsSync(path.join(folder, 'out/helpers.ts'))).toBe(true);
    expect(files.filter((file) => file.includes('ts-morph'))).toEqual([]);
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

/** The files that a command loads, from what Node writes for NODE_V8_COVERAGE. */
function filesLoadedBy(argv: readonly string[], cwd: string): readonly string[] {
  const reports = tempFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: reports };
  expect(spawnSync(process.execPath, [BIN, ...argv], { cwd, env }).status).toBe(0);
  return readdirSync(reports).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(path.join(reports, name), 'utf8')) as CoverageReport;
    return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
  });
}

interface CoverageReport {
  readonly result: readonly { readonly url: string }[];
}
