import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { getOrInsert } from '../../model/maps.js';
import { packageRoot } from '../../model/package-info.js';

const FLAGS = {
  ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'nodenext', types: [], strict: true },
  ...{ noUnusedLocals: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ noEmit: true, skipDefaultLibCheck: true },
};

/** Outputs that the compiler reads at a time: all together take gigabytes. */
const BATCH = 50;

/** The errors of the compiler for the outputs in a folder, by the name of the folder of the output. */
export function typeCheck(at: string, outputs: readonly string[]): Map<string, readonly string[]> {
  writeFileSync(path.join(at, 'package.json'), '{"type":"module"}');
  shareRuntime(at, outputs);
  const errors = new Map<string, string[]>();
  for (let start = 0; start < outputs.length; start += BATCH) {
    for (const line of compile(at, outputs.slice(start, start + BATCH)).split('\n')) {
      const [output = '', ...place] = line.split('/');
      if (!/^\d+$/.test(output)) continue;
      getOrInsert(errors, output, () => []).push(place.join('/'));
    }
  }
  return errors;
}

/** Lets outputs link to the files of the runtime that an output before them has too, so that each is checked once. */
function shareRuntime(at: string, outputs: readonly string[]): void {
  const known = new Map<string, string>();
  for (const output of outputs) {
    const folder = path.join(at, output, 'runtime');
    const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = path.join(entry.parentPath, entry.name);
      const key = `${path.relative(folder, file)}\n${readFileSync(file, 'utf8')}`;
      const first = getOrInsert(known, key, () => file);
      if (first === file) continue;
      rmSync(file);
      symlinkSync(first, file);
    }
  }
}

/** What the compiler prints; empty if all is right. */
function compile(at: string, outputs: readonly string[]): string {
  const include = outputs.map((output) => `${output}/*.ts`);
  writeFileSync(path.join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: FLAGS, include }));
  try {
    const tsc = path.join(packageRoot, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', at], { cwd: at, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
