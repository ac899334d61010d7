import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { type BuildOptions, build } from 'esbuild';

import { NODE } from './contenders.js';

/**
 * Bundles a module of a folder; gives the bytes that load with it, minified and compressed. What it imports only when it
 * needs it is a chunk of its own.
 */
export async function measureBundle(folder: string, contents: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    ...settings(folder, contents),
    splitting: true,
    outdir: folder,
    metafile: true,
    write: false,
  });
  const chunks = Object.entries(metafile.outputs);
  const entry = chunks.find(([, { entryPoint }]) => entryPoint === '<stdin>')?.[0] ?? '';
  const loaded = new Set([entry]);
  for (const name of loaded)
    for (const { path: file, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(file);
  const files = outputFiles.filter(({ path: file }) => loaded.has(path.relative(process.cwd(), file)));
  return files.reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);
}

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

/** Microseconds of CPU time of each module's `turn`: all in one process, in turn. */
export async function timeInTurn(
  work: string,
  modules: readonly { readonly folder: string; readonly code: string }[],
): Promise<number[]> {
  const files = modules.map((_, index) => path.join(work, `turn-${index}.mjs`));
  for (const [index, { folder, code }] of modules.entries()) {
    await build({ ...settings(folder, code), outfile: files[index] ?? '' });
  }
  const script = path.join(import.meta.dirname, 'time-in-turn.mjs');
  const { status, stdout, stderr } = spawnSync(NODE, [script, ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} failed: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout) as number[];
}
