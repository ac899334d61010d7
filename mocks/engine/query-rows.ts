import { isRecord, parseExactJson, stringifyExactJson } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { settingsOf } from './configuration/settings.js';
import { fieldsOfCondition, findMismatch, type RowTest, toRowTest } from './conditions/condition.js';
import { FilterError, parseCondition } from './conditions/parse-filter.js';
import { type Context, hasField, type RowShape, shapeOf } from './entities.js';
import { checkFields, type Grant, reachedFields } from './grants.js';
import { badOption, refuse } from './refusals.js';
import { listRows } from './rows.js';
import {
  comparePositions,
  fieldOf,
  isTimeField,
  parseOrder,
  positionOf,
  type SortField,
  withKeys,
} from './sort-rows.js';

interface QueryOptions {
  readonly filter?: string | undefined;
  readonly orderby?: string | undefined;
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** Returns a page of the rows that a caller may read. @throws HttpError 400 for an invalid option */
export async function queryRows(
  context: Context,
  { entity, grant }: QueriedEntity,
  options: QueryOptions,
): Promise<Page> {
  const { filter, orderby, first, after } = options;
  const queried = { entity, grant, shape: await shapeOf(context, entity) };
  const filtered = filter === undefined ? () => true : readFilter(filter, queried);
  const test: RowTest = (row) => grant.allows(row) && filtered(row);
  const order = orderby === undefined ? [] : readOrder(orderby, queried);
  const size = readSize(context, first);
  const page = cutPage(await listRows(context, entity), { entity, test, order, size, after });
  if (page === undefined) throw badOption('$after', 'it is no continuation token of this list');
  return page;
}

interface QueriedEntity {
  readonly entity: Entity;
  readonly grant: Grant;
}

interface Queried extends QueriedEntity {
  readonly shape: RowShape;
}

function readFilter(text: string, { entity, grant, shape }: Queried): RowTest {
  try {
    const condition = parseCondition(text);
    checkNames('$filter', fieldsOfCondition(condition), { entity, grant, shape });
    const mismatch = findMismatch(condition, shape.columns);
    if (mismatch !== undefined) throw badOption('$filter', mismatch);
    return toRowTest(condition);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw badOption('$filter', error.message);
  }
}

/** @throws HttpError 400 for a field that the entity does not have, 403 for one that the caller may not read */
function checkNames(option: string, names: readonly string[], { entity, grant, shape }: Queried): void {
  const unknown = names.find((name) => !hasField(entity, shape, name));
  if (unknown !== undefined) throw badOption(option, `the entity ${entity.name} has no field ${unknown}`);
  checkFields(grant, names);
}

function readOrder(text: string, queried: Queried): readonly SortField[] {
  const order = parseOrder(text);
  if (order === undefined)
    throw badOption('$orderby', 'it must be fields with commas between them, each with asc or desc');
  checkNames(
    '$orderby',
    order.map(({ field }) => field),
    queried,
  );
  return order;
}

/** Reads the page size; -1 means the maximum. */
export function readSize(context: Pick<Context, 'config'>, first: number | undefined): number {
  const { defaultSize, maxSize } = settingsOf(context).pagination;
  if (first === undefined) return Math.min(defaultSize, maxSize);
  if (first === -1) return maxSize;
  if (first < 1) {
    const rule = { in: 'query', pointer: '/$first', message: 'must be >= 1, or -1' } as const;
    throw refuse(400, `The page size ${first} is neither positive nor -1.`, rule);
  }
  if (first <= maxSize) return first;
  const message = `The page size ${first} is greater than the maximum ${maxSize}.`;
  throw refuse(400, message, { in: 'query', pointer: '/$first', message: `must be <= ${maxSize}` });
}

/**
 * Returns a function that shows the fields of `$select`; without it, those that the caller may read.
 *
 * @throws HttpError 400 for a field that the entity does not have, 403 for one that the caller may not read
 */
export async function readSelect(
  context: Context,
  { entity, grant }: QueriedEntity,
  select: string | undefined,
): Promise<(row: Row) => Row> {
  if (select === undefined || select.trim() === '') return (row) => reachedFields(grant, row);
  const names = select.split(',').map((name) => name.trim());
  checkNames('$select', names, { entity, grant, shape: await shapeOf(context, entity) });
  return (row) => Object.fromEntries(names.map((name) => [name, fieldOf(row, name)]));
}

interface PageRequest {
  readonly entity: Entity;
  readonly test: RowTest;
  readonly order: readonly SortField[];
  readonly size: number;
  /** A token of {@link cutPage}. */
  readonly after: string | undefined;
}

interface Page {
  readonly rows: readonly Row[];
  /** The token of the next page; absent on the last page. */
  readonly next: string | undefined;
}

/** Returns one page of rows; `undefined` if the token does not belong to this entity and order. */
export function cutPage(
  rows: readonly Row[],
  { entity, test, order: wanted, size, after }: PageRequest,
): Page | undefined {
  const order = withKeys(wanted, entity.keys).map((one) => ({ ...one, isTime: isTimeField(rows, one.field) }));
  const start = after === undefined ? undefined : readToken(after, entity, order);
  if (after !== undefined && start === undefined) return undefined;
  const sorted = rows
    .filter(test)
    .map((row) => ({ row, position: positionOf(row, order) }))
    .filter(({ position }) => start === undefined || comparePositions(position, start, order) > 0)
    .sort((one, other) => comparePositions(one.position, other.position, order));
  const page = sorted.slice(0, size).map(({ row }) => row);
  const last = page.at(-1);
  return {
    rows: page,
    next: last === undefined || sorted.length <= size ? undefined : writeToken(last, entity, order),
  };
}

function writeToken(row: Row, { name }: Entity, order: readonly SortField[]): string {
  const position = positionOf(row, order);
  const parts = order.map(({ field, descending }, index) => ({
    ...{ EntityName: name, FieldName: field, FieldValue: position[index] ?? null, Direction: descending ? 1 : 0 },
  }));
  return Buffer.from(stringifyExactJson(parts)).toString('base64url');
}

function readToken(token: string, { name }: Entity, order: readonly SortField[]): readonly FieldValue[] | undefined {
  const parts = parseToken(token);
  if (!Array.isArray(parts) || parts.length !== order.length) return undefined;
  const position: FieldValue[] = [];
  for (const [index, { field, descending }] of order.entries()) {
    const part: unknown = parts[index];
    if (!isRecord(part) || part['EntityName'] !== name || part['FieldName'] !== field) return undefined;
    if (part['Direction'] !== (descending ? 1 : 0) || part['FieldValue'] === undefined) return undefined;
    position.push(part['FieldValue'] as FieldValue);
  }
  return position;
}

function parseToken(token: string): unknown {
  try {
    return parseExactJson(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}
