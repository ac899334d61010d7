import path from 'node:path';

import { packageRoot } from '../model/package-info.js';
import type { SpecmillConfig } from './config-types.js';

/** The specs that come with specmill, by API name: what a command uses for a name that the user has not configured. */
const BUILT_IN_SPECS = {
  signing: ['openapi.yaml'],
  generation: ['openapi.yaml'],
  dictionary: ['openapi.yaml'],
  engine: ['config.schema.json', 'openapi.yaml'],
  tables: ['openapi.yaml'],
  notifications: ['openapi.yaml'],
  'rate-limits': ['openapi.yaml', 'policy.schema.json'],
} as const;

/** Paths of the specs of a built-in API, or `undefined` for any other name. */
export function findBuiltInSpecs(name: string): readonly string[] | undefined {
  const files = Object.entries<readonly string[]>(BUILT_IN_SPECS).find(([known]) => known === name)?.[1];
  return files?.map((file) => path.join(packageRoot, 'specs', name, file));
}

/** Names of the built-in APIs. */
export const BUILT_IN_APIS: readonly string[] = Object.keys(BUILT_IN_SPECS);

/** The specs of an API by name: those of the configuration, else those that come with specmill. */
export function findSpecs<TEmitter>(name: string, configured: ConfiguredApis<TEmitter>): readonly string[] | undefined {
  const api = Object.hasOwn(configured.apis, name) ? configured.apis[name] : undefined;
  if (api === undefined) return findBuiltInSpecs(name);
  return [api.spec].flat().map((spec) => path.resolve(configured.folder, spec));
}

/** A configuration, and the folder that its paths are relative to. */
export interface ConfiguredApis<TEmitter> extends SpecmillConfig<TEmitter> {
  readonly folder: string;
}
