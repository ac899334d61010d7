import type { Emitter } from './emitter.js';

/** The built-in emitters by name, each loaded when it runs. A new one is added here. */
export const EMITTERS: Readonly<Record<string, () => Promise<Emitter>>> = {
  types: async () => (await import('./types/emit-types.js')).typesEmitter,
  client: async () => (await import('./client/emit-client.js')).clientEmitter,
  validators: async () => (await import('./validators/emit-validators.js')).validatorsEmitter,
  fixtures: async () => (await import('./fixtures/emit-fixtures.js')).fixturesEmitter,
};
