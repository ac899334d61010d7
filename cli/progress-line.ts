import { type Io, toTerminalText } from './io.js';

/** A line that is overwritten again and again. Only on a terminal: in a log, the lines would pile up. */
export interface ProgressLine {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

export function createProgressLine(io: Io): ProgressLine {
  let width = 0;
  const clear = (): void => {
    if (width > 0) io.err(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  const show = (text: string): void => {
    if (!io.isTerminal) return;
    clear();
    const line = toTerminalText(text).slice(0, 79);
    width = line.length;
    io.err(line);
  };
  return { show, clear };
}
