import { compareValues } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import { type Columns, isNumeric, readInstant } from '../columns/column.js';
import { fieldOf } from '../sort-rows.js';

export type RowTest = (row: Row) => boolean;

export const ORDERS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
const TEXT_OPERATORS = ['contains', 'notContains', 'startsWith', 'endsWith'] as const;
export type Operator = (typeof ORDERS)[number] | (typeof TEXT_OPERATORS)[number] | 'in';

export type Operand =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'claim'; readonly name: string };

export interface RelatedCondition {
  readonly kind: 'related';
  /** Name of the relationship; the condition is about the rows to which it leads. */
  readonly relationship: string;
  readonly where: Condition;
}

/** What `$filter`, the argument `filter` of GraphQL, the tools of MCP and policies are read into. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'compare'; readonly left: Operand; readonly operator: Operator; readonly right: Operand }
  | RelatedCondition;

interface Binding {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Tests for the conditions on related rows, made before from the rows of the other entities. */
  readonly related?: ReadonlyMap<RelatedCondition, RowTest>;
}

/** Returns the test of a condition. */
export function toRowTest(condition: Condition, binding: Binding = {}): RowTest {
  switch (condition.kind) {
    case 'and': {
      const tests = condition.parts.map((part) => toRowTest(part, binding));
      return (row) => tests.every((test) => test(row));
    }
    case 'or': {
      const tests = condition.parts.map((part) => toRowTest(part, binding));
      return (row) => tests.some((test) => test(row));
    }
    case 'not': {
      const test = toRowTest(condition.part, binding);
      return (row) => !test(row);
    }
    case 'related':
      return binding.related?.get(condition) ?? (() => false);
    default: {
      const [left, right] = [toReader(condition.left, binding), toReader(condition.right, binding)];
      return (row) => compare(left(row), condition.operator, right(row));
    }
  }
}

function toReader(operand: Operand, { claims = {} }: Binding): (row: Row) => unknown {
  if (operand.kind === 'field') return (row) => fieldOf(row, operand.name);
  if (operand.kind === 'value') return () => operand.value;
  // A claim that the caller lacks is not equal to anything, not even to a field without a value.
  const value = Object.hasOwn(claims, operand.name) ? claims[operand.name] : undefined;
  return () => value;
}

/** The conditions on related rows, at any depth of the tree but not inside each other. */
export function relatedConditions(condition: Condition): readonly RelatedCondition[] {
  if (condition.kind === 'related') return [condition];
  if (condition.kind === 'not') return relatedConditions(condition.part);
  return condition.kind === 'compare' ? [] : condition.parts.flatMap(relatedConditions);
}

type Comparison = Extract<Condition, { kind: 'compare' }>;

/** The comparisons on rows of the entity itself, without those on related rows. */
function comparisonsOf(condition: Condition): readonly Comparison[] {
  if (condition.kind === 'compare') return [condition];
  if (condition.kind === 'not') return comparisonsOf(condition.part);
  return condition.kind === 'related' ? [] : condition.parts.flatMap(comparisonsOf);
}

function operandsOf(condition: Condition): readonly Operand[] {
  return comparisonsOf(condition).flatMap(({ left, right }) => [left, right]);
}

/** The fields that a condition compares, without those of related rows. */
export function fieldsOfCondition(condition: Condition): readonly string[] {
  return operandsOf(condition).flatMap((operand) => (operand.kind === 'field' ? [operand.name] : []));
}

/** The claims of the caller that a condition needs. */
export function claimsOfCondition(condition: Condition): readonly string[] {
  return operandsOf(condition).flatMap((operand) => (operand.kind === 'claim' ? [operand.name] : []));
}

/** Returns what is wrong with a condition: a comparison of a column with a value of another type. */
export function findMismatch(condition: Condition, columns: Columns): string | undefined {
  for (const { left, right, operator } of comparisonsOf(condition)) {
    const problem = mismatch(left, right, { columns, operator }) ?? mismatch(right, left, { columns, operator });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mismatch(
  field: Operand,
  other: Operand,
  { columns, operator }: { readonly columns: Columns; readonly operator: Operator },
): string | undefined {
  const column = field.kind === 'field' ? columns.get(field.name) : undefined;
  if (column === undefined || column.isGuess === true || other.kind !== 'value') return undefined;
  const kind = isNumeric(column) ? 'a number' : column.type === 'boolean' ? 'true or false' : 'a text';
  if (column.type === 'any') return undefined;
  const values = operator === 'in' && Array.isArray(other.value) ? (other.value as readonly unknown[]) : [other.value];
  const wrong = values.find((value) => value !== null && kindOf(value) !== kind);
  return wrong === undefined ? undefined : `the field ${column.name} is compared with ${kind}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'a text' : typeof value;
}

/**
 * Compares two values. Values of different types are not equal and have no order; nothing is greater or less than null.
 * Two dates are compared as times.
 */
function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (operator === 'in') return Array.isArray(right) && right.some((one) => compare(left, 'eq', one));
  if (operator === 'eq' || operator === 'ne') return isSame(left, right) === (operator === 'eq');
  if (left === null || right === null || kindOf(left) !== kindOf(right)) return false;
  if (isTextOperator(operator))
    return typeof left === 'string' && typeof right === 'string' && compareTexts(left, operator, right);
  const order = compareCells(left, right);
  if (operator === 'gt') return order > 0;
  if (operator === 'ge') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'string' && typeof right === 'string' && compareInstants(left, right) === 0;
}

function isTextOperator(operator: Operator): operator is (typeof TEXT_OPERATORS)[number] {
  return TEXT_OPERATORS.some((one) => one === operator);
}

function compareTexts(text: string, operator: (typeof TEXT_OPERATORS)[number], part: string): boolean {
  if (operator === 'startsWith') return text.startsWith(part);
  if (operator === 'endsWith') return text.endsWith(part);
  return text.includes(part) === (operator === 'contains');
}

function compareCells(left: unknown, right: unknown): number {
  const times = typeof left === 'string' && typeof right === 'string' ? compareInstants(left, right) : undefined;
  return times ?? compareValues(left, right);
}

/** Returns the order of two dates as times; `undefined` if one is no date. */
function compareInstants(left: string, right: string): number | undefined {
  const [one, other] = [readInstant(left), readInstant(right)];
  return one === undefined || other === undefined ? undefined : one - other;
}
