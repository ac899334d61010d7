import type { Api, Operation } from '../model/api.js';
import { listPathOf } from './envelope.js';
import { listPagesOf } from './paging.js';
import { finderOf } from './resource-finder.js';

/** The lists that announce further pages which no request can ask for. */
export function* findPagingGaps(api: Api): Generator<{ readonly operation: Operation; readonly gap: string }> {
  for (const operation of api.operations) {
    if (!isList(operation, api)) continue;
    const { gap } = listPagesOf(operation, api);
    if (gap !== undefined) yield { operation, gap };
  }
}

/** Whether an operation is a list: by its role, or by its response if it has no role. */
function isList(operation: Operation, api: Api): boolean {
  const isRead = operation.method === 'get' || operation.method === 'post';
  if (!isRead || listPathOf(operation, api) === undefined) return false;
  const role = finderOf(api).assign(operation)?.part.role;
  return role === undefined || role === 'list';
}
