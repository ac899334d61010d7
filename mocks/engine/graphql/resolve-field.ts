import { isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import type { Entity } from '../configuration/entity.js';
import { executeProcedure } from '../execute-procedure.js';
import type { RowTest } from '../filter.js';
import { checkFields, grantOf } from '../grants.js';
import { cutPage, readSize } from '../query-rows.js';
import { refuse } from '../refusals.js';
import { createRow, deleteRow, findRow, listRows, writeRow } from '../rows.js';
import type { SortField } from '../sort-rows.js';
import { type Arguments, fieldsOfFilterArgument, readFilterArgument, type GraphqlRequest } from './arguments.js';

export interface RootAction {
  readonly action: 'find' | 'create' | 'createMany' | 'update' | 'delete' | 'execute';
  readonly entity: Entity;
}

/** A page of rows, and all rows of its filter. */
export interface ResolvedPage {
  readonly items: readonly Row[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
  readonly all: readonly Row[];
}

/** Resolves a root field, before its fields are selected: a page, a row, several rows or none. @throws HttpError */
export async function resolveField(
  { context, session }: GraphqlRequest,
  { action, entity }: RootAction,
  args: Arguments,
): Promise<ResolvedPage | Row | readonly Row[] | null> {
  const change = { session, unknown: 'refuse' } as const;
  switch (action) {
    case 'find':
      return (await findRow(context, entity, keyOf(entity, args), grantOf(session, entity, 'read'))) ?? null;
    case 'create':
      return createRow(context, entity, { ...change, fields: itemOf(args) });
    case 'createMany':
      return createMany({ context, session }, entity, args);
    case 'update': {
      const own = { values: keyOf(entity, args), fields: itemOf(args), how: 'merge', mayCreate: false } as const;
      return (await writeRow(context, entity, { ...change, ...own })).row;
    }
    case 'delete':
      return deleteRow(context, entity, keyOf(entity, args), session);
    default:
      return executeProcedure(context, entity, { session, parameters: args as Row });
  }
}

async function createMany(
  { context, session }: Pick<GraphqlRequest, 'context' | 'session'>,
  entity: Entity,
  { items }: Arguments,
): Promise<ResolvedPage> {
  const rows: Row[] = [];
  for (const fields of Array.isArray(items) ? items.filter(isRecord) : [])
    rows.push(await createRow(context, entity, { fields: fields as Row, session, unknown: 'refuse' }));
  return { items: rows, hasNextPage: false, endCursor: null, all: rows };
}

/** Returns a page of the rows that a caller may read and that pass a test. @throws HttpError */
export async function resolveList(
  { context, session }: GraphqlRequest,
  entity: Entity,
  { first, after, filter, orderBy }: Arguments,
  isRelated: RowTest = () => true,
): Promise<ResolvedPage> {
  const grant = grantOf(session, entity, 'read');
  const isFiltered = filter !== undefined && filter !== null;
  if (isFiltered) checkFields(grant, fieldsOfFilterArgument(filter));
  const order = Array.isArray(orderBy) ? (orderBy as SortField[]) : [];
  checkFields(
    grant,
    order.map(({ field }) => field),
  );
  const filtered = isFiltered ? readFilterArgument(filter) : isRelated;
  const test: RowTest = (row) => grant.allows(row) && isRelated(row) && filtered(row);
  const rows = await listRows(context, entity);
  const page = cutPage(rows, {
    ...{ entity, test, order },
    size: readSize(context, typeof first === 'number' ? first : undefined),
    after: typeof after === 'string' ? after : undefined,
  });
  if (page === undefined) throw refuse(400, 'The argument after is no cursor of this list.');
  const { rows: items, next } = page;
  return { items, hasNextPage: next !== undefined, endCursor: next ?? null, all: rows.filter(test) };
}

function keyOf({ keys }: Entity, args: Arguments): readonly string[] {
  return keys.map((key) => {
    const value = args[key];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw refuse(400, `The argument ${key} must be a text or a number.`);
  });
}

function itemOf({ item }: Arguments): Row {
  if (isRecord(item)) return item as Row;
  throw refuse(400, 'The argument item must be an object.');
}
