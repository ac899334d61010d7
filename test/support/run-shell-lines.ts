import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs lines of a shell. Gives the last response that they print, from its status line on. */
export async function runShellLines(lines: string, cwd: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], { cwd });
  return stdout.slice(Math.max(0, stdout.lastIndexOf('HTTP/1.1 ')));
}
