import type { GenerateProgress } from '../generator/generate-options.js';
import { type Io, toTerminalText } from './io.js';

/** A line of progress that is written over and over. */
export interface Progress {
  readonly show: (progress: GenerateProgress) => void;
  readonly clear: () => void;
}

/** Shows what a run is doing, on a terminal only: in a log the lines would pile up. */
export function createProgress(io: Io): Progress {
  if (!io.isTerminal) return { show: () => {}, clear: () => {} };
  let width = 0;
  const clear = (): void => {
    if (width > 0) io.err(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  return {
    clear,
    show: ({ api, step }) => {
      clear();
      const line = toTerminalText(`${api}: ${step} …`).slice(0, 79);
      width = line.length;
      io.err(line);
    },
  };
}
