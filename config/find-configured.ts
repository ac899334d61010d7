import path from 'node:path';

import type { ResolvedApi } from './config-types.js';
import { hasConfig, loadConfig } from './load-config.js';
import { resolveApis } from './resolve-config.js';

/** The part of a configuration that concerns one API. */
export interface ConfiguredApi {
  /** Absent if there is no configuration, or it does not name the API. */
  readonly configured: ResolvedApi<unknown> | undefined;
  /** Absolute path of the configuration. */
  readonly file: string | undefined;
  /** The names of all configured APIs; absent if there is no configuration. */
  readonly known: readonly string[] | undefined;
}

/**
 * Looks an API up in the user's configuration, for callers that need its spec but no emitters.
 *
 * @throws InputError if the configuration cannot be read or is invalid.
 */
export async function findConfigured(
  name: string,
  { cwd, configFile }: { readonly cwd: string; readonly configFile: string | undefined },
): Promise<ConfiguredApi> {
  if (configFile === undefined && !hasConfig(cwd)) return { configured: undefined, file: undefined, known: undefined };
  const { file, config } = await loadConfig({
    cwd,
    file: configFile,
    exports: { defineConfig: unchanged, defineEmitter: unchanged },
  });
  const known = Object.keys(config.apis);
  if (!known.includes(name)) return { configured: undefined, file, known };
  const [configured] = resolveApis(config, path.dirname(file), { file, names: [name] });
  return { configured, file, known };
}

/** The exports of `specmill` that a configuration calls while it is loaded. */
function unchanged(value: unknown): unknown {
  return value;
}
