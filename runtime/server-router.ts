import { RouteTree } from './route-tree.js';
import type { ServerOperation, ServerPlan } from './server-types.js';

/** The operation of a path and method. */
export type ServerMatch =
  | { readonly operation: ServerOperation; readonly values: ReadonlyMap<string, string> }
  /** The path has other methods only. */
  | { readonly allow: string }
  /** The path is not percent-encoded UTF-8. */
  | { readonly isMalformed: true };

/** Finds the operation of a path; `undefined` if there is no such path. */
export type FindOperation = (method: string, path: string, mount?: string) => ServerMatch | undefined;

const NO_VALUES: ReadonlyMap<string, string> = new Map();

/** Makes the router. Paths match below the base paths of the spec's servers, or without one. */
export function createServerRouter({ operations, basePaths }: ServerPlan): FindOperation {
  const trees = [...new Set([...basePaths, ''])].map((base) => {
    const tree = new RouteTree<ServerOperation>(false);
    for (const operation of operations)
      tree.add(base + operation.path, operation.method, operation, operation.pathRules);
    return tree;
  });
  const fixed = new Map<string, ServerMatch>();
  for (const operation of operations)
    if (!operation.path.includes('{'))
      for (const base of basePaths) {
        const key = `${operation.method} ${base}${operation.path}`;
        if (!fixed.has(key)) fixed.set(key, { operation, values: NO_VALUES });
      }
  return (method, path, mount = '') => {
    const known = mount === '' ? fixed.get(`${method} ${path}`) : undefined;
    if (known !== undefined) return known;
    try {
      const below = mount === '' ? undefined : withoutMount(path, mount);
      return (below === undefined ? undefined : find(trees, method, below)) ?? find(trees, method, path);
    } catch (error) {
      if (error instanceof URIError) return { isMalformed: true };
      throw error;
    }
  };
}

/** Drops as many segments of a path as the mount has. */
function withoutMount(path: string, mount: string): string {
  const count = mount.split('/').filter((segment) => segment !== '').length;
  return `/${path
    .split('/')
    .slice(count + 1)
    .join('/')}`;
}

function find(trees: readonly RouteTree<ServerOperation>[], method: string, path: string): ServerMatch | undefined {
  for (const tree of trees) {
    const match = findIn(tree, method, path) ?? findIn(tree, method, otherSpelling(path));
    if (match !== undefined) return match;
  }
  return undefined;
}

/** A path with or without the slash at its end. */
function otherSpelling(path: string): string {
  return path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : `${path}/`;
}

function findIn(tree: RouteTree<ServerOperation>, method: string, path: string): ServerMatch | undefined {
  const allowed = new Set<string>();
  let found: ServerMatch | undefined;
  tree.visit(path, ({ leaves, values }) => {
    const leaf = leaves.get(method) ?? (method === 'HEAD' ? leaves.get('GET') : undefined);
    if (leaf === undefined) leaves.forEach((_leaf, name) => allowed.add(name));
    else {
      const named = new Map(leaf.names.map((name, index) => [name, values[index] ?? ''] as const));
      found = { operation: leaf.operation, values: named };
    }
    return found !== undefined;
  });
  if (found !== undefined || allowed.size === 0) return found;
  if (allowed.has('GET')) allowed.add('HEAD');
  return { allow: [...allowed.add('OPTIONS')].join(', ') };
}
