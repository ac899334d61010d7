import type { ApiConfiguration, Configuration, Selection as GeneratedSelection } from '../generated/options/types.js';
import type { LoadOptions } from '../model/load-api.js';
import type { ContractConfig } from './contract-config.js';
import type { ReadOnly } from '../model/read-only.js';
import type { Given } from './given.js';

/**
 * The configuration in `specmill.config.ts`. Only `spec` and `output` are required. Defaults are applied in
 * `resolve-config.ts`.
 *
 * @typeParam TEmitter - the type of an emitter, which is the generator's `Emitter` (this module must not depend on the
 * generator).
 */
export type SpecmillConfig<TEmitter = unknown> = Given<
  Configuration,
  {
    /** The APIs by name, such as `rate-limits`. */
    readonly apis: Readonly<Record<string, ApiConfig<TEmitter>>>;
  }
>;

/** One API. Paths are relative to the configuration file. */
export type ApiConfig<TEmitter = unknown> = Given<ApiConfiguration, CodeOfApi<TEmitter>>;

/** The members that JSON cannot hold or describe. */
interface CodeOfApi<TEmitter> {
  /** The objects of `x-` extensions, by operation id, by `GET /path`, or by `*` for the whole API. */
  readonly helpers?: Readonly<Record<string, Readonly<Record<`x-${string}`, unknown>>>>;
  /** Custom emitters, which run after the built-in ones. */
  readonly emitters?: readonly TEmitter[];
  /**
   * Returns the name of an operation in the client, which is made a valid identifier; `undefined` for the default name.
   */
  readonly names?: (operation: NamedOperation) => string | undefined;
  /** Set-up of the API's contract tests. */
  readonly contract?: ContractConfig;
}

/** The types of values for which JSON has no type. */
export type ValueTypes = Readonly<Required<Pick<ApiConfiguration, 'dates' | 'int64' | 'ids'>>>;

/** An operation to be named. */
export interface NamedOperation {
  /** From the spec; generated if the spec has none. */
  readonly id: string;
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  /** The default name. */
  readonly name: string;
}

/** The extension of imports in generated code. */
export type ImportExtension = Required<ApiConfiguration>['importExtension'];

/**
 * A choice of operations: those that match any member. In a list, a text that starts with `/` is a path, and any other
 * a tag or an operation id.
 *
 * @example { tags: ['repos'], paths: ['/repos/**'], operations: ['getUser'] }
 */
export type Selection = ReadOnly<GeneratedSelection>;

/** A configuration file that was read and checked. */
export interface LoadedConfig<TEmitter> {
  /** Absolute path. */
  readonly file: string;
  readonly config: SpecmillConfig<TEmitter>;
}

/** How the spec of a configured API is read. */
export type ApiLoadOptions = Pick<
  LoadOptions,
  'headers' | 'overlays' | 'helpers' | 'helpersAt' | 'resources' | 'resourcesAt' | 'root' | 'specLimits' | 'formats'
>;

/** A choice with its defaults applied. */
export interface ResolvedSelection {
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  readonly operations: readonly string[];
}

/** An API with all defaults applied and all paths absolute. */
export interface ResolvedApi<TEmitter> {
  readonly name: string;
  /** Absolute paths or URLs. */
  readonly specs: readonly string[];
  /** How the spec is read, except for `vendor`. */
  readonly load: ApiLoadOptions;
  readonly output: string;
  readonly mock?: string;
  /** Files of start data, as absolute paths. */
  readonly data: readonly string[];
  /** Files of scenarios, as absolute paths. */
  readonly scenarios: readonly string[];
  /** Absent for all operations. */
  readonly include?: ResolvedSelection;
  readonly exclude: ResolvedSelection;
  /** The emitters that run. Absent for all. */
  readonly only?: readonly string[];
  /** Whether custom emitters run although `only` does not name them. */
  readonly runsOwnEmitters: boolean;
  readonly emitters: readonly TEmitter[];
  readonly vendor?: string;
  readonly importExtension: ImportExtension;
  readonly header?: string;
  readonly group?: 'tags' | 'paths';
  readonly names?: (operation: NamedOperation) => string | undefined;
  readonly types: ValueTypes;
  readonly contract: ContractConfig;
}
