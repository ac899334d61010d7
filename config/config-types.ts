import type { LoadOptions } from '../model/load-api.js';
import type { ContractConfig } from './contract-config.js';

/**
 * The configuration in `specmill.config.ts`. Only `spec` and `output` are required. Defaults are applied in
 * `resolve-config.ts`.
 *
 * @typeParam TEmitter - the type of an emitter, which is the generator's `Emitter` (this module must not depend on the
 * generator).
 */
export interface SpecmillConfig<TEmitter = unknown> {
  /** The JSON schema of the configuration, for editors. Otherwise ignored. */
  readonly $schema?: string;
  /** How `specmill diff` judges changes. */
  readonly diff?: DiffConfig;
  /** The APIs by name, such as `rate-limits`. */
  readonly apis: Readonly<Record<string, ApiConfig<TEmitter>>>;
}

/** One API. Paths are relative to the configuration file. */
export interface ApiConfig<TEmitter = unknown> {
  /** Path or URL of the spec, or several of them that together describe one API. */
  readonly spec: string | readonly string[];
  /** Sent if the spec is fetched from a URL, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Paths or URLs of OpenAPI Overlay documents (1.0 or 1.1), applied in order before anything reads the spec. */
  readonly overlays?: readonly string[];
  /** The objects of `x-` extensions, by operation id, by `GET /path`, or by `*` for the whole API. */
  readonly helpers?: Readonly<Record<string, Readonly<Record<`x-${string}`, unknown>>>>;
  /** The folder that local references may not leave. Default: the folder of the spec. */
  readonly root?: string;
  /** `'annotate'`: validators do not check `format`. Default: `'assert'`. */
  readonly formats?: 'assert' | 'annotate';
  /** The folder that the output is written to. */
  readonly output: string;
  /** The module with the behaviour of the API's mock. */
  readonly mock?: string;
  /** Keeps only these operations, and the schemas that they reach. Default: all. */
  readonly include?: Selection;
  /** Leaves out these operations, and the schemas that only they reach. */
  readonly exclude?: Selection;
  /**
   * The built-in parts of the output: `types`, `client`, `validators`, `fixtures`. Default: all. Custom emitters always run.
   */
  readonly only?: readonly string[];
  /** Custom emitters, which run after the built-in ones. */
  readonly emitters?: readonly TEmitter[];
  /** Real names that replace the word `vendor`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string;
  /** The extension in imports between generated files: `./types.js`, `./types.ts` or `./types`. Default: `'js'`. */
  readonly importExtension?: ImportExtension;
  /** A comment for the top of each generated TypeScript file, such as a licence. */
  readonly header?: string;
  /** Groups the methods of the client by the first tag, or the first word of the path: `client.cases.create(…)`. */
  readonly group?: 'tags' | 'paths';
  /**
   * Returns the name of an operation in the client, which is made a valid identifier; `undefined` for the default name.
   */
  readonly names?: (operation: NamedOperation) => string | undefined;
  /** The type of `format: date-time` and `date` in the client. Default: `'string'`. */
  readonly dates?: ValueTypes['dates'];
  /** The type of integers with `format: int64` in the client. Default: `'number'`, which loses digits beyond 2^53. */
  readonly int64?: ValueTypes['int64'];
  /**
   * The type of ids in the client. `'branded'`: a distinct type for each kind, such as `CaseId`. Default: `'string'`,
   * as in the spec.
   */
  readonly ids?: ValueTypes['ids'];
  /** Set-up of the API's contract tests. */
  readonly contract?: ContractConfig;
  /** How `specmill diff` judges changes of this API, in addition to the rules for all APIs. */
  readonly diff?: DiffConfig;
}

/** The types of values for which JSON has no type. */
export interface ValueTypes {
  readonly dates: (typeof DATE_TYPES)[number];
  readonly int64: (typeof INT64_TYPES)[number];
  readonly ids: (typeof ID_TYPES)[number];
}

export const DATE_TYPES = ['string', 'Date', 'Temporal'] as const;
export const INT64_TYPES = ['number', 'bigint', 'string'] as const;
export const ID_TYPES = ['string', 'branded'] as const;

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

/** The extensions of imports in generated code. */
export const IMPORT_EXTENSIONS = ['js', 'ts', 'none'] as const;

export type ImportExtension = (typeof IMPORT_EXTENSIONS)[number];

/**
 * A choice of operations: those that match any member. In a list, a text that starts with `/` is a path, and any other
 * a tag or an operation id.
 *
 * @example { tags: ['repos'], paths: ['/repos/**'], operations: ['getUser'] }
 */
export type Selection =
  | readonly string[]
  | {
      readonly tags?: readonly string[];
      /** Path templates. `*` matches within a segment, `**` any number of segments. */
      readonly paths?: readonly string[];
      /** Operation ids. `*` matches any text. */
      readonly operations?: readonly string[];
    };

/** A configuration file that was read and checked. */
export interface LoadedConfig<TEmitter> {
  /** Absolute path. */
  readonly file: string;
  readonly config: SpecmillConfig<TEmitter>;
}

/** How the spec of a configured API is read. */
export type ApiLoadOptions = Pick<LoadOptions, 'headers' | 'overlays' | 'helpers' | 'helpersAt' | 'root' | 'formats'>;

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

/** A level of a change between two specs. */
type DiffLevel = 'breaking' | 'risky' | 'safe';

/** How `specmill diff` judges changes. */
interface DiffConfig {
  /** The level of a kind of change, for both directions or for each. `docs/diff.md` lists the kinds. */
  readonly levels?: Readonly<
    Record<string, DiffLevel | { readonly request?: DiffLevel; readonly response?: DiffLevel }>
  >;
  /** Whether a response that may contain more than before is breaking. Default: `false`, risky. */
  readonly strictResponses?: boolean;
  /** `semver`: breaking changes require a new major version from 1.0.0 on. Default: versions are not compared. */
  readonly versionRule?: 'semver';
  /** Accepted changes. */
  readonly waivers?: readonly DiffWaiverConfig[];
}

/** An accepted change. It must match all given members. */
interface DiffWaiverConfig {
  /** A kind of change, such as `parameter-removed`. */
  readonly kind?: string;
  /** `GET /orders` or an operation id; `*` matches any text. */
  readonly operation?: string;
  /** Text in the message of the change. */
  readonly message?: string;
  /** Why it is accepted. */
  readonly reason: string;
  /** The last day on which it is accepted, such as `2027-01-31`. */
  readonly until?: string;
}
