import type { Api } from '../model/api.js';
import type { Emitter } from './emitter.js';

/** An emitter that is loaded when it runs. */
interface BuiltInEmitter {
  readonly load: () => Promise<Emitter>;
  /**
   * A hash of all of an API that its files are made of. While it stays the same, the emitter is not even loaded. All of
   * its files are in the folder of its name, but for modules of the runtime.
   */
  readonly key?: (api: Api) => Promise<string>;
}

/** The built-in emitters by name. A new one is added here. */
export const EMITTERS: Readonly<Record<string, BuiltInEmitter>> = {
  types: { load: async () => (await import('./types/emit-types.js')).typesEmitter },
  client: { load: async () => (await import('./emit-client.js')).clientEmitter },
  validators: {
    load: async () => (await import('./validators/emit-validators.js')).validatorsEmitter,
    key: async (api) => (await import('./emitter-keys.js')).validatorsKey(api),
  },
  fixtures: {
    load: async () => (await import('./fixtures/emit-fixtures.js')).fixturesEmitter,
    key: async (api) => (await import('./emitter-keys.js')).fixturesKey(api),
  },
};

/** Whether a value of a user's configuration is an emitter. */
export function isEmitter(value: unknown): value is Emitter {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'emit' in value &&
    typeof value.emit === 'function'
  );
}
