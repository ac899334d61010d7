import { isSameJson } from '../../model/exact-json.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { matchesLinear } from '../../schema/linear-pattern.js';
import type { Condition, FaultConditions, ValueTest } from './fault.js';

/** The parts of a request that conditions and templates see. */
export interface FaultRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Whether all conditions hold for a request. */
export function matchesConditions(conditions: FaultConditions, request: FaultRequest): boolean {
  const { path = {}, query = {}, headers = {}, body = {} } = conditions;
  return (
    holdsAll(path, (name) => textsOf(request.path, name)) &&
    holdsAll(query, (name) => request.query.getAll(name)) &&
    holdsAll(headers, (name) => textsOf(request.headers, name.toLowerCase())) &&
    holdsAll(body, (name) => valuesIn(request.body, name))
  );
}

type FindValues = (name: string) => readonly unknown[];

/** A name with several values holds if one of them does. */
function holdsAll(conditions: Readonly<Record<string, Condition>>, find: FindValues): boolean {
  return Object.entries(conditions).every(([name, condition]) => {
    const values = find(name);
    const test: ValueTest = isRecord(condition) ? condition : { equals: condition };
    if (values.length === 0) return test.exists === false;
    if (test.exists === false) return false;
    return values.some((value) => holds(test, value));
  });
}

function textsOf(values: Readonly<Record<string, string>>, name: string): readonly string[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined ? [] : [value];
}

function valuesIn(body: unknown, name: string): readonly unknown[] {
  if (name.startsWith('/')) {
    const value = resolvePointer(body, name);
    return value === undefined ? [] : [value];
  }
  if (body instanceof URLSearchParams) return body.getAll(name);
  return isRecord(body) && Object.hasOwn(body, name) ? [body[name]] : [];
}

function holds(test: ValueTest, value: unknown): boolean {
  const { equals, oneOf, matches, gt, gte, lt, lte } = test;
  return (
    (equals === undefined || isEqual(value, equals)) &&
    (oneOf === undefined || oneOf.some((one) => isEqual(value, one))) &&
    (matches === undefined || (isScalar(value) && matchesLinear(matches, String(value)))) &&
    (gt === undefined || compare(value, gt) > 0) &&
    (gte === undefined || compare(value, gte) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (lte === undefined || compare(value, lte) <= 0)
  );
}

/** Paths, queries and headers have only texts, so `402` and `"402"` are equal. */
function isEqual(value: unknown, expected: unknown): boolean {
  if (isSameJson(value, expected)) return true;
  return typeof value === 'string' && typeof expected !== 'string' && isScalar(expected) && value === String(expected);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** Compares numbers, or texts such as dates; `NaN`, which fails every comparison, if a value is neither. */
function compare(value: unknown, bound: number | string): number {
  if (typeof bound === 'string')
    return typeof value === 'string' ? (value < bound ? -1 : Number(value > bound)) : Number.NaN;
  const number =
    typeof value === 'string' && value.trim() === '' ? Number.NaN : isScalar(value) ? Number(value) : Number.NaN;
  return typeof value === 'boolean' ? Number.NaN : number - bound;
}
