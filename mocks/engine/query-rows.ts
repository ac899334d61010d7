import { isRecord, parseExactJson, stringifyExactJson } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import { settingsOf } from './configuration/settings.js';
import type { Context } from './entities.js';
import { FilterError, fieldsOfFilter, parseFilter, type RowTest } from './filter.js';
import { checkFields, type Grant, reachedFields } from './grants.js';
import { badOption, refuse } from './refusals.js';
import { listRows } from './rows.js';
import { comparePositions, fieldOf, parseOrder, positionOf, type SortField, withKeys } from './sort-rows.js';

interface QueryOptions {
  readonly filter?: string | undefined;
  readonly orderby?: string | undefined;
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** Returns a page of the rows that a caller may read. @throws HttpError 400 for an invalid option */
export async function queryRows(
  context: Context,
  { entity, grant }: { readonly entity: Entity; readonly grant: Grant },
  options: QueryOptions,
): Promise<Page> {
  const { filter, orderby, first, after } = options;
  const filtered = filter === undefined ? () => true : readFilter(filter, grant);
  const test: RowTest = (row) => grant.allows(row) && filtered(row);
  const order = orderby === undefined ? [] : readOrder(orderby, grant);
  const size = readSize(context, first);
  const page = cutPage(await listRows(context, entity), { entity, test, order, size, after });
  if (page === undefined) throw badOption('$after', 'it is no continuation token of this list');
  return page;
}

function readFilter(text: string, grant: Grant): RowTest {
  try {
    checkFields(grant, fieldsOfFilter(text));
    return parseFilter(text);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw badOption('$filter', error.message);
  }
}

function readOrder(text: string, grant: Grant): readonly SortField[] {
  const order = parseOrder(text);
  if (order === undefined)
    throw badOption('$orderby', 'it must be fields with commas between them, each with asc or desc');
  checkFields(
    grant,
    order.map(({ field }) => field),
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
 * The fields of `$select` that a row has; without it, those that the caller may read.
 *
 * @throws HttpError 403 for a field that the caller may not read
 */
export function selectFields(row: Row, select: string | undefined, grant: Grant): Row {
  if (select === undefined || select.trim() === '') return reachedFields(grant, row);
  const names = select.split(',').map((name) => name.trim());
  checkFields(grant, names);
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, fieldOf(row, name)]] : [])));
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
  const order = withKeys(wanted, entity.keys);
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
