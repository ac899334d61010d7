import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { benchConformance } from './conformance.js';
import { benchContract, benchServers } from './contract.js';
import { benchEmitters } from './emitters/emitters.js';
import { benchEmittedServers } from './emitters/server.js';
import { benchFiles } from './files-per-request.js';
import { benchGeneration } from './generation.js';
import { benchGenerators } from './generators.js';
import { benchGrowth } from './growth.js';
import { benchHar } from './har.js';
import { benchHostile } from './hostile.js';
import { benchHostileFormats } from './hostile-formats.js';
import { benchHelpers } from './helper-sizes.js';
import { type Figure, printFigures } from './measure.js';
import { benchMocks } from './mocks.js';
import { benchOutput } from './output/bench-output.js';
import { benchProxy } from './proxy.js';
import { benchPage } from './page.js';
import { benchSigningStore } from './signing-store.js';
import { benchStores } from './stores.js';
import { benchValidators } from './validators.js';
import { benchWorkers } from './workers.js';

type Figures = readonly Figure[] | Promise<readonly Figure[]>;

interface Bench {
  readonly title: string;
  /** Prints its own table if it returns no figures. */
  readonly run: (rounds: number) => Figures | Promise<void>;
  /** Packages that it needs besides ours: large specs, or these and peers. */
  readonly needs?: 'specs' | 'peers' | 'output/peers';
}

/** `npm run bench [-- name...]`: the named benchmarks, or all. `--rounds N`: how often each contender runs. */
const BENCHES: Readonly<Record<string, Bench>> = {
  generators: { title: 'Generation (median of whole processes, in turn)', run: benchGenerators, needs: 'peers' },
  output: {
    title: 'What outputs cost those who use them (CPU time, memory, bytes; all under Node 24)',
    run: benchOutput,
    needs: 'output/peers',
  },
  mocks: { title: 'Mocks (requests a second, 20 connections, servers in turn)', run: benchMocks, needs: 'peers' },
  emitters: { title: 'What one emitter adds (processes in turn)', run: benchEmitters, needs: 'specs' },
  'emitted-servers': { title: 'Generated servers beside Fastify by hand (20 connections)', run: benchEmittedServers },
  files: { title: 'Files of ours that a request passes through', run: benchFiles },
  generation: { title: 'Content generation (20 connections, each kind in its own process)', run: benchGeneration },
  hostile: {
    title: 'Hostile requests below a megabyte (time of one, in process)',
    run: benchHostile,
    needs: 'specs',
  },
  'hostile-formats': {
    title: 'Documents of each format below a megabyte (longest turn of the event loop, in process)',
    run: benchHostileFormats,
  },
  conformance: { title: '', run: benchConformance, needs: 'peers' },
  contract: {
    title: 'Contract tests (against mocks in another process; faults planted in a proxy)',
    run: benchContract,
  },
  page: {
    title: "The page on GitHub's 1,223 operations (in Chromium, nothing cached)",
    run: benchPage,
    needs: 'specs',
  },
  servers: { title: 'Contract tests of servers that were written from their specs alone', run: benchServers },
  har: { title: 'Recordings (a HAR file of 1 GB, in a process of its own)', run: benchHar },
  proxy: { title: 'The proxy (requests a second, as a part of those without it, 10 connections)', run: benchProxy },
  helpers: { title: 'Helpers (what each adds to a bundle, min+gzip)', run: benchHelpers },
  validators: { title: 'Validators (a valid value, beside ajv standalone)', run: benchValidators, needs: 'specs' },
  signing: {
    title: 'Signing with 1,000 and 100,000 cases (median of a call in process)',
    run: benchSigningStore,
  },
  workers: { title: 'Several processes over one store (20 connections)', run: benchWorkers, needs: 'specs' },
  growth: {
    title: 'Mocks with 100, 10,000 and 100,000 items (processor time of a call, in process)',
    run: benchGrowth,
  },
  stores: { title: 'State that is kept (20 connections, mocks and Redis in their own processes)', run: benchStores },
};

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (bench === undefined)
    throw new Error(`There is no benchmark ${JSON.stringify(name)}: ${Object.keys(BENCHES).join(', ')}.`);
  const { title, run, needs } = bench;
  if (needs !== undefined) installOnce(path.join(import.meta.dirname, 'specs'));
  if (needs !== undefined && needs !== 'specs') installOnce(path.join(import.meta.dirname, needs));
  const figures = await run(Number(values.rounds));
  if (figures !== undefined) printFigures(title, figures);
}

/** The specs and peers of the benchmarks are large, so they are no dependencies of the package. */
function installOnce(folder: string): void {
  if (existsSync(path.join(folder, 'node_modules'))) return;
  console.log(`Installing ${path.relative(process.cwd(), folder)} …`);
  const { status } = spawnSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`);
}
