import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { benchConformance } from './conformance.js';
import { benchContract } from './contract.js';
import { benchFiles } from './files-per-request.js';
import { benchGeneration } from './generation.js';
import { benchGenerators } from './generators.js';
import { benchHostile } from './hostile.js';
import { benchHelpers } from './helper-sizes.js';
import { printFigures } from './measure.js';
import { benchMocks } from './mocks.js';
import { benchProxy } from './proxy.js';
import { benchPage } from './page.js';
import { benchServers } from './servers.js';
import { benchSigningStore } from './signing-store.js';
import { benchStores } from './stores.js';
import { benchValidators } from './validators.js';

/** `npm run bench [-- name...]`: the named benchmarks, or all. `--rounds N`: how often each contender runs. */
const BENCHES: Readonly<Record<string, (rounds: number) => void | Promise<void>>> = {
  generators: (rounds) => printFigures('Generation (median of whole processes, in turn)', benchGenerators(rounds)),
  mocks: async (rounds) =>
    printFigures('Mocks (requests a second, 20 connections, servers in turn)', await benchMocks(rounds)),
  files: async () => printFigures('Files of ours that a request passes through', await benchFiles()),
  generation: async (rounds) =>
    printFigures('Content generation (20 connections, each kind in its own process)', await benchGeneration(rounds)),
  hostile: async () =>
    printFigures('Hostile requests below a megabyte (time of one, in process)', await benchHostile()),
  conformance: () => benchConformance(),
  contract: async (rounds) =>
    printFigures(
      'Contract tests (against mocks in another process; faults planted in a proxy)',
      await benchContract(rounds),
    ),
  page: async (rounds) =>
    printFigures("The page on GitHub's 1,223 operations (in Chromium, nothing cached)", await benchPage(rounds)),
  servers: async () =>
    printFigures('Contract tests of servers that were written from their specs alone', await benchServers()),
  proxy: async (rounds) =>
    printFigures(
      'The proxy (requests a second, as a part of those without it, 10 connections)',
      await benchProxy(rounds),
    ),
  helpers: async () => printFigures('Helpers (what each adds to a bundle, min+gzip)', await benchHelpers()),
  validators: async (rounds) =>
    printFigures('Validators (a valid value, beside ajv standalone)', await benchValidators(rounds)),
  signing: async () =>
    printFigures('Signing with 1,000 and 100,000 cases (median of a call in process)', await benchSigningStore()),
  stores: async (rounds) =>
    printFigures(
      'State that is kept (20 connections, mocks and Redis in their own processes)',
      await benchStores(rounds),
    ),
};

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
/** Those that need only our own specs and mocks, and neither large specs nor peers. */
const ALONE: ReadonlySet<string> = new Set([
  'contract',
  'files',
  'servers',
  'proxy',
  'generation',
  'signing',
  'stores',
]);

const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
if (names.some((name) => !ALONE.has(name))) installOnce(path.join(import.meta.dirname, 'specs'));
if (names.some((name) => !ALONE.has(name) && name !== 'hostile')) installOnce(path.join(import.meta.dirname, 'peers'));
for (const name of names) {
  const bench = BENCHES[name];
  if (bench === undefined)
    throw new Error(`There is no benchmark ${JSON.stringify(name)}: ${Object.keys(BENCHES).join(', ')}.`);
  await bench(rounds);
}

/** The specs and peers of the benchmarks are large, so they are no dependencies of the package. */
function installOnce(folder: string): void {
  if (existsSync(path.join(folder, 'node_modules'))) return;
  console.log(`Installing ${path.relative(process.cwd(), folder)} …`);
  const { status } = spawnSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`);
}
