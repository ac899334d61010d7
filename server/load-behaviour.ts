import path from 'node:path';

import { findBuiltInApi } from '../config/built-in-apis.js';
import { importModule } from '../config/import-module.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import type { MockDefinition } from './mock-definition.js';

/** Loads the behaviour of a built-in API, if it has one. It is loaded by path, like a user's. */
export async function loadBuiltInBehaviour(name: string): Promise<MockDefinition | undefined> {
  const module = findBuiltInApi(name)?.mock;
  return module === undefined ? undefined : findDefinition(await importOwn(module));
}

/** Loads a module of this package by its path from the root: what is above this room is bound at run time only. */
async function importOwn(module: string): Promise<object> {
  // `.ts` when run from source, `.js` when built.
  const url = new URL(`../${module}${path.extname(import.meta.url)}`, import.meta.url);
  return (await import(url.href)) as object;
}

/**
 * Loads the module that the configuration names as `mock`. Its default export, or its export `mock`, is the result of
 * `defineMock`.
 *
 * @throws InputError if it cannot be loaded, or exports no mock.
 */
export async function loadBehaviourFile(file: string): Promise<MockDefinition> {
  // Shares the modules of this process, so that `instanceof` recognises errors that the behaviour throws.
  const loaded = await importModule(path.resolve(file), {
    subject: 'The behaviour',
    virtualModules: { 'specmill/mock': { ...(await importOwn('entry/mock')) } },
  });
  const definition = findDefinition(loaded);
  if (definition !== undefined) return definition;
  throw new InputError('The behaviour must export what defineMock gives, as its default or as mock.', { file });
}

/** Without a default export, jiti returns the module itself as `default`. */
function findDefinition(module: unknown): MockDefinition | undefined {
  const exported = isRecord(module) ? [module['default'], module['mock']] : [];
  return exported
    .filter(isRecord)
    .map(({ definition }) => definition)
    .find(isRecord);
}
