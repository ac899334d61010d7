import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The packages that `npm ci --prefix` would install in a folder of tests and that are missing, or have another version. */
export function findMissingPackages(folder: string): readonly string[] {
  const { devDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(devDependencies).flatMap(([name, wanted]) => {
    // An alias names its package too: `npm:typescript@5.4.5`.
    const version = wanted.slice(wanted.lastIndexOf('@') + 1);
    return versionOf(path.join(folder, 'node_modules', name, 'package.json')) === version ? [] : [`${name}@${version}`];
  });
}

/** Whether the tests of a folder run: where its packages are, and always in CI. */
export function hasPackages(folder: string): boolean {
  return process.env['CI'] !== undefined || findMissingPackages(folder).length === 0;
}

function versionOf(manifest: string): string | undefined {
  if (!existsSync(manifest)) return undefined;
  // The packages of Node's binaries write their version with a v.
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version.replace(/^v/, '');
}
