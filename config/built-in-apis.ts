import path from 'node:path';

import { resolveAddress } from '../model/document/address.js';
import { packageRoot } from '../model/package-info.js';
import type { SpecmillConfig } from './config-types.js';

export interface BuiltInApi {
  readonly name: string;
  /** The files of its spec in `specs/<name>/`. */
  readonly specs: readonly string[];
  /** The module with its behaviour, which exports `mock`: a path from the root of the sources, without extension. */
  readonly mock?: string;
  /** The default port of its mock. */
  readonly port?: number;
  /** The API whose mock serves and enforces this one. */
  readonly servedBy?: string;
  /** Options of `specmill mock` that only this mock supports. */
  readonly options?: readonly string[];
}

/** The only list of the APIs that come with specmill. */
const BUILT_IN: readonly BuiltInApi[] = [
  { name: 'signing', specs: ['openapi.yaml'], mock: 'mocks/signing/index', port: 4010 },
  { name: 'generation', specs: ['openapi.yaml'], mock: 'mocks/generation/index', port: 4011 },
  { name: 'dictionary', specs: ['openapi.yaml'], mock: 'mocks/dictionary/index', port: 4012, options: ['words'] },
  {
    name: 'engine',
    specs: ['config.schema.json', 'openapi.yaml'],
    mock: 'mocks/engine/index',
    port: 4013,
    options: ['engine-config', 'engine-schema'],
  },
  { name: 'tables', specs: ['openapi.yaml'], mock: 'mocks/tables/index', port: 4014 },
  { name: 'notifications', specs: ['openapi.yaml'], mock: 'mocks/notifications/index', port: 4015 },
  { name: 'rate-limits', specs: ['openapi.yaml', 'policy.schema.json'], servedBy: 'notifications' },
];

export const BUILT_IN_APIS: readonly string[] = BUILT_IN.map(({ name }) => name);

/** The lowest default port. */
export const FIRST_PORT = 4010;

/** The port after those of the built-in APIs. */
export const FIRST_OTHER_PORT: number = Math.max(...BUILT_IN.map(({ port = 0 }) => port)) + 1;

export function findBuiltInApi(name: string): BuiltInApi | undefined {
  return BUILT_IN.find((api) => api.name === name);
}

/** Paths of the specs of a built-in API, or `undefined` for any other name. */
export function findBuiltInSpecs(name: string): readonly string[] | undefined {
  return findBuiltInApi(name)?.specs.map((file) => path.join(packageRoot, 'specs', name, file));
}

/** Paths of the specs that an API's mock serves besides its own. JSON Schema files have no routes and are left out. */
export function findSpecsServedWith(name: string): readonly string[] {
  return BUILT_IN.filter(({ servedBy }) => servedBy === name).flatMap((other) =>
    (findBuiltInSpecs(other.name) ?? []).filter((file) => path.basename(file).startsWith('openapi')),
  );
}

/** Names of the APIs whose mock supports an option, or `undefined` if all do. */
export function findApisWithOption(option: string): readonly string[] | undefined {
  const names = BUILT_IN.filter(({ options = [] }) => options.includes(option)).map(({ name }) => name);
  return names.length === 0 ? undefined : names;
}

/** The specs of an API by name: from the configuration, else those that come with specmill. */
export function findSpecs<TEmitter>(name: string, configured: ConfiguredApis<TEmitter>): readonly string[] | undefined {
  const api = Object.hasOwn(configured.apis, name) ? configured.apis[name] : undefined;
  if (api === undefined) return findBuiltInSpecs(name);
  return [api.spec].flat().map((spec) => resolveAddress(configured.folder, spec));
}

/** A configuration, and the folder to which its paths are relative. */
export interface ConfiguredApis<TEmitter> extends SpecmillConfig<TEmitter> {
  readonly folder: string;
}
