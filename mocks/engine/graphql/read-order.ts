import { type GraphQLResolveInfo, Kind } from 'graphql';
import { isRecord } from 'specmill/mock';

import type { SortField } from '../order.js';
import type { RequestContext } from './request-context.js';
import type { Arguments } from './resolve-field.js';

/**
 * The fields of `orderBy`, in the order in which they were written: the first counts most, and the library hands them on
 * in that of their declaration.
 */
export function orderOf({ orderBy }: Arguments, { variables }: RequestContext, info: GraphQLResolveInfo): SortField[] {
  if (!isRecord(orderBy)) return [];
  const node = info.fieldNodes[0]?.arguments?.find(({ name }) => name.value === 'orderBy')?.value;
  const sent = node?.kind === Kind.VARIABLE ? variables[node.name.value] : undefined;
  const written = node?.kind === Kind.OBJECT ? node.fields.map(({ name }) => name.value) : [];
  const names = isRecord(sent) ? Object.keys(sent) : written;
  return [...new Set([...names, ...Object.keys(orderBy)])]
    .filter((field) => typeof orderBy[field] === 'string')
    .map((field) => ({ field, descending: orderBy[field] === 'DESC' }));
}
