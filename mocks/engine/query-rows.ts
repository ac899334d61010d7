import type { HandlerContext } from 'specmill/mock';

import type { Row } from '../../generated/engine/types.js';
import { refuse, badOption } from './engine-refusal.js';
import { FilterError, type RowTest, parseFilter } from './filter.js';
import { type SortField, fieldOf, parseOrder } from './order.js';
import { type Page, cutPage } from './page.js';
import { type Entity, listRows } from './rows.js';
import { SETTINGS } from './settings.js';

/** The query options of a list, as they are written. */
export interface QueryOptions {
  readonly filter?: string | undefined;
  readonly orderby?: string | undefined;
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** A page of an entity. @throws HttpError 400 for an option that cannot be read */
export async function queryRows(
  context: Pick<HandlerContext, 'collection'>,
  entity: Entity,
  options: QueryOptions,
): Promise<Page> {
  const { filter, orderby, first, after } = options;
  const test = filter === undefined ? () => true : readFilter(filter);
  const order = orderby === undefined ? [] : readOrder(orderby);
  const size = readSize(first);
  const page = cutPage(await listRows(context, entity), { entity, test, order, size, after });
  if (page === undefined) throw badOption('$after', 'it is no continuation token of this list');
  return page;
}

function readFilter(text: string): RowTest {
  try {
    return parseFilter(text);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw badOption('$filter', error.message);
  }
}

function readOrder(text: string): readonly SortField[] {
  const order = parseOrder(text);
  if (order === undefined)
    throw badOption('$orderby', 'it must be fields with commas between them, each with asc or desc');
  return order;
}

/** -1 is as many as there may be. */
export function readSize(first: number | undefined): number {
  const { defaultPageSize, maxPageSize } = SETTINGS;
  if (first === undefined) return defaultPageSize;
  if (first === -1) return maxPageSize;
  if (first < 1) {
    const rule = { in: 'query', pointer: '/$first', message: 'must be >= 1, or -1' } as const;
    throw refuse(400, `The page size ${first} is neither positive nor -1.`, rule);
  }
  if (first <= maxPageSize) return first;
  const message = `The page size ${first} is greater than the maximum ${maxPageSize}.`;
  throw refuse(400, message, { in: 'query', pointer: '/$first', message: `must be <= ${maxPageSize}` });
}

/** The fields of `$select`, of which those that a row does not have are left out. */
export function selectFields(row: Row, select: string | undefined): Row {
  if (select === undefined || select.trim() === '') return row;
  const names = select.split(',').map((name) => name.trim());
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, fieldOf(row, name)]] : [])));
}
