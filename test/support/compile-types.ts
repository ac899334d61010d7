import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { TSC } from './compiler.js';
import { writeTo } from './temp-folder.js';

/** Below our own: what most projects are compiled for. */
const TARGET = { target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] };

/** Flags of strict projects which our own sources do without. */
const STRICTER = { noPropertyAccessFromIndexSignature: true, allowUnreachableCode: false, allowUnusedLabels: false };

/** Our own strict flags and more, without anything of Node: output needs nothing but the platform. */
function strictOptions(): object {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
  return { ...compilerOptions, ...TARGET, ...STRICTER, types: [], skipLibCheck: false, skipDefaultLibCheck: true };
}

/** Type-checks every file of a folder in one run of the compiler; gives what it says, empty where all is well. */
export function compileFolder(folder: string, flags: object = {}): Promise<string> {
  return compileFiles(folder, '**/*.ts', flags);
}

/** The same for files elsewhere; the folder takes the configuration. */
export async function compileFiles(folder: string, files: string, flags: object = {}): Promise<string> {
  writeTo(folder, 'package.json', '{ "type": "module" }');
  const compilerOptions = { ...strictOptions(), ...flags };
  writeTo(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, include: [files] }));
  const run = promisify(execFile)(TSC, ['-p', folder], { maxBuffer: 1 << 26 });
  return run.then(
    ({ stdout }) => stdout,
    // A compiler that crashes prints nothing.
    (error: unknown) => (error as { stdout?: string }).stdout || String(error),
  );
}
