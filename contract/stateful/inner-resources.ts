import type { HttpMethod, Operation } from '../../model/api.js';
import { listPathOf } from '../../resources/envelope.js';
import type { Resource } from '../../resources/resource.js';
import type { ContractRun } from '../execute/contract-run.js';

/** Resources that no operation names by an id; they are not in other collections. */
const NAMELESS = { parameter: 'id', creators: [], views: [], slots: new Map(), references: new Map() } as const;

/**
 * Resources below an item without a path for their own id: one thing that is read and written, such as
 * `/articles/{id}/tags`, or a list that grows, such as `/products/{id}/movements`.
 */
export function findInnerResources({ operations, context: { pool, api } }: ContractRun): Resource[] {
  const known = new Set(pool.resources.flatMap(({ list, read }) => [list, read]));
  return operations.flatMap((operation): Resource[] => {
    const { method, path } = operation;
    if (method !== 'get' || !path.includes('{') || path.endsWith('}') || known.has(operation)) return [];
    const at = (wanted: HttpMethod): Operation | undefined =>
      operations.find((one) => one.path === path && one.method === wanted);
    const [replace, patch, create, removal] = [at('put'), at('patch'), at('post'), at('delete')];
    if (replace !== undefined || patch !== undefined) {
      const writes = { ...(replace === undefined ? {} : { replace }), ...(patch === undefined ? {} : { patch }) };
      const own = removal === undefined ? {} : { delete: removal };
      return [{ ...NAMELESS, kind: 'singleton', name: path, read: operation, ...writes, ...own }];
    }
    if (create === undefined || listPathOf(operation, api) === undefined) return [];
    return [{ ...NAMELESS, kind: 'collection', name: path, list: operation, create }];
  });
}
