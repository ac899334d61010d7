import { isEqual } from '../../runtime/checks.js';
import type { Condition, Key, KeyCondition, StoreQuery } from './store.js';
import { createMemberReader } from './member-path.js';

/** Whether a stored value meets the conditions. */
export type Test = (value: unknown) => boolean;

/** Whether a stored value meets all conditions of a query. */
export function createMatcher({ where = [], match = [], filter }: StoreQuery): Test {
  const tests: readonly Test[] = [
    ...where.map((condition) => createOneTest(condition)),
    ...match.map((condition) => createKeyTest(condition)),
    ...(filter === undefined ? [] : [filter]),
  ];
  return (value) => tests.every((test) => test(value));
}

/** Whether a key of a value meets a condition. */
function createKeyTest({ keysOf, values, test, isExclusive = false }: KeyCondition): Test {
  const isMatch = (key: Key): boolean =>
    values.some((value) => {
      if (test === 'equals') return key === value;
      if (typeof key !== typeof value || (isExclusive && key === value)) return false;
      return test === 'from' ? key >= value : key <= value;
    });
  return (value) => keysOf(value).some(isMatch);
}

function createOneTest({ path, test, value: wanted }: Condition): Test {
  const read = createMemberReader(path);
  const isMatch = MATCHERS[test](wanted);
  return (value) => read(value).some(isMatch);
}

const MATCHERS: Readonly<Record<Condition['test'], (wanted: unknown) => (value: unknown) => boolean>> = {
  equals: (wanted) => (value) => isEqual(value, wanted),
  contains: (wanted) => {
    const part = String(wanted).toLowerCase();
    return (value) => typeof value === 'string' && value.toLowerCase().includes(part);
  },
  from: (wanted) => (value) => isComparable(value, wanted) && compareValues(value, wanted) >= 0,
  to: (wanted) => (value) => isComparable(value, wanted) && compareValues(value, wanted) <= 0,
};

/** Compares values: missing ones first, then by type, then by value. Texts compare by code units, like ISO times. */
export function compareValues(one: unknown, other: unknown): number {
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : Number(one > other);
  const [left, right] = [rankOf(one), rankOf(other)];
  if (left !== right) return left - right;
  if (typeof one === 'boolean') return Number(one) - Number(other);
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0;
  return one < other ? -1 : 1;
}

/** The place of the type of a value: values of one type are adjacent in their order. */
export function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return 1 + ['boolean', 'number', 'string', 'object'].indexOf(isNumber(value) ? 'number' : typeof value);
}

function isComparable(one: unknown, other: unknown): boolean {
  return typeof one === typeof other || (isNumber(one) && isNumber(other));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
