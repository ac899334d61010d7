import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { packageRoot } from '../../../model/package-info.js';
import { runShellLines } from '../../support/run-shell-lines.js';
import { serveFetch } from '../../support/serve-fetch.js';
import { tempFolder } from '../../support/temp-folder.js';
import { CONTROL, findMutant, plantMutant } from '../mutants.js';

const SPEC = path.join(import.meta.dirname, '../specs/library.yaml');
const run = promisify(execFile);

const NAMES = ['a ghost after delete', 'a lost update', 'a created item is not available', 'a mistyped number'];

test('vitest runs the pasted tests of findings, and a shell runs their commands', async () => {
  await using mock = await startMock(await loadApi(SPEC), { noRateLimit: true });
  const folder = tempFolder();
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(packageRoot, path.join(folder, 'node_modules/specmill'));
  await symlink(path.join(packageRoot, 'node_modules/vitest'), path.join(folder, 'node_modules/vitest'));
  await using clean = await serveFetch(plantMutant(CONTROL, mock.fetch), mock.url);
  for (const name of NAMES) {
    await using broken = await startMock(await loadApi(SPEC), { noRateLimit: true });
    await using server = await serveFetch(plantMutant(findMutant(name), broken.fetch), broken.url);
    const { findings } = await runContract({ spec: SPEC, url: server.url, phases: ['stateful'], maxExamples: 15 });
    expect(findings.length).toBeGreaterThan(0);
    // Servers that have never seen the run.
    const reset = async (): Promise<void> => void (await Promise.all([broken.reset(), mock.reset()]));
    for (const { curl, actual, expected } of findings.filter(
      (one) => one.pointer === '' && /^\d{3}$/.test(one.actual),
    )) {
      await reset();
      expect(await runShellLines(curl, folder)).toContain(`HTTP/1.1 ${actual}`);
      expect(await runShellLines(curl.replaceAll(server.url, clean.url), folder), curl).toContain(
        `HTTP/1.1 ${expected}`,
      );
    }
    await reset();
    const code = findings.map((finding) => finding.test);
    expect(await runVitest(folder, code)).toBe(`0 passed, ${code.length} failed`);
    const there = code.map((one) => one.replaceAll(server.url, clean.url));
    expect(await runVitest(folder, there)).toBe(`${code.length} passed, 0 failed`);
  }
}, 300_000);

async function runVitest(folder: string, tests: readonly string[]): Promise<string> {
  const text = ["import { expect, test } from 'vitest';", ...tests, ''].join('\n');
  await writeFile(path.join(folder, 'findings.test.js'), text);
  const bin = path.join(packageRoot, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(
    process.execPath,
    [bin, 'run', '--reporter=json', '--testTimeout=60000', '--root', folder],
    {
      cwd: folder,
    },
  ).catch((error: { stdout: string }) => error);
  const { numPassedTests, numFailedTests } = JSON.parse(stdout) as { numPassedTests: number; numFailedTests: number };
  return `${numPassedTests} passed, ${numFailedTests} failed`;
}
