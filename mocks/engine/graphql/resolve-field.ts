import { type HandlerContext, isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import { type Arguments, readFilterArgument } from './arguments.js';
import { cutPage, readSize } from '../query-rows.js';
import {
  createRow,
  deleteRow,
  type Entity,
  findRow,
  listRows,
  refuse,
  rowNotFound,
  type SortField,
  writeRow,
} from '../rows.js';

type Context = Pick<HandlerContext, 'collection'>;

/** What a field at the root of a document does with an entity. */
export interface RootAction {
  readonly action: 'list' | 'find' | 'create' | 'update' | 'delete';
  readonly entity: Entity;
}

/** A page of rows, and all rows of its filter. */
export interface ListPage {
  readonly items: readonly Row[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
  readonly all: readonly Row[];
}

/** What a root field gives before fields are selected from it: a page, a row, or nothing. @throws HttpError */
export async function resolveField(
  context: Context,
  { action, entity }: RootAction,
  args: Arguments,
): Promise<ListPage | Row | null> {
  switch (action) {
    case 'find':
      return (await findRow(context, entity, keyOf(entity.key, args))) ?? null;
    case 'create':
      return createRow(context, entity, itemOf(args));
    case 'update': {
      const change = { value: keyOf(entity.key, args), fields: itemOf(args), how: 'merge', mayCreate: false } as const;
      return (await writeRow(context, entity, change)).row;
    }
    case 'delete':
      return removeRow(context, entity, keyOf(entity.key, args));
    default:
      return resolveList(context, entity, args);
  }
}

/** What is told of a row that is deleted is what it was. */
async function removeRow(context: Context, entity: Entity, value: string): Promise<Row> {
  const row = await findRow(context, entity, value);
  if (row === undefined) throw rowNotFound(entity, value);
  await deleteRow(context, entity, value);
  return row;
}

async function resolveList(
  context: Context,
  entity: Entity,
  { first, after, filter, orderBy }: Arguments,
): Promise<ListPage> {
  const test = filter === undefined || filter === null ? () => true : readFilterArgument(filter);
  const rows = await listRows(context, entity);
  const page = cutPage(rows, {
    entity,
    test,
    order: Array.isArray(orderBy) ? (orderBy as SortField[]) : [],
    size: readSize(typeof first === 'number' ? first : undefined),
    after: typeof after === 'string' ? after : undefined,
  });
  if (page === undefined) throw refuse(400, 'The argument after is no cursor of this list.');
  const { rows: items, next } = page;
  return { items, hasNextPage: next !== undefined, endCursor: next ?? null, all: rows.filter(test) };
}

function keyOf(key: string, args: Arguments): string {
  const value = args[key];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw refuse(400, `The argument ${key} must be a text or a number.`);
}

function itemOf({ item }: Arguments): Row {
  if (isRecord(item)) return item as Row;
  throw refuse(400, 'The argument item must be an object.');
}
