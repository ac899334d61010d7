import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, expect, it } from 'vitest';

import { generate } from '../entry/specmill.js';

const goldens = path.join(import.meta.dirname, 'golden');
const work = mkdtempSync(path.join(tmpdir(), 'specmill-golden-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Every file of a folder with its text, by relative path. */
function readFolder(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(
    files.map((file) => [path.relative(folder, file).replaceAll(path.sep, '/'), readFileSync(file, 'utf8')]),
  );
}

const MANIFEST = '.specmill.json';

/**
 * Runtime modules have their own tests; that they are there is enough. The manifest repeats the other files, and names
 * the spec by its path from where the output lies, which is another one on each run.
 */
function comparable(files: Record<string, string>): Record<string, string> {
  const kept = Object.entries(files).filter(([name]) => name !== MANIFEST);
  return Object.fromEntries(kept.map(([name, text]) => [name, name.startsWith('runtime/') ? '' : text]));
}

describe.each(readdirSync(goldens))('%s', (name) => {
  const folder = path.join(goldens, name);
  const spec = path.join(folder, readdirSync(folder).find((file) => file.startsWith('spec.')) ?? 'spec.yaml');
  const expected = path.join(folder, 'output');

  it('generates exactly the files of its golden folder (npm run golden refreshes them)', async () => {
    const output = path.join(work, name);
    const settings = path.join(folder, 'options.json');
    const options = existsSync(settings) ? (JSON.parse(readFileSync(settings, 'utf8')) as object) : {};
    const { apis } = await generate({ config: { apis: { [name]: { spec, output, ...options } } } });
    expect(apis.map(({ status, error }) => [status, error])).toEqual([['written', undefined]]);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      rmSync(expected, { recursive: true, force: true });
      cpSync(output, expected, { recursive: true });
      rmSync(path.join(expected, MANIFEST));
    }
    expect(existsSync(expected), 'run npm run golden').toBe(true);
    const [given, want] = [comparable(readFolder(output)), comparable(readFolder(expected))];
    expect(Object.keys(given)).toEqual(Object.keys(want));
    for (const [file, text] of Object.entries(want)) expect(given[file], file).toBe(text);
  });
});

it('runs no code of a hostile spec', async () => {
  const output = (await import(pathToFileURL(path.join(goldens, 'hostile/output/index.ts')).href)) as Record<
    string,
    unknown
  >;
  const examples = (await import(pathToFileURL(path.join(goldens, 'hostile/output/examples.ts')).href)) as object;
  for (const value of Object.values({ ...output, ...examples }))
    if (typeof value === 'function' && value.name.endsWith('Fixture')) (value as () => unknown)();
  expect(Object.keys(output).length).toBeGreaterThan(5);
  expect(Reflect.get(globalThis, 'pwned')).toBeUndefined();
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
