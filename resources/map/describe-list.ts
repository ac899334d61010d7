import type { Api } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { withoutUndefined } from '../../model/document/records.js';
import { listParametersOf } from '../list-parameters.js';
import type { Paging } from '../page-ways.js';
import { listPagesOf } from '../paging.js';
import type { Assignment } from '../resource-finder.js';
import type { MappedList, MappedPaging } from './resource-map.js';

/** Describes what a list promises. */
export function describeList({ core, part: { operation } }: Assignment, api: Api): MappedList {
  const { paging, gap } = listPagesOf(operation, api);
  const { filters, sort, direction, text } = listParametersOf(operation, core.schema, api);
  return {
    operationId: operation.id,
    filters: filters.map(({ parameter, member, test }) => ({
      parameter: parameter.name,
      member: toPointer(member.path),
      test,
    })),
    ...withoutUndefined({
      paging: paging && describePaging(paging),
      gap,
      sort: sort?.name,
      direction: direction?.name,
      search: text?.name,
    }),
  };
}

function describePaging({ style, step, size, next, more, total, basis }: Paging): MappedPaging {
  return {
    style,
    ...withoutUndefined({
      step: step?.name,
      size: size?.name,
      next: next && toPointer(next.path),
      more: more && toPointer(more.path),
      total: total && toPointer(total.path),
    }),
    ...basis,
  };
}
