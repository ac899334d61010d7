import type { ViteUserConfig } from 'vitest/config';

/**
 * A suite of a user: parallel workers and one mock, in which each worker has its own sandbox.
 *
 *     npx vitest run --root examples/vitest
 */
const config: ViteUserConfig = {
  test: { root: import.meta.dirname, include: ['**/*.test.ts'], globalSetup: 'serve-mock.ts', maxWorkers: 3 },
};

export default config;
