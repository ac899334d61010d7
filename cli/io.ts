import { toTerminalText } from '../reports/strip-controls.js';

export { toTerminalText } from '../reports/strip-controls.js';

/** The environment of a command: the process, or a test. */
export interface Io {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal: only there is progress shown. */
  readonly isTerminal: boolean;
  /**
   * A signal that is aborted when the user asks the command to stop. Only a command that runs until then asks for it:
   * any other is ended by the system at once.
   */
  readonly stopSignal: () => AbortSignal;
}

/** The exit statuses of the process. */
export const EXIT = {
  done: 0,
  /** The check found something. */
  found: 1,
  /** Wrong use, or input that is unreadable or broken. */
  failed: 2,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Prints a value as one JSON document on stdout. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${toJsonText(value, 2)}\n`);
}

/** JSON that a terminal can show: what {@link toTerminalText} escapes is escaped in it too, which leaves its values as they are. */
export function toJsonText(value: unknown, indent?: number): string {
  // Such characters occur only in texts and names, where an escape means the same; line feeds belong to the layout.
  return toTerminalText(JSON.stringify(value, undefined, indent), { lines: true });
}
