import { createRequire } from 'node:module';

import type * as Yaml from 'yaml';

let library: typeof Yaml | undefined;

/** Loads the YAML library, which takes 25 ms, when the first text is not JSON. */
export function loadYaml(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return library;
}
