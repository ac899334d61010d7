import type { ExitStatus, Io } from '../../cli/io.js';
import { runCli } from '../../cli/run-cli.js';

/** What a run of the command line gave. */
export interface CapturedRun {
  readonly status: ExitStatus;
  readonly out: string;
  readonly err: string;
}

/** Runs specmill in process, in a folder. */
export async function runCaptured(cwd: string, ...argv: string[]): Promise<CapturedRun> {
  const captured = captureIo(cwd);
  const status = await runCli(argv, captured.io);
  return { status, ...captured.texts };
}

/** An {@link Io} that keeps what is printed. */
export function captureIo(
  cwd: string,
  signal: AbortSignal = new AbortController().signal,
): { io: Io; texts: { out: string; err: string } } {
  const texts = { out: '', err: '' };
  const io: Io = {
    cwd,
    stopSignal: () => signal,
    onWriteSignal: () => {},
    isTerminal: false,
    out: (text) => void (texts.out += text),
    err: (text) => void (texts.err += text),
  };
  return { io, texts };
}
