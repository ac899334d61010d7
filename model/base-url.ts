import type { Server } from './api.js';
import { getOrInsert } from './maps.js';

/** The most spellings of one server's path. */
const MAX_SPELLINGS = 64;

/**
 * Returns the base paths of an operation without a trailing slash: one for each server and each value of the variables
 * in its path.
 *
 * @example basePaths([{ url: 'https://example.com/{version}/', variables: { version: { default: 'v1', enum: ['v1', 'v2'] } } }])
 * // ['/v1', '/v2']
 */
export function basePaths(servers: readonly Server[]): readonly string[] {
  return getOrInsert(known, servers, () => findBasePaths(servers));
}

/** Most operations have the servers of the document: one list for all. */
const known = new WeakMap<readonly Server[], readonly string[]>();

function findBasePaths(servers: readonly Server[]): readonly string[] {
  if (servers.length === 0) return [''];
  return [...new Set(servers.flatMap((server) => spellings(pathOf(server), server.variables)))];
}

/** Returns the path of a server. Does not parse a URL, because scheme, host or path may be a `{variable}`. */
function pathOf({ url, variables }: Server): string {
  // A path that is the value of a variable begins with it: `https://example.com{base}`.
  const marked = url.replaceAll(/(?<!\/)\{([^{}]*)\}/g, (variable, name: string) =>
    Object.hasOwn(variables, name) && /^\/(?!\/)/.test(variables[name]?.default ?? '') ? `/${variable}` : variable,
  );
  const path = marked.replace(/^(?:[^/?#]*:)?\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  return path.startsWith('/') || path === '' ? path : `/${path}`;
}

function spellings(path: string, variables: Server['variables']): string[] {
  const name = /\{([^{}]*)\}/.exec(path)?.[1];
  // The value of a variable may start or end with a slash: `{base}` is `/api`.
  if (name === undefined) return [path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')];
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const values = new Set([variable?.default ?? '', ...(variable?.enum ?? [])]);
  return [...values]
    .flatMap((value) =>
      spellings(
        path.replace(`{${name}}`, () => value.replace(/[{}]/g, '')),
        variables,
      ),
    )
    .slice(0, MAX_SPELLINGS);
}
