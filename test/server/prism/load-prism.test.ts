import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { packageRoot } from '../../../model/package-info.js';
import { isBuilt } from '../../support/specmill-process.js';

/** Loads Prism in a process in which nothing is loaded yet. Prints what it saw as JSON. */
const LOAD = `
import { createRequire } from 'node:module';
import { loadPrismMock } from ${JSON.stringify(pathToFileURL(path.join(packageRoot, 'dist/server/prism/load-prism.js')))};
let turns = 0;
let isLoading = true;
const count = () => {
  turns += 1;
  if (isLoading) setImmediate(count);
};
setImmediate(count);
const mock = await loadPrismMock();
isLoading = false;
const isSame = (await loadPrismMock()) === mock;
const files = Object.keys(createRequire(import.meta.url).cache);
console.log(JSON.stringify({ type: typeof mock, turns, isSame, files }));
`;

test.runIf(isBuilt)(
  'Prism is loaded in several turns of the event loop, without its lists of random words',
  async () => {
    const args = ['--input-type=module', '--eval', LOAD];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot });
    const { type, turns, isSame, files } = JSON.parse(stdout) as {
      readonly type: string;
      readonly turns: number;
      readonly isSame: boolean;
      readonly files: readonly string[];
    };
    expect([type, isSame]).toEqual(['function', true]);
    expect(turns).toBeGreaterThan(5);
    expect(files.some((file) => file.includes(path.join('dist', 'prism', 'mocker.cjs')))).toBe(true);
    expect(files.filter((file) => file.includes('@faker-js'))).toEqual([]);
  },
);
