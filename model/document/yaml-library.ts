import { createRequire } from 'node:module';

import type * as Yaml from 'yaml';

let library: typeof Yaml | undefined;

/** The library that reads YAML, loaded when the first text is no JSON: that takes 25 ms. */
export function loadYaml(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return library;
}
