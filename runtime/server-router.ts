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

/** Makes the router. Paths match below the base paths of the spec's servers, or without one. */
export function createServerRouter({ operations, basePaths, special }: ServerPlan): FindOperation {
  const trees = [...new Set([...basePaths, ''])].map((base) => {
    const tree = new RouteTree<ServerOperation>(false, special);
    for (const operation of operations)
      tree.add(base + operation.path, operation.method, operation, operation.pathRules);
    return tree;
  });
  const find = (method: string, path: string): ServerMatch | undefined => {
    // A path with or without the slash at its end.
    const other = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    for (const tree of trees) {
      const match = findIn(tree, method, path) ?? findIn(tree, method, other);
      if (match !== undefined) return match;
    }
    return undefined;
  };
  const fixed = new Map<string, ServerMatch>();
  return (method, path, mount = '') => {
    const key = `${method} ${path} ${mount}`;
    const known = fixed.get(key);
    if (known !== undefined) return known;
    try {
      const match = (mount === '' ? undefined : find(method, withoutMount(path, mount))) ?? find(method, path);
      if (match !== undefined && 'values' in match && match.values.size === 0 && fixed.size < MAX_FIXED)
        fixed.set(key, match);
      return match;
    } catch (error) {
      if (error instanceof URIError) return { isMalformed: true };
      throw error;
    }
  };
}

/** The most paths without parameters that are remembered: each may be spelled in many ways. */
const MAX_FIXED = 1_000;

/** Drops as many segments of a path as the mount has. */
function withoutMount(path: string, mount: string): string {
  const [, ...segments] = path.split('/');
  return `/${segments.slice(mount.split('/').filter(Boolean).length).join('/')}`;
}

function findIn(tree: RouteTree<ServerOperation>, method: string, path: string): ServerMatch | undefined {
  const allowed = new Set<string>();
  let found: ServerMatch | undefined;
  tree.visit(path, ({ leaves, values }) => {
    const leaf = leaves.get(method) ?? (method === 'HEAD' ? leaves.get('GET') : undefined);
    if (leaf === undefined) for (const name of leaves.keys()) allowed.add(name);
    else {
      const { operation, names } = leaf;
      found = { operation, values: new Map(names.map((name, index) => [name, values[index] ?? ''])) };
    }
    return found !== undefined;
  });
  if (found !== undefined || allowed.size === 0) return found;
  if (allowed.has('GET')) allowed.add('HEAD');
  return { allow: [...allowed.add('OPTIONS')].join(', ') };
}
