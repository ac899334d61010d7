import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The client libraries that `npm ci --prefix test/clients` would install and that are not there, or not in their version. */
export function findMissingClients(): readonly string[] {
  const { devDependencies } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(devDependencies).flatMap(([name, version]) =>
    versionOf(name) === version ? [] : [`${name}@${version}`],
  );
}

function versionOf(name: string): string | undefined {
  const manifest = path.join(import.meta.dirname, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}
