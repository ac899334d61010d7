import type { Command } from '../command.js';

/** The commands by name, each loaded only when it runs. Add new ones here. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init.js')).initCommand,
  generate: async () => (await import('./generate.js')).generateCommand,
  validate: async () => (await import('./validate.js')).validateCommand,
  mock: async () => (await import('./mock.js')).mockCommand,
  proxy: async () => (await import('./proxy.js')).proxyCommand,
  contract: async () => (await import('./contract.js')).contractCommand,
  coverage: async () => (await import('./coverage.js')).coverageCommand,
  diff: async () => (await import('./diff.js')).diffCommand,
};
