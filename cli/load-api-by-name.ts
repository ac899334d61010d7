import path from 'node:path';

import { readConfig } from '../generator/generate-options.js';
import { isSpecAddress, resolveAddress } from '../model/document/address.js';
import type { Api } from '../model/api.js';
import { BUILT_IN_APIS, findSpecs } from '../config/built-in-apis.js';
import { hasConfig } from '../config/load-config.js';
import { mergeLoading, resolveLoading } from '../config/option-checks.js';
import { resolveApis, unknownApi } from '../config/resolve-config.js';

/** Where a command looks for APIs. */
export interface ApiLookup {
  readonly cwd: string;
  /** As given on the command line. */
  readonly configFile: string | undefined;
  /** As given on the command line; overrides that of the configuration. */
  readonly vendor: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowRemote?: boolean;
  readonly root?: string;
}

/**
 * The API of that path or URL, or of that name in the user's configuration, with the real names that it is given there, else the one that comes with
 * specmill.
 *
 * @throws InputError if no API has that name, or the configuration is invalid.
 * @throws SpecError if its spec cannot be used.
 */
export async function loadApiByName(name: string, lookup: ApiLookup): Promise<Api> {
  const { cwd, configFile, vendor } = lookup;
  const given = resolveLoading(lookup, cwd);
  const { loadApi } = await import('../model/load-api.js');
  if (isSpecAddress(name)) return loadApi(resolveAddress(cwd, name), { ...given, vendor });
  const isConfigured = configFile !== undefined || hasConfig(cwd);
  const { config, folder } = isConfigured
    ? await readConfig(cwd, configFile)
    : { config: { apis: {} }, folder: path.resolve(cwd) };
  const specs = findSpecs(name, { ...config, folder });
  if (specs === undefined)
    throw unknownApi(name, [...new Set([...Object.keys(config.apis), ...BUILT_IN_APIS])], isConfigured);
  const configured = Object.entries(config.apis).find(([known]) => known === name)?.[1];
  const [api] = configured === undefined ? [] : resolveApis(config, folder, { names: [name] });
  return loadApi(specs, { ...mergeLoading(api?.load, given), vendor: vendor ?? api?.vendor });
}
