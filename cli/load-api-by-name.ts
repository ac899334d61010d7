import path from 'node:path';

import { readConfig } from '../generator/generate-options.js';
import type { Api } from '../model/api.js';
import { BUILT_IN_APIS, findSpecs } from '../config/built-in-apis.js';
import { hasConfig } from '../config/load-config.js';
import { unknownApi } from '../config/resolve-config.js';

/** Where a command looks for APIs. */
export interface ApiLookup {
  readonly cwd: string;
  /** As given on the command line. */
  readonly configFile: string | undefined;
  /** As given on the command line, in the place of that of the configuration. */
  readonly vendor: string | undefined;
}

/**
 * The API of that name in the user's configuration, with the real names that it is given there, else the one that comes with
 * specmill.
 *
 * @throws InputError where there is none of that name, or the configuration is bad.
 * @throws SpecError where its spec cannot be used.
 */
export async function loadApiByName(name: string, { cwd, configFile, vendor }: ApiLookup): Promise<Api> {
  const isConfigured = configFile !== undefined || hasConfig(cwd);
  const { config, folder } = isConfigured
    ? await readConfig(cwd, configFile)
    : { config: { apis: {} }, folder: path.resolve(cwd) };
  const specs = findSpecs(name, { ...config, folder });
  if (specs === undefined) throw unknownApi(name, [...new Set([...Object.keys(config.apis), ...BUILT_IN_APIS])]);
  const { loadApi } = await import('../model/load-api.js');
  const configured = Object.entries(config.apis).find(([known]) => known === name)?.[1];
  return loadApi(specs, { vendor: vendor ?? configured?.vendor });
}
