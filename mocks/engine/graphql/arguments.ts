import { type GraphQLResolveInfo, Kind } from 'graphql';
import { isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import { compare, type RowTest } from '../filter.js';
import type { Context } from '../entities.js';
import { refuse } from '../refusals.js';
import type { Session } from '../session.js';
import { fieldOf, type SortField } from '../sort-rows.js';

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of `orderBy` in the written order, because the first has priority. The library passes them in the
 * order of their declaration.
 */
export function orderOf({ orderBy }: Arguments, { variables }: GraphqlRequest, info: GraphQLResolveInfo): SortField[] {
  if (!isRecord(orderBy)) return [];
  const node = info.fieldNodes[0]?.arguments?.find(({ name }) => name.value === 'orderBy')?.value;
  const sent = node?.kind === Kind.VARIABLE ? variables[node.name.value] : undefined;
  const written = node?.kind === Kind.OBJECT ? node.fields.map(({ name }) => name.value) : [];
  const names = isRecord(sent) ? Object.keys(sent) : written;
  return [...new Set([...names, ...Object.keys(orderBy)])]
    .filter((field) => typeof orderBy[field] === 'string')
    .map((field) => ({ field, descending: orderBy[field] === 'DESC' }));
}

type Comparison = (value: unknown, wanted: unknown) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  eq: (value, wanted) => compare(value, 'eq', wanted),
  neq: (value, wanted) => compare(value, 'ne', wanted),
  gt: (value, wanted) => compare(value, 'gt', wanted),
  gte: (value, wanted) => compare(value, 'ge', wanted),
  lt: (value, wanted) => compare(value, 'lt', wanted),
  lte: (value, wanted) => compare(value, 'le', wanted),
  isNull: (value, wanted) => (value === null) === (wanted === true),
};

export const CONDITIONS: readonly string[] = Object.keys(COMPARISONS);

/** Reads the argument `filter`: `{ year: { gt: 2000 }, or: [{ ... }] }`. All members must match. @throws HttpError */
export function readFilterArgument(filter: unknown): RowTest {
  if (!isRecord(filter)) throw refuse(400, 'A filter must be an object.');
  const tests = Object.entries(filter).flatMap(([name, condition]): RowTest[] => {
    if (name !== 'and' && name !== 'or') return readField(name, condition);
    const parts = (Array.isArray(condition) ? condition : [condition]).map(readFilterArgument);
    return [
      name === 'and' ? (row: Row) => parts.every((test) => test(row)) : (row: Row) => parts.some((test) => test(row)),
    ];
  });
  return (row) => tests.every((test) => test(row));
}

function readField(field: string, condition: unknown): RowTest[] {
  if (!isRecord(condition)) throw refuse(400, `The condition on ${field} must be an object.`);
  return Object.entries(condition).map(([name, wanted]) => {
    const comparison = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
    if (comparison === undefined)
      throw refuse(400, `There is no condition ${name}; there are ${Object.keys(COMPARISONS).join(', ')}.`);
    return (row) => comparison(fieldOf(row, field), wanted);
  });
}

export interface GraphqlRequest {
  readonly context: Context;
  readonly session: Session;
  /** The variables as sent, with their members in the original order. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export function fieldsOfFilterArgument(filter: unknown): readonly string[] {
  if (!isRecord(filter)) return [];
  return Object.entries(filter).flatMap(([name, condition]) =>
    name === 'and' || name === 'or' ? [condition].flat().flatMap((part) => fieldsOfFilterArgument(part)) : [name],
  );
}
