import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { packageRoot } from '../../model/package-info.js';

const BIN = path.join(packageRoot, 'dist/cli/main.js');

/** `npm test` builds first; a run of vitest alone may have no build. CI must have one. */
export const isBuilt: boolean = existsSync(BIN) || process.env['CI'] !== undefined;

/** Away from our own configuration: to compile it takes each process a quarter of its start. */
export const PROCESS_FOLDER: string = tmpdir();

export interface FinishedProcess {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command to its end. */
export async function runSpecmill(...argv: string[]): Promise<FinishedProcess> {
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: PROCESS_FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, ...texts };
}

/** Mocks in their own process. */
export interface MockProcess extends AsyncDisposable {
  /** By name. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Starts `specmill mock` on free ports. */
export async function startMockProcess(...argv: string[]): Promise<MockProcess> {
  const child = spawn(process.execPath, [BIN, 'mock', '--port', '0', '--json', ...argv], {
    cwd: PROCESS_FOLDER,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const ready = new Promise<string>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
  });
  const line = await Promise.race([ready, ended.then((status) => Promise.reject(new Error(`mock: exit ${status}`)))]);
  const { mocks } = JSON.parse(line) as { readonly mocks: readonly { readonly name: string; readonly url: string }[] };
  return {
    urls: Object.fromEntries(mocks.map(({ name, url }) => [name, url])),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
