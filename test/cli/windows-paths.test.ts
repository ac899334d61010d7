import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeTo } from '../support/temp-folder.js';

/** Gives every module the paths of Windows: `node:path` is `path.win32`. */
const HOOKS = `
const WINDOWS = 'data:text/javascript,' + encodeURIComponent("import path from 'path'; export default path.win32;");
export const resolve = (name, context, next) =>
  name === 'node:path' ? { url: WINDOWS, shortCircuit: true } : next(name, context);
`;

const REGISTER = `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);`;

const built = (file: string): string => JSON.stringify(pathToFileURL(path.resolve('dist', file)).href);
const PROGRAM = `
import { isWithin } from ${built('model/document/address.js')};
import { showPath } from ${built('cli/format-place.js')};
import { pathInRepository } from ${built('cli/github.js')};
import { OutputPaths } from ${built('generator/output-path.js')};
const outputs = new OutputPaths('C:\\\\work\\\\api');
const tryOutput = (name) => { try { return outputs.resolve(name); } catch (error) { return error.name; } };
process.env.GITHUB_WORKSPACE = 'C:\\\\work';
console.log(JSON.stringify({
  within: [['C:\\\\work\\\\a', 'C:\\\\work'], ['C:\\\\works', 'C:\\\\work'], ['C:\\\\a', 'C:\\\\']].map((pair) => isWithin(...pair)),
  shown: ['C:\\\\work\\\\specs\\\\a.yaml', 'D:\\\\a.yaml', 'C:\\\\a.yaml'].map((file) => showPath(file, 'C:\\\\work')),
  inRepository: ['specs\\\\a.yaml', 'D:\\\\a.yaml'].map((file) => pathInRepository(file, { cwd: 'C:\\\\work' }) ?? null),
  outputs: ['types/a.ts', 'types\\\\a.ts', 'C:/a.ts', '../a.ts'].map(tryOutput),
}));
`;

describe('on Windows', () => {
  let found: Readonly<Record<string, readonly unknown[]>>;

  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-windows-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    for (const [name, text] of Object.entries({ 'hooks.mjs': HOOKS, 'register.mjs': REGISTER, 'program.mjs': PROGRAM }))
      writeTo(folder, name, text);
    const args = ['--import', pathToFileURL(path.join(folder, 'register.mjs')).href, path.join(folder, 'program.mjs')];
    found = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as typeof found;
  });

  it('a folder holds what is below it, and not a folder whose name begins alike', () => {
    expect(found['within']).toEqual([true, false, true]);
  });

  it('a message shows a path below the working directory in its short form, and others whole', () => {
    expect(found['shown']).toEqual([String.raw`specs\a.yaml`, String.raw`D:\a.yaml`, String.raw`C:\a.yaml`]);
  });

  it('an annotation of GitHub has a path with slashes, and none for a file outside of the repository', () => {
    expect(found['inRepository']).toEqual(['specs/a.yaml', null]);
  });

  it('a file of an output is inside of its folder, whatever separator its name has', () => {
    expect(found['outputs']).toEqual([String.raw`C:\work\api\types\a.ts`, 'InputError', 'InputError', 'InputError']);
  });
});
