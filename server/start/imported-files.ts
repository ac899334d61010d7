import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Matches an import of a local file: `from './x.js'`, `import './x.js'`, `import('./x.js')`. */
const IMPORT = /(?:\bfrom|\bimport)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+)["']/g;
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js'];

/** A module and the files that it imports by a relative path, and those that they import; packages are left out. */
export function importedFiles(entry: string): readonly string[] {
  const files = new Set([path.resolve(entry)]);
  // A set is walked in the order of insertion, so files that are found on the way are walked too.
  for (const file of files) {
    if (!/\.[mc]?[jt]s$/.test(file) || !existsSync(file)) continue;
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const found = resolveImport(path.resolve(path.dirname(file), specifier));
      if (found !== undefined) files.add(found);
    }
  }
  return [...files];
}

/** In TypeScript a file is imported by the name that it has once it is compiled. */
function resolveImport(target: string): string | undefined {
  const names = [target.replace(/\.([mc]?)js$/, '.$1ts'), ...ENDINGS.map((ending) => target + ending)];
  return names.find((name) => existsSync(name) && path.extname(name) !== '');
}
