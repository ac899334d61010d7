import { availableParallelism } from 'node:os';
import path from 'node:path';

import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { findMissingPackages } from './test/support/missing-packages.js';

/** Folders of tests with their own packages, which CI installs. */
const skipped = ['test/clients', 'test/matrix', 'test/release'].filter((folder) => {
  const missing = process.env['CI'] === undefined ? findMissingPackages(folder) : [];
  if (missing.length > 0) console.warn(`${folder} is skipped without ${missing.join(', ')}: npm ci --prefix ${folder}`);
  return missing.length > 0;
});

const MSW = path.join(import.meta.dirname, 'test/matrix/node_modules/msw-2/lib');

// `npm run test:long` runs the long versions alone; CI runs both.
const isLong = process.env['SPECMILL_LONG'] === '1';

/** The files that take longest. */
const SLOWEST = [
  'contract/real-servers',
  'matrix/matrix',
  'site/site',
  'server/page/page',
  'contract/servers',
  'examples/emitters',
  'matrix/zod',
  'corpus-sample',
  'action/action',
  'large-specs',
].map((name) => `/test/${name}.long.test.ts`);

/** Starts with the slowest files, so that the run does not end with one of them and an idle core. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOWEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

const config: ViteUserConfig = {
  resolve: {
    alias: [
      // The behaviours import the package by its own name: here its sources.
      { find: 'specmill/mock', replacement: path.join(import.meta.dirname, 'entry/mock.ts') },
      // The peer of `specmill/msw` and of the emitter, for test/matrix.
      { find: /^msw$/, replacement: path.join(MSW, 'core/index.mjs') },
      { find: /^msw\/node$/, replacement: path.join(MSW, 'node/index.mjs') },
    ],
  },
  test: {
    include: [isLong ? 'test/**/*.long.test.ts' : 'test/**/*.test.ts'],
    exclude: [
      'test/golden/**',
      '**/node_modules/**',
      ...(isLong ? [] : ['test/**/*.long.test.ts']),
      ...skipped.map((folder) => `${folder}/**`),
    ],
    // The default leaves a core idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowestFirst },
    // The files of a worker share their modules. To load and to compile them for each file takes 40 % of the time.
    isolate: false,
    // CI starts vitest four times: what one has compiled, the next one reads.
    experimental: { fsModuleCache: true },
    // Tests make many short-lived objects: with the default of 16 MB, collecting them takes 8 % more time.
    execArgv: ['--max-semi-space-size=64'],
    // No spy, environment variable or global of one test is there in the next.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    ...(process.env['STORE'] === 'redis' ? { globalSetup: ['test/support/redis-setup.ts'] } : {}),
    // Emitted code is type-checked and bundled in some tests: on two busy cores that takes a while.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

export default config;
