import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/golden/**', '**/node_modules/**'],
    // Emitted code is type-checked and bundled in some tests: on two busy cores that takes a while.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

export default config;
