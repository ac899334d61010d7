import type { ValueTypes } from '../config/config-types.js';
import type { Api } from '../model/api.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';

/** A file of the output, not yet on disk. */
export interface GeneratedFile {
  /** Path relative to the API's output folder, with `/`. */
  readonly path: string;
  /** The text, or a function that returns it. */
  readonly contents: string | (() => string | Promise<string>);
}

/** The options of an emitter, with all defaults applied. */
export interface EmitOptions {
  /** Name of the API in the configuration, such as `rate-limits`. */
  readonly apiName: string;
  /** The emitters that run, because a client can offer validation only if validators are emitted. */
  readonly emitters: ReadonlySet<string>;
  /** How the methods of the client are grouped. Default: no groups. */
  readonly group?: 'tags' | 'paths' | undefined;
  /** The types of dates, 64-bit integers and ids. Default: those of JSON. */
  readonly types?: ValueTypes | undefined;
  /** Reports a problem in the input. */
  readonly report: (diagnostic: Diagnostic) => void;
}

/** A part of the output: a pure function from an API to files. Users add their own with `emitters: [...]`. */
export interface Emitter {
  /** Name on the command line (`--only types,client`) and in the configuration. */
  readonly name: string;
  readonly emit: (api: Api, options: EmitOptions) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>;
}
