/** What a command prints to and runs in: the process, or a test. */
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

/** What the status of the process says. */
export const EXIT = {
  /** Done. */
  done: 0,
  /** The check found something. */
  found: 1,
  /** Wrong use, or input that is unreadable or broken. */
  failed: 2,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/**
 * Makes text that may come from a spec safe for a terminal: control characters, which could move the cursor or forge
 * output, and characters that change the reading order are shown as escapes. Line feeds stay with `lines`.
 */
export function toTerminalText(text: string, options: { readonly lines: boolean } = { lines: false }): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\uFEFF]/g,
    (char) => {
      if (char === '\n') return options.lines ? char : ' ';
      return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
    },
  );
}

/** Prints a value as one JSON document on stdout. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${toJsonText(value, 2)}\n`);
}

/** JSON that a terminal can show: what {@link toTerminalText} escapes is escaped in it too, which leaves its values as they are. */
export function toJsonText(value: unknown, indent?: number): string {
  // Such characters stand in texts and names alone, where an escape means the same; line feeds are those of the layout.
  return toTerminalText(JSON.stringify(value, undefined, indent), { lines: true });
}
