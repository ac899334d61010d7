import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { type BuildOptions, type Plugin, build } from 'esbuild';

import { NODE } from './contenders.js';

/**
 * Bundles a module of a folder; gives the bytes that load with it, minified and compressed: without what it imports only
 * when it needs it.
 */
export async function measureBundle(folder: string, contents: string): Promise<number> {
  const { outputFiles } = await build({ ...settings(folder, contents), plugins: [LATER], write: false });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

const LATER: Plugin = {
  name: 'later',
  setup: (builder) => {
    builder.onResolve({ filter: /^/ }, ({ kind, path: place }) =>
      kind === 'dynamic-import' ? { path: place, external: true } : undefined,
    );
  },
};

function settings(folder: string, contents: string): BuildOptions {
  return {
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
  };
}

const PROCESSES = 5;

/**
 * Microseconds of CPU time of each module's `turn`: all in one process, in turn. A list of rounds by module; the rounds of
 * all modules correspond. There are several processes, in each of which another module is compiled first, because that one is
 * faster.
 */
export async function timeInTurn(
  work: string,
  modules: readonly { readonly folder: string; readonly code: string }[],
): Promise<number[][]> {
  const files = modules.map((_, index) => path.join(work, `turn-${index}.mjs`));
  for (const [index, { folder, code }] of modules.entries())
    await build({ ...settings(folder, code), outfile: files[index] ?? '' });
  const times = files.map((): number[] => []);
  for (let first = 0; first < PROCESSES; first += 1) {
    const order = files.map((_, index) => (index + first) % files.length);
    const rounds = timeOnce(order.map((index) => files[index] ?? ''));
    for (const [place, index] of order.entries()) times[index]?.push(...(rounds[place] ?? []));
  }
  return times;
}

function timeOnce(files: readonly string[]): number[][] {
  const script = path.join(import.meta.dirname, 'time-in-turn.mjs');
  const { status, stdout, stderr } = spawnSync(NODE, [script, ...files], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${script} failed: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout) as number[][];
}
