import path from 'node:path';

import type { Api } from '../../../model/api.js';
import { BUILT_IN_APIS, findBuiltInSpecs } from '../../../config/built-in-apis.js';
import { loadApi } from '../../../model/load-api.js';
import { packageRoot } from '../../../model/package-info.js';

/** The APIs whose specs are held true. */
export const SPEC_NAMES: readonly string[] = BUILT_IN_APIS;

const loaded = new Map<string, Promise<Api>>();

/** The path of a file under specs/. */
export function specPath(...parts: readonly string[]): string {
  return path.join(packageRoot, 'specs', ...parts);
}

/** A hand-written spec with every document that belongs to it, read once for each test file. */
export function loadSpec(name: string): Promise<Api> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const api = loadApi(findBuiltInSpecs(name) ?? []);
  loaded.set(name, api);
  return api;
}
