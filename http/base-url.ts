import type { Server } from '../model/api.js';

/** More spellings of one server's path than this are not looked at. */
const MAX_SPELLINGS = 64;

/**
 * The base paths under which an operation is served, without a slash at the end: one for each server, and for each
 * value of a variable that the path of a server has.
 *
 * @example basePaths([{ url: 'https://example.com/{version}/', variables: { version: { default: 'v1', enum: ['v1', 'v2'] } } }])
 * // ['/v1', '/v2']
 */
export function basePaths(servers: readonly Server[]): string[] {
  if (servers.length === 0) return [''];
  return [...new Set(servers.flatMap((server) => spellings(pathOf(server.url), server.variables)))];
}

/** A `{variable}` may be the host or the scheme, so the text need not be a URL yet. */
function pathOf(url: string): string {
  const path = url.replace(/^(?:[^/?#]*:)?\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  return path.startsWith('/') || path === '' ? path : `/${path}`;
}

function spellings(path: string, variables: Server['variables']): string[] {
  const name = /\{([^{}]*)\}/.exec(path)?.[1];
  if (name === undefined) return [path.replace(/(?<!\/)\/+$/, '')];
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
