import { execFileSync } from 'node:child_process';

/** The arguments that bash gives to curl for a line. Nothing else of the line may run. */
export function wordsOf(line: string): string[] {
  const script = `PATH=/nowhere; curl() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync('bash', ['-c', script], { env }).toString().split('\0').slice(0, -1);
}
