import { isRecord } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import type { RowTest } from './filter.js';
import { type SortField, comparePositions, positionOf, withKey } from './order.js';
import type { Entity } from './rows.js';

export interface PageRequest {
  readonly entity: Entity;
  readonly test: RowTest;
  readonly order: readonly SortField[];
  readonly size: number;
  /** A token of {@link cutPage}. */
  readonly after: string | undefined;
}

export interface Page {
  readonly rows: readonly Row[];
  /** Where the next page goes on; absent on the last one. */
  readonly next: string | undefined;
}

/** One page of rows; nothing where the token is none of this entity and order. */
export function cutPage(
  rows: readonly Row[],
  { entity, test, order: wanted, size, after }: PageRequest,
): Page | undefined {
  const order = withKey(wanted, entity.key);
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
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
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
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}
