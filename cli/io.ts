import { toTerminalText } from '../reports/strip-controls.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

export { toTerminalText } from '../reports/strip-controls.js';

/** The environment of a command: the process, or a test. */
export interface Io {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal. Progress is shown only there. */
  readonly isTerminal: boolean;
  /**
   * Returns a signal that is aborted when the user asks the command to stop. Only for commands that handle it: without
   * a call, the system ends the process at once.
   */
  readonly stopSignal: () => AbortSignal;
  /** Calls a function each time the user asks a running command to write what it has, by SIGUSR2. */
  readonly onWriteSignal: (write: () => void) => void;
}

/** The exit statuses of the process. */
export const EXIT = {
  done: 0,
  /** The check found something. */
  found: 1,
  /** Wrong use, or unreadable or broken input. */
  failed: 2,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Prints a value as one JSON document on stdout. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${toJsonText(value, 2)}\n`);
}

/** JSON with the escapes of {@link toTerminalText}, which do not change its values. */
export function toJsonText(value: unknown, indent?: number): string {
  // The escaped characters occur only in strings, where an escape means the same. Line feeds belong to the layout.
  return toTerminalText(stringifyExactJson(value, indent), { lines: true });
}
