import { isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import { findMismatch, type RowTest } from '../conditions/condition.js';
import type { Entity } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { shapeOf } from '../entities.js';
import { executeProcedure } from '../execute-procedure.js';
import { checkFields, grantOf } from '../grants.js';
import { cutPage, readSize } from '../query-rows.js';
import { refuse } from '../refusals.js';
import { deleteRow, findRow, listRows } from '../rows.js';
import type { SortField } from '../sort-rows.js';
import { writeRow } from '../write-rows.js';
import { type Arguments, type GraphqlRequest, readFilterArgument } from './arguments.js';
import { createRows } from './nested-create.js';
import { bindCondition } from './related-rows.js';

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
  switch (action) {
    case 'find':
      return (await findRow(context, entity, keyOf(entity, args), grantOf(session, entity, 'read'))) ?? null;
    case 'create':
      return (await createRows({ context, session }, entity, [itemOf(args)]))[0] ?? null;
    case 'createMany': {
      const { items } = args;
      const given = Array.isArray(items) ? items.filter(isRecord) : [];
      const rows = await createRows({ context, session }, entity, given as Row[]);
      return { items: rows, hasNextPage: false, endCursor: null, all: rows };
    }
    case 'update': {
      const own = { values: keyOf(entity, args), fields: itemOf(args), how: 'merge', mayCreate: false } as const;
      return (await writeRow(context, entity, { session, unknown: 'refuse', ...own })).row;
    }
    case 'delete':
      return deleteRow(context, entity, keyOf(entity, args), session);
    default:
      return executeProcedure(context, entity, { session, parameters: args as Row });
  }
}

/** Returns a page of the rows that a caller may read and that pass a test. @throws HttpError */
export async function resolveList(
  request: GraphqlRequest,
  entity: Entity,
  { first, after, filter, orderBy }: Arguments,
  isRelated: RowTest = () => true,
): Promise<ResolvedPage> {
  const { context, session } = request;
  const grant = grantOf(session, entity, 'read');
  const filtered = filter === undefined || filter === null ? () => true : await readFilter(request, entity, filter);
  const order = Array.isArray(orderBy) ? (orderBy as SortField[]) : [];
  checkFields(
    grant,
    order.map(({ field }) => field),
  );
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

async function readFilter(request: GraphqlRequest, entity: Entity, filter: unknown): Promise<RowTest> {
  const condition = readFilterArgument(filter, entity, settingsOf(request.context).entities);
  const mismatch = findMismatch(condition, (await shapeOf(request.context, entity)).columns);
  if (mismatch !== undefined) throw refuse(400, `The filter cannot be read: ${mismatch}.`);
  return bindCondition(request, entity, condition);
}

function keyOf({ keys }: Entity, args: Arguments): readonly string[] {
  return keys.map((key) => {
    const value = args[key];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
    throw refuse(400, `The argument ${key} must be a text or a number.`);
  });
}

function itemOf({ item }: Arguments): Row {
  if (isRecord(item)) return item as Row;
  throw refuse(400, 'The argument item must be an object.');
}
