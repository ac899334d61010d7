import { createRequire } from 'node:module';

import type * as FastYaml from 'js-yaml';
import type * as Yaml from 'yaml';

const load = createRequire(import.meta.url);
let library: typeof Yaml | undefined;
let fastLibrary: typeof FastYaml | undefined;

/** Loads the YAML library with positions, which takes 25 ms, when the first text needs it. */
export function loadYaml(): typeof Yaml {
  library ??= load('yaml') as typeof Yaml;
  return library;
}

/** Loads the YAML library that makes plain values only, when the first text is not JSON. */
export function loadFastYaml(): typeof FastYaml {
  fastLibrary ??= load('js-yaml') as typeof FastYaml;
  return fastLibrary;
}
