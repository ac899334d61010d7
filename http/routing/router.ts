import { wireMethod } from '../../model/http-method.js';
import type { Api, Operation } from '../../model/api.js';
import { RouteTree, type RouteLeaf } from '../../runtime/route-tree.js';
import { specialRoutes } from '../../runtime/special-routes.js';
import { pathRules } from '../../schema/path-rules.js';
import { getOrInsert } from '../../model/maps.js';
import { basePaths } from '../../model/base-url.js';

export type RouteMatch =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      /** Still encoded. */ readonly values: ReadonlyMap<string, string>;
    }
  /** OPTIONS on a path that does not document it. */
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown-path' }
  /** The percent-encoding is broken. */
  | { readonly kind: 'malformed' };

/** Finds the operation for a case-sensitive method and an encoded path without the query. */
export type FindRoute = (method: string, path: string) => RouteMatch;

const routers = new WeakMap<Api, FindRoute>();

/** The router of an API, made once for all that route its requests. */
export function routerOf(api: Api): FindRoute {
  return getOrInsert(routers, api, () => createRouter(api));
}

const NO_VALUES: ReadonlyMap<string, string> = new Map();

/**
 * Indexes the operations of an API by path. Paths match below the base paths of the servers, or else without a base
 * path, for clients that know only the mock's host. Trailing and repeated slashes are ignored, unless the spec has such
 * a path.
 */
export function createRouter(api: Api): FindRoute {
  const foldsCase = api.extensions['x-path-any-case'] === true;
  const served = new RouteTree<Operation>(foldsCase, specialRoutes);
  const bare = new RouteTree<Operation>(foldsCase, specialRoutes);
  const fixed = new Map<string, RouteMatch>();
  for (const operation of api.operations) {
    const bases = basePaths(operation.servers);
    for (const base of bases) {
      served.add(base + operation.path, wireMethod(operation.method), operation, pathRules(operation));
      if (!operation.path.includes('{')) rememberFixed(fixed, base + operation.path, operation);
    }
    if (!bases.includes('')) bare.add(operation.path, wireMethod(operation.method), operation, pathRules(operation));
  }
  const trees = [served, bare];
  return (method, path) => fixed.get(`${method} ${path}`) ?? findInTrees(trees, method, path);
}

/** Indexes paths without parameters for a direct lookup, which gives the same result as the tree. */
function rememberFixed(fixed: Map<string, RouteMatch>, path: string, operation: Operation): void {
  const key = `${wireMethod(operation.method)} ${path}`;
  if (!fixed.has(key)) fixed.set(key, { kind: 'operation', operation, values: NO_VALUES });
}

function findInTrees(trees: readonly RouteTree<Operation>[], method: string, path: string): RouteMatch {
  if (method === 'OPTIONS' && path === '*') return { kind: 'options', allow: 'GET, HEAD, OPTIONS' };
  try {
    for (const tree of trees) {
      const exact = findIn(tree, method, path);
      if (exact.kind !== 'unknown-path') return exact;
      for (const spelling of otherSpellings(path)) {
        const match = findIn(tree, method, spelling);
        if (match.kind !== 'unknown-path') return match;
      }
    }
    return { kind: 'unknown-path' };
  } catch (error) {
    if (error instanceof URIError) return { kind: 'malformed' };
    throw error;
  }
}

function* otherSpellings(path: string): Iterable<string> {
  const single = path.replace(/\/{2,}/g, '/');
  if (single !== path) yield single;
  if (single.endsWith('/') && single.length > 1) yield single.slice(0, -1);
  else if (single !== '/') yield `${single}/`;
}

function findIn(tree: RouteTree<Operation>, method: string, path: string): RouteMatch {
  let allowed: Set<string> | undefined;
  let found: RouteMatch | undefined;
  tree.visit(path, ({ leaves, values }) => {
    const leaf = leaves.get(method) ?? (method === 'HEAD' ? leaves.get('GET') : undefined);
    if (leaf !== undefined) found = { kind: 'operation', operation: leaf.operation, values: nameValues(leaf, values) };
    else for (const known of leaves.keys()) (allowed ??= new Set()).add(known);
    return found !== undefined;
  });
  if (found !== undefined) return found;
  if (allowed === undefined) return { kind: 'unknown-path' };
  const allow = allowHeader(allowed);
  return method === 'OPTIONS' ? { kind: 'options', allow } : { kind: 'wrong-method', allow };
}

function nameValues(leaf: RouteLeaf<Operation>, values: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const [index, name] of leaf.names.entries()) named.set(name, values[index] ?? '');
  return named;
}

function allowHeader(methods: ReadonlySet<string>): string {
  const all = new Set(methods);
  if (all.has('GET')) all.add('HEAD');
  all.add('OPTIONS');
  return [...all].join(', ');
}

/** The two parts of a request target, both still encoded. */
export interface SplitTarget {
  readonly path: string;
  /** Without the question mark, or empty. */
  readonly query: string;
}

/** Splits `/path?query` and removes an origin. Does not use `URL`, because `//x` is a path and not a host. */
export function splitTarget(target: string): SplitTarget {
  const relative = target.startsWith('/') ? target : withoutOrigin(target);
  const hash = relative.indexOf('#');
  const clean = hash === -1 ? relative : relative.slice(0, hash);
  const mark = clean.indexOf('?');
  return mark === -1 ? { path: clean, query: '' } : { path: clean.slice(0, mark), query: clean.slice(mark + 1) };
}

function withoutOrigin(target: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path under which mocks and proxies serve their control API. */
const CONTROL_PATH = '/__specmill';

/** Whether a request target, relative or absolute, belongs to the control API. */
export function isControlTarget(target: string): boolean {
  if (target.startsWith('/') && !target.startsWith(CONTROL_PATH)) return false;
  const { path } = splitTarget(target);
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}
