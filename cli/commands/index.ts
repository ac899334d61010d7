import type { RunCommand } from '../command.js';

/** The commands in the order of the help, each loaded only when it runs. Their options are in the schema. */
export const COMMANDS: Readonly<Record<string, () => Promise<RunCommand<never>>>> = {
  init: async () => (await import('./init.js')).runInit,
  generate: async () => (await import('./generate.js')).runGenerate,
  emitters: async () => (await import('./emitters.js')).runEmitters,
  validate: async () => (await import('./validate.js')).runValidate,
  mock: async () => (await import('./mock.js')).runMock,
  proxy: async () => (await import('./proxy.js')).runProxy,
  contract: async () => (await import('./contract.js')).runContractTests,
  coverage: async () => (await import('./coverage.js')).runCoverage,
  'apply-overlay': async () => (await import('./apply-overlay.js')).runApplyOverlay,
  explain: async () => (await import('./explain.js')).runExplain,
  draft: async () => (await import('./draft.js')).runDraft,
  diff: async () => (await import('./diff.js')).runDiff,
};
