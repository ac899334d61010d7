import { readFileSync } from 'node:fs';
import path from 'node:path';

import { packageRoot } from '../model/package-info.js';
import type { GeneratedFile } from './emitter.js';

const sources = new Map<string, string>();
const files = new Map<string, GeneratedFile>();

/** A module of `runtime/` as a file of the output. The same module is always the same object. */
function runtimeFile(name: string): GeneratedFile {
  let file = files.get(name);
  if (file === undefined) {
    file = { path: `runtime/${name}.ts`, contents: readSource(name) };
    files.set(name, file);
  }
  return file;
}

/** The named modules of `runtime/` and all modules that they import, sorted by name. */
export function runtimeFiles(names: Iterable<string>): GeneratedFile[] {
  const found = new Set<string>(names);
  for (const name of found) {
    for (const [, imported = ''] of readSource(name).matchAll(/ from '\.\/([\w-]+)\.js';/g)) found.add(imported);
  }
  return [...found].toSorted().map(runtimeFile);
}

function readSource(name: string): string {
  let source = sources.get(name);
  if (source === undefined) {
    source = readFileSync(path.join(packageRoot, 'runtime', `${name}.ts`), 'utf8');
    sources.set(name, source);
  }
  return source;
}
