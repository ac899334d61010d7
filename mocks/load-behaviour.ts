import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import { type DefinedMock, defineMock } from './define-mock.js';
import { ActionRefusedError, type MockDefinition } from './seams/behaviour.js';

/** The behaviours that come with specmill, by the name of their API; each is loaded only where it is served. */
const BUILT_IN_BEHAVIOURS: Readonly<Record<string, () => Promise<DefinedMock>>> = {
  generation: async () => (await import('./behaviours/generation/index.js')).behaviour,
  signing: async () => (await import('./behaviours/signing/index.js')).behaviour,
  notifications: async () => (await import('./behaviours/notifications/index.js')).behaviour,
  tables: async () => (await import('./behaviours/tables/index.js')).behaviour,
  engine: async () => (await import('./behaviours/engine/index.js')).behaviour,
  dictionary: async () => (await import('./behaviours/dictionary/index.js')).behaviour,
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
  const loaded = await importModule(file);
  // Where a module has no default export, jiti gives the module itself as its default.
  for (const exported of isRecord(loaded) ? [loaded['default'], loaded['mock']] : [])
    if (isRecord(exported) && isRecord(exported['definition'])) return exported['definition'];
  throw new InputError('The behaviour must export what defineMock gives, as its default or as mock.', { file });
}

/** Without the module cache of jiti, so that a restart sees the new version. */
async function importModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const specmill = { defineMock, ActionRefusedError };
  const jiti = createJiti(import.meta.url, { moduleCache: false, virtualModules: { 'specmill/mock': specmill } });
  try {
    return await jiti.import(path.resolve(file));
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new InputError(`The behaviour cannot be loaded: ${sentence}`, { file });
  }
}
