import { compareValues } from 'specmill/mock';

import type { FieldValue, Row } from '../../generated/engine/types.js';
import { readInstant } from './columns/column.js';

export interface SortField {
  readonly field: string;
  readonly descending: boolean;
  /** Whether all its values are dates, which are compared as times. */
  readonly isTime?: boolean;
}

type Position = readonly FieldValue[];

/** The value of a field; null if the row does not have it. */
export function fieldOf(row: Row, field: string): FieldValue {
  return (Object.hasOwn(row, field) ? row[field] : null) ?? null;
}

/** Reads `$orderby`: `year desc, title`. Returns `undefined` if it is malformed. */
export function parseOrder(text: string): readonly SortField[] | undefined {
  const fields: SortField[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)(?:\s+(asc|desc))?\s*$/u.exec(part);
    if (match === null) return undefined;
    fields.push({ field: match[1] ?? '', descending: match[2] === 'desc' });
  }
  return fields;
}

/** Adds the key to the order, so that rows with equal fields have a stable order for paging. */
export function withKeys(order: readonly SortField[], keys: readonly string[]): readonly SortField[] {
  const missing = keys.filter((key) => !order.some(({ field }) => field === key));
  return [...order, ...missing.map((field) => ({ field, descending: false }))];
}

export function positionOf(row: Row, order: readonly SortField[]): Position {
  return order.map(({ field }) => fieldOf(row, field));
}

export function comparePositions(one: Position, other: Position, order: readonly SortField[]): number {
  for (const [index, { descending, isTime }] of order.entries()) {
    const read = (value: unknown): unknown =>
      isTime === true && typeof value === 'string' ? readInstant(value) : value;
    const result = compareValues(read(one[index]), read(other[index]));
    if (result !== 0) return descending ? -result : result;
  }
  return 0;
}

/** Whether a field has dates in all rows that have a value for it. */
export function isTimeField(rows: readonly Row[], field: string): boolean {
  const values = rows.map((row) => fieldOf(row, field)).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'string' && readInstant(value) !== undefined);
}
