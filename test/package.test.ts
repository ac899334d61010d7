import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [[name, entry] as const],
);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([\w@./:-]+)["']/g;

/** All that a declaration leads to: files of our own, and the names of packages. */
function reachable(entry: string): { files: readonly string[]; packages: readonly string[] } {
  const files = new Set([path.join(root, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (specifier.startsWith('.')) files.add(path.resolve(path.dirname(file), specifier.replace(/\.js$/, '.d.ts')));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return { files: [...files], packages: [...packages] };
}

describe.each(entries)('the entry point %s', (_name, entry) => {
  it('has its files', () => expect([entry.types, entry.default].filter((file) => !existsSync(file))).toEqual([]));

  // Not all packages that we stand on bring types, and who checks libraries too would have to add them.
  it('has declarations that need nobody else’s', () => {
    const { files, packages } = reachable(entry.types);
    expect(files.length).toBeGreaterThan(5);
    expect(packages).toEqual([]);
  });
});
