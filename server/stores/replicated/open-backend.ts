import path from 'node:path';

import { toFileName } from '../../../model/identifiers.js';
import { InputError } from '../../../model/diagnostics/input-error.js';
import { type RedisLocation, parseRedisUrl } from './redis-connection.js';
import type { StateBackend } from './state-backend.js';

export type StateLocation =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'redis'; readonly redis: RedisLocation };

/** @throws InputError if both options are given, or one is invalid. */
export function locateState(
  { state, store }: { readonly state?: string; readonly store?: string },
  cwd: string,
): StateLocation | undefined {
  if (state !== undefined && store !== undefined)
    throw new InputError('The options state and store exclude each other: the state is stored in one place.');
  if (state === '') throw new InputError('The option state must name a directory.');
  if (state !== undefined) return { kind: 'directory', directory: path.resolve(cwd, state) };
  return store === undefined ? undefined : { kind: 'redis', redis: parseRedisUrl(store) };
}

/**
 * Opens the backend that stores the state of a mock. Each API has its own part.
 *
 * @throws InputError if it cannot be used.
 */
export async function openBackend(location: StateLocation, api: string): Promise<StateBackend> {
  if (location.kind === 'redis') {
    const { openRedisBackend } = await import('./redis-backend.js');
    return openRedisBackend(location.redis, toFileName(api));
  }
  const { openLmdbBackend } = await import('./lmdb-backend.js');
  return openLmdbBackend(path.join(location.directory, toFileName(api)));
}
