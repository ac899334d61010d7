import path from 'node:path';

import type { ResolvedApi, SpecmillConfig } from '../config/config-types.js';
import type { Given } from '../config/given.js';
import { findConfigProblem } from '../config/check-config.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { loadConfig } from '../config/load-config.js';
import { resolvePath } from '../config/option-checks.js';
import { readOptions } from '../config/read-options.js';
import type { GenerateOptions as GeneratedOptions } from '../generated/options/types.js';
import { resolveApis } from '../config/resolve-config.js';
import {
  type EmitterEntry,
  type EmitterPlaces,
  type LoadedEmitter,
  loadEmitters,
} from './emitter-kit/load-emitters.js';
import { PACKAGE_EXPORTS } from './emitter-kit/package-exports.js';

/** Options of a generation. */
export interface GenerateOptions extends Given<
  GeneratedOptions,
  {
    /** The configuration itself; its paths are relative to `cwd`. Default: read from a file. */
    readonly config?: SpecmillConfig<EmitterEntry>;
    /** Called at each step. */
    readonly onProgress?: (progress: GenerateProgress) => void;
  }
> {}

/** The progress of a run. */
export interface GenerateProgress {
  readonly api: string;
  /** `reading`, the name of an emitter, or `writing`. */
  readonly step: string;
}

/** The options of a run with every default applied. */
export interface GenerateRun {
  readonly apis: readonly ResolvedApi<LoadedEmitter>[];
  /** Absent if the configuration was passed as a value. */
  readonly configFile?: string;
  readonly check: boolean;
  readonly strict: boolean;
  readonly allowRemote: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly root: string | undefined;
  readonly onProgress: (progress: GenerateProgress) => void;
}

/** Returns the configuration unchanged; its types let editors check and complete it. */
export function defineConfig(config: SpecmillConfig<EmitterEntry>): SpecmillConfig<EmitterEntry> {
  return config;
}

/**
 * Applies the defaults of a run and reads the configuration.
 *
 * @throws InputError if the configuration is missing or invalid.
 */
export async function resolveRun(options: GenerateOptions): Promise<GenerateRun> {
  const { cwd, apis: names, check, strict, ...read } = readOptions('GenerateOptions', options);
  const { allowRemote = false, headers = {}, onProgress = () => {}, only, vendor, importExtension } = read;
  const flags = { check, strict, allowRemote, headers, root: resolvePath(cwd, read.root), onProgress };
  const overrides = { names, only, vendor, importExtension };
  if (read.config !== undefined) {
    const problem = findConfigProblem(read.config);
    if (problem !== undefined) throw new InputError(problem.message, { pointer: problem.pointer });
    return { ...flags, apis: await loadAll(resolveApis(read.config, cwd, overrides), { folder: cwd }) };
  }
  const { file, folder, config } = await readConfig(cwd, read.configFile);
  const apis = await loadAll(resolveApis(config, folder, { ...overrides, file }), { folder, file });
  return { ...flags, configFile: file, apis };
}

async function loadAll(
  apis: readonly ResolvedApi<EmitterEntry>[],
  places: EmitterPlaces,
): Promise<ResolvedApi<LoadedEmitter>[]> {
  const loaded: ResolvedApi<LoadedEmitter>[] = [];
  for (const api of apis) loaded.push(await loadEmitters(api, places));
  return loaded;
}

/** A configuration that was read from a file. */
export interface ReadConfig {
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  readonly config: SpecmillConfig<EmitterEntry>;
}

/**
 * Reads the configuration that `file` names, or the one in `cwd`.
 *
 * @throws InputError if it is missing or invalid.
 */
export async function readConfig(cwd: string, file: string | undefined): Promise<ReadConfig> {
  const loaded = await loadConfig<EmitterEntry>({ cwd, file, exports: PACKAGE_EXPORTS });
  return { file: loaded.file, folder: path.dirname(loaded.file), config: loaded.config };
}
