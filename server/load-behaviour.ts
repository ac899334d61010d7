import path from 'node:path';

import { importModule } from '../config/import-module.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import type { DefinedMock } from './define-mock.js';
import type { MockDefinition } from './seams/behaviour.js';

/** The behaviours that come with specmill, by the name of their API; each is loaded only where it is served. */
const BUILT_IN_BEHAVIOURS: Readonly<Record<string, () => Promise<DefinedMock>>> = {
  generation: async () => (await import('../mocks/generation/index.js')).behaviour,
  signing: async () => (await import('../mocks/signing/index.js')).behaviour,
  notifications: async () => (await import('../mocks/notifications/index.js')).behaviour,
  tables: async () => (await import('../mocks/tables/index.js')).behaviour,
  engine: async () => (await import('../mocks/engine/index.js')).behaviour,
  dictionary: async () => (await import('../mocks/dictionary/index.js')).behaviour,
};

/** The behaviour of a built-in API, if it has one. */
export async function loadBuiltInBehaviour(name: string): Promise<MockDefinition | undefined> {
  const load = Object.hasOwn(BUILT_IN_BEHAVIOURS, name) ? BUILT_IN_BEHAVIOURS[name] : undefined;
  return (await load?.())?.definition;
}

/**
 * Loads the module that the configuration names as `mock`. Its default export (or an export named `mock`) is what
 * `defineMock` gave.
 *
 * @throws InputError where it cannot be loaded, or exports no mock.
 */
export async function loadBehaviourFile(file: string): Promise<MockDefinition> {
  // The very modules of this process: what a behaviour throws is known by its class.
  const loaded = await importModule(path.resolve(file), {
    subject: 'The behaviour',
    virtualModules: { 'specmill/mock': { ...(await import('../entry/mock.js')) } },
  });
  // Where a module has no default export, jiti gives the module itself as its default.
  for (const exported of isRecord(loaded) ? [loaded['default'], loaded['mock']] : [])
    if (isRecord(exported) && isRecord(exported['definition'])) return exported['definition'];
  throw new InputError('The behaviour must export what defineMock gives, as its default or as mock.', { file });
}
