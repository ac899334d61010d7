import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startMock } from '../../entry/mock.js';

const root = path.join(import.meta.dirname, '../..');
let folder: string;

/** The programs, in a folder that has the libraries. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'specmill-clients-'));
  cpSync(path.join(root, 'examples/clients'), folder, { recursive: true });
  symlinkSync(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['octokit.mjs', 'notifications', 'github', ['notifications: 200 true']],
  ['bigquery.mjs', 'tables', 'google', ['table: p:d.boats']],
  ['genai.mjs', 'generation', 'google,header=goog', ['text: string', 'embeddings: 8, 8']],
] as const)('the program examples/clients/%s works against the mock of %s', async (program, api, vendor, printed) => {
  await using mock = await startMock(api, { port: 0, vendor });
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, program), mock.url]);
  expect(stdout.trim().split('\n')).toEqual(printed);
});
