import { type GraphQLResolveInfo, Kind } from 'graphql';
import { isRecord } from 'specmill/mock';

import type { Condition, Operator } from '../conditions/condition.js';
import type { Entity } from '../configuration/entity.js';
import type { Context } from '../entities.js';
import { refuse } from '../refusals.js';
import type { Session } from '../session.js';
import type { SortField } from '../sort-rows.js';

export type Arguments = Readonly<Record<string, unknown>>;

export interface GraphqlRequest {
  readonly context: Context;
  readonly session: Session;
  /** The variables as sent, with their members in the original order. */
  readonly variables: Readonly<Record<string, unknown>>;
}

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

/** The words of GraphQL for operators of conditions. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  ...{ eq: 'eq', neq: 'ne', gt: 'gt', gte: 'ge', lt: 'lt', lte: 'le', in: 'in' },
  ...{ contains: 'contains', notContains: 'notContains', startsWith: 'startsWith', endsWith: 'endsWith' },
};

/**
 * Reads the argument `filter`: `{ year: { gt: 2000 }, or: [{ … }], publisher: { name: { eq: "P" } } }`. All members must
 * match; the name of a relationship has a filter of the rows to which it leads.
 */
export function readFilterArgument(
  filter: unknown,
  entity: Pick<Entity, 'relationships'>,
  entities: ReadonlyMap<string, Entity> | undefined,
): Condition {
  if (!isRecord(filter)) throw refuse(400, 'A filter must be an object.');
  const parts = Object.entries(filter).flatMap(([name, condition]): readonly Condition[] => {
    if (condition === null || condition === undefined) return [];
    if (name === 'and' || name === 'or') {
      const list: readonly unknown[] = Array.isArray(condition) ? condition : [condition];
      return [{ kind: name, parts: list.map((part) => readFilterArgument(part, entity, entities)) }];
    }
    const related = entity.relationships.find((one) => one.name === name);
    const target = related === undefined ? undefined : entities?.get(related.target);
    if (target === undefined) return readComparisons(name, condition);
    return [{ kind: 'related', relationship: name, where: readFilterArgument(condition, target, entities) }];
  });
  return { kind: 'and', parts };
}

function readComparisons(field: string, condition: unknown): readonly Condition[] {
  if (!isRecord(condition)) throw refuse(400, `The condition on ${field} must be an object.`);
  return Object.entries(condition).flatMap(([name, value]): readonly Condition[] => {
    const left = { kind: 'field', name: field } as const;
    if (name === 'isNull') {
      if (value === null) return [];
      const right = { kind: 'value', value: null } as const;
      return [{ kind: 'compare', left, operator: value === true ? 'eq' : 'ne', right }];
    }
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) throw refuse(400, `There is no condition ${name}.`);
    return [{ kind: 'compare', left, operator, right: { kind: 'value', value } }];
  });
}
