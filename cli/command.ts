import type { ParsedArgs } from './parsed-args.js';
import type { ExitStatus, Io } from './io.js';

/** An option of a command. */
export interface Flag {
  /** The name of its value, such as `FILE`; absent if it has no value. */
  readonly value?: string;
  /** Whether it may be given more than once. */
  readonly repeated?: boolean;
  readonly description: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The arguments in the help, such as `[api...]`. */
  readonly usage: string;
  /** The number of arguments. */
  readonly arity: { readonly least: number; readonly most: number };
  readonly flags: Flags;
  /** Lines of the help after the options. */
  readonly notes?: readonly string[];
  /** Example lines of the help. */
  readonly examples: readonly string[];
  readonly run: (args: ParsedArgs, io: Io) => Promise<ExitStatus>;
}

/** The options of every command. */
export const COMMON_FLAGS: Flags = {
  config: { value: 'FILE', description: 'The configuration (default: specmill.config.ts, .js, .json or .yaml here).' },
  json: { description: 'Print a machine-readable result on stdout.' },
  debug: { description: 'Print stack traces of errors.' },
  help: { description: 'Explain the command.' },
};
