import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The text of a meta-schema of JSON Schema (draft-04, 06, 07, 2019-09 and 2020-12), which comes with the package;
 * `undefined` for another address.
 */
export function readMetaschema(address: string): Buffer | undefined {
  const match = /^https?:\/\/json-schema\.org\/((?:draft-0[467]|draft\/20(?:19-09|20-12))\/(?:meta\/)?[\w-]+)$/.exec(
    address,
  );
  if (match === null) return undefined;
  // The path starts at the package, because source and build are at different depths.
  const manifest = createRequire(import.meta.url).resolve('specmill/package.json');
  const file = path.join(path.dirname(manifest), 'model/document/metaschemas', `${match[1]}.json`);
  return existsSync(file) ? readFileSync(file) : undefined;
}
