import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

import { packageRoot } from '../../model/package-info.js';
import { PROCESS_FOLDER } from './specmill-process.js';

/** A mock in its own process, which a test may end at any moment. */
export interface KillableMock extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Ends the process at once, as a loss of it would. */
  readonly kill: () => Promise<void>;
  /** Ends it as a user does. */
  readonly stop: () => Promise<void>;
  readonly errors: () => string;
}

/** Starts the built command for one API on a free port. */
export async function startKillableMock(api: string, ...argv: string[]): Promise<KillableMock> {
  const bin = path.join(packageRoot, 'dist/cli/main.js');
  const child = spawn(process.execPath, [bin, 'mock', api, '--port', '0', '--json', ...argv], {
    cwd: PROCESS_FOLDER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const line = await Promise.race([
    readLine(child),
    ended.then((status) => Promise.reject(new Error(`mock: exit ${status}: ${errors}`))),
  ]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const { mocks } = JSON.parse(line) as { readonly mocks: readonly { readonly url: string }[] };
  return {
    url: mocks[0]?.url ?? '',
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    errors: () => errors,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

function readLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
  });
}
