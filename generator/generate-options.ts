import path from 'node:path';

import type { ImportExtension, ResolvedApi, SpecmillConfig } from '../config/config-types.js';
import { loadConfig } from '../config/load-config.js';
import { checkOptionNames } from '../config/option-checks.js';
import { resolveApis } from '../config/resolve-config.js';
import type { Emitter } from './emitter.js';
import { isEmitter } from './emitters.js';

/** Options of a generation. */
export interface GenerateOptions {
  /** The configuration itself; its paths are relative to `cwd`. Default: read from a file. */
  readonly config?: SpecmillConfig<Emitter>;
  /** The configuration file, relative to `cwd`. Default: `specmill.config.ts` (or .js, .json, .yaml) in `cwd`. */
  readonly configFile?: string;
  /** Default: the working directory of the process. */
  readonly cwd?: string;
  /** Names of the APIs. Default: all. */
  readonly apis?: readonly string[];
  /** The parts of the output. Overrides the configuration. */
  readonly only?: readonly string[];
  /** Real names for the word `vendor`. Overrides the configuration. */
  readonly vendor?: string;
  /** How generated files import each other. Overrides the configuration. */
  readonly importExtension?: ImportExtension;
  /** Writes nothing; the result lists what is out of date. Default: `false`. */
  readonly check?: boolean;
  /** Treats every diagnostic as an error. Default: `false`. */
  readonly strict?: boolean;
  /** Follows references to `http:` and `https:` addresses. Default: `false`. */
  readonly allowRemote?: boolean;
  /** Sent when specs are fetched from URLs, in addition to those of the configuration. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The folder that references to local files may not leave. Default: the folder of each spec. */
  readonly root?: string;
  /** Called at each step. */
  readonly onProgress?: (progress: GenerateProgress) => void;
}

/** The progress of a run. */
export interface GenerateProgress {
  readonly api: string;
  /** `reading`, the name of an emitter, or `writing`. */
  readonly step: string;
}

/** The options of a run with every default applied. */
export interface GenerateRun {
  readonly apis: readonly ResolvedApi<Emitter>[];
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

const OPTION_NAMES: Readonly<Record<keyof GenerateOptions, true>> = {
  config: true,
  configFile: true,
  cwd: true,
  apis: true,
  only: true,
  vendor: true,
  importExtension: true,
  check: true,
  strict: true,
  allowRemote: true,
  headers: true,
  root: true,
  onProgress: true,
};

/** Returns the configuration unchanged; its types let editors check and complete it. */
export function defineConfig(config: SpecmillConfig<Emitter>): SpecmillConfig<Emitter> {
  return config;
}

/**
 * Applies the defaults of a run and reads the configuration.
 *
 * @throws InputError if the configuration is missing or invalid.
 */
export async function resolveRun(options: GenerateOptions): Promise<GenerateRun> {
  checkOptionNames(options, OPTION_NAMES, 'generate');
  const {
    cwd = process.cwd(),
    apis: names = [],
    check = false,
    strict = false,
    allowRemote = false,
    headers = {},
    onProgress = () => {},
  } = options;
  const root = options.root === undefined ? undefined : path.resolve(cwd, options.root);
  const flags = { check, strict, allowRemote, headers, root, onProgress };
  const { only, vendor, importExtension } = options;
  const overrides = { names, only, vendor, importExtension };
  if (options.config !== undefined) return { ...flags, apis: resolveApis(options.config, cwd, overrides) };
  const { file, folder, config } = await readConfig(cwd, options.configFile);
  return {
    ...flags,
    configFile: file,
    apis: resolveApis(config, folder, { ...overrides, file }),
  };
}

/** A configuration that was read from a file. */
export interface ReadConfig {
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  readonly config: SpecmillConfig<Emitter>;
}

/**
 * Reads the configuration that `file` names, or the one in `cwd`.
 *
 * @throws InputError if it is missing or invalid.
 */
export async function readConfig(cwd: string, file: string | undefined): Promise<ReadConfig> {
  const loaded = await loadConfig({ cwd, file, isEmitter, exports: { defineConfig } });
  return { file: loaded.file, folder: path.dirname(loaded.file), config: loaded.config };
}
