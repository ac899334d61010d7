import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type BuildResult } from 'esbuild';
import { afterAll } from 'vitest';

import type { GeneratedFile } from '../../generator/emitter.js';
import { validatorsEmitter } from '../../generator/validators/emit-validators.js';
import type { Api } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { writeTo } from './temp-folder.js';

export interface EmittedValidators {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string | undefined>;
  readonly diagnostics: readonly Diagnostic[];
}

const folders: string[] = [];

// A hook for one test would remove what a whole file shares.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs the emitter and writes its files to their own folder. */
export async function emitValidators(api: Api, others: readonly GeneratedFile[] = []): Promise<EmittedValidators> {
  const diagnostics: Diagnostic[] = [];
  const emitters = new Set(['types', 'validators']);
  const emitted = await validatorsEmitter.emit(api, {
    apiName: 'test',
    emitters,
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-validators-'));
  folders.push(folder);
  const files = new Map<string, string>();
  for (const file of [...others, ...emitted]) {
    const contents = typeof file.contents === 'string' ? file.contents : await file.contents();
    files.set(file.path, contents);
    writeTo(folder, file.path, contents);
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  return { folder, files, keys: new Map(emitted.map(({ path: name }) => [name, files.get(name)])), diagnostics };
}

/** The exports of a module of the output. It is bundled for no platform at all, so an import from outside would fail. */
export async function importEmitted(
  { folder }: EmittedValidators,
  module: string,
): Promise<Readonly<Record<string, (...values: unknown[]) => unknown>>> {
  const outfile = path.join(folder, `${module.replaceAll('/', '-')}.mjs`);
  await bundle(path.join(folder, `${module}.ts`), outfile);
  return (await import(pathToFileURL(outfile).href)) as Readonly<Record<string, (...values: unknown[]) => unknown>>;
}

/** What a bundler makes of a program that uses the output. */
export async function bundleProgram({ folder }: EmittedValidators, program: string): Promise<string> {
  writeFileSync(path.join(folder, 'program.ts'), program);
  const { outputFiles } = await bundle(path.join(folder, 'program.ts'));
  return outputFiles?.[0]?.text ?? '';
}

async function bundle(entry: string, outfile?: string): Promise<BuildResult> {
  return await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    ...(outfile === undefined ? { write: false } : { outfile }),
  });
}
