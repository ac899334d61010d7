import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'examples/vitest');
const run = promisify(execFile);

/** As in a shell of the user: vitest tells its workers by the environment that they are such. */
const { PATH, HOME } = process.env;
const options = { cwd: folder, env: { PATH, HOME, CI: 'true', NO_COLOR: '1' } };

test('the suite with parallel workers passes', async () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], options);
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(stdout) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: readonly { readonly name: string }[];
  };
  expect({ numPassedTests, numFailedTests }).toEqual({ numPassedTests: 10, numFailedTests: 0 });
  expect(testResults.map(({ name }) => path.relative(folder, name)).toSorted()).toEqual([
    'deadlines.test.ts',
    'faults.test.ts',
    'search.test.ts',
    'tasks/tasks.test.ts',
  ]);
});
