import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

import { readDataFile } from '../model/document/read-input-file.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { suggestMissingFile } from '../model/document/suggest-file.js';
import { isRecord } from '../model/document/records.js';
import { findConfigProblem } from './check-config.js';
import { FOREIGN_CONFIGS } from './foreign-config.js';
import type { LoadedConfig, SpecmillConfig } from './config-types.js';
import { importModule } from './import-module.js';

/** The file names of a configuration, in the order in which they are tried. */
export const CONFIG_FILES: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'].map(
  (ending) => `specmill.config.${ending}`,
);

/** Where to look for a configuration. */
export interface LoadConfigOptions {
  readonly cwd: string;
  /** Relative to `cwd`. Default: the first existing file of {@link CONFIG_FILES}. */
  readonly file?: string | undefined;
  /** The exports of `specmill` for imports in the configuration, so that the package need not be installed there. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/**
 * Reads and checks the configuration.
 *
 * @throws InputError if there is no configuration, or it is invalid; with file, line and JSON pointer if known.
 */
export async function loadConfig<TEmitter>(options: LoadConfigOptions): Promise<LoadedConfig<TEmitter>> {
  const file = findConfig(options);
  const value = /\.(json|ya?ml)$/.test(file)
    ? (await readDataFile(file, 'The configuration')).value
    : await importConfig(file, options.exports);
  const problem = findConfigProblem(value);
  // Cast: the check has found no problem.
  if (problem === undefined) return { file, config: value as SpecmillConfig<TEmitter> };
  const { placeInFile } = await import('../model/diagnostics/place-in-file.js');
  throw new InputError(problem.message, placeInFile({ file, pointer: problem.pointer }));
}

/** Whether a folder has a configuration with a default name. */
export function hasConfig(cwd: string): boolean {
  return CONFIG_FILES.some((name) => existsSync(path.join(cwd, name)));
}

function findConfig({ cwd, file }: { readonly cwd: string; readonly file?: string | undefined }): string {
  if (file !== undefined) return path.resolve(cwd, file);
  const found = CONFIG_FILES.map((name) => path.join(cwd, name)).find((candidate) => existsSync(candidate));
  if (found === undefined) {
    const foreign = findForeignConfig(cwd);
    throw new InputError(
      `There is no specmill.config.ts (or .js, .json, .yaml) in ${cwd}; write one with "specmill init", or name one with --config.${foreign}`,
    );
  }
  return found;
}

/** Says how a user of another generator gets a configuration, if its own one is there. */
function findForeignConfig(cwd: string): string {
  for (const [file, tool] of Object.entries(FOREIGN_CONFIGS)) {
    const found = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `${file}.${ending}`);
    const name = found.find((one) => existsSync(path.join(cwd, one)));
    if (name !== undefined)
      return ` ${name} is for ${tool}: "specmill generate --config ${name}" shows it as a configuration of specmill.`;
  }
  return '';
}

async function importConfig(file: string, specmill: Readonly<Record<string, unknown>>): Promise<unknown> {
  if (!existsSync(file)) {
    const suggestion = suggestMissingFile(file, /\.(?:[cm]?[jt]s|json|ya?ml)$/);
    throw new InputError(`The configuration cannot be read: there is no such file.${suggestion}`, { file });
  }
  if (statSync(file).isDirectory()) throw new InputError('The configuration cannot be read: it is a folder.', { file });
  const loaded = await importModule(file, { subject: 'The configuration', virtualModules: { specmill } });
  // `defineConfig` of hey-api gives a promise.
  return isRecord(loaded) ? ((await loaded['default']) ?? loaded) : loaded;
}
