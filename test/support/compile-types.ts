import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { writeTo } from './temp-folder.js';

const TSC = path.resolve('node_modules/typescript/bin/tsc');

/** Below our own: what most projects are compiled for. */
const TARGET = { target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] };

/** Our own strict flags, without anything of Node: output needs nothing but the platform. */
function strictOptions(): object {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
  return { ...compilerOptions, ...TARGET, types: [], skipLibCheck: false, skipDefaultLibCheck: true };
}

/** Type-checks every file of a folder in one run of the compiler; gives what it says, empty where all is well. */
export function compileFolder(folder: string): Promise<string> {
  return compileFiles(folder, '**/*.ts');
}

/** The same for files elsewhere; the folder takes the configuration. */
export async function compileFiles(folder: string, files: string): Promise<string> {
  writeTo(folder, 'package.json', '{ "type": "module" }');
  writeTo(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: strictOptions(), include: [files] }));
  const run = promisify(execFile)(process.execPath, [TSC, '-p', folder], { maxBuffer: 1 << 26 });
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => String((error as { stdout?: unknown }).stdout ?? error),
  );
}
