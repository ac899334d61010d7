import { scalarText } from '../../http/request/write-request.js';
import { takeAt } from '../../schema/value-path.js';
import { memberCode } from './lists.js';
import type { Filter, FilterTest } from './assertion.js';

interface Rule {
  readonly holds: (own: unknown, value: unknown) => boolean;
  /** `isText`: whether the value is a text. */
  readonly code: (own: string, value: string, isText: boolean) => string;
}

/**
 * Whether a member of a listed item may have its value. A text filter may match a part, ignoring case; a choice must
 * match as a whole. Values that have no order are in no bound.
 */
const MAY: Readonly<Record<FilterTest, Rule>> = {
  equals: {
    holds: (own, value) =>
      typeof value === 'string'
        ? typeof own === 'string' && own.toLowerCase().includes(value.toLowerCase())
        : own === value,
    code: (own, value, isText) =>
      isText
        ? `(typeof ${own} === 'string' && ${own}.toLowerCase().includes(${value}.toLowerCase()))`
        : `${own} === ${value}`,
  },
  choice: {
    holds: (own, value) => scalarText(own).toLowerCase() === scalarText(value).toLowerCase(),
    code: (own, value) => `String(${own}).toLowerCase() === String(${value}).toLowerCase()`,
  },
  id: {
    holds: (own, value) => own === null || scalarText(own) === scalarText(value),
    code: (own, value) => `${own} === null || String(${own}) === String(${value})`,
  },
  from: {
    holds: (own, value) => isUnordered(own, value) || Number(placeOf(own)) >= Number(placeOf(value)),
    code: (own, value, isText) => (isText ? `!(${time(own)} < ${time(value)})` : `!(${own} < ${value})`),
  },
  to: {
    holds: (own, value) => isUnordered(own, value) || Number(placeOf(own)) <= Number(placeOf(value)),
    code: (own, value, isText) => (isText ? `!(${time(own)} > ${time(value)})` : `!(${own} > ${value})`),
  },
};

const EQUAL: Rule = {
  holds: (own, value) => own === value,
  code: (own, value) => `${own} === ${value}`,
};

/** Whether an item with a value must be listed: a filter may match the whole text or its beginning. */
const MUST: Readonly<Record<FilterTest, Rule>> = {
  equals: EQUAL,
  choice: EQUAL,
  id: EQUAL,
  from: {
    holds: (own, value) => placeOf(own) !== undefined && MAY.from.holds(own, value),
    code: (own, value, isText) => (isText ? `${time(own)} >= ${time(value)}` : `${own} >= ${value}`),
  },
  to: {
    holds: (own, value) => placeOf(own) !== undefined && MAY.to.holds(own, value),
    code: (own, value, isText) => (isText ? `${time(own)} <= ${time(value)}` : `${own} <= ${value}`),
  },
};

function isUnordered(own: unknown, value: unknown): boolean {
  return placeOf(own) === undefined || placeOf(value) === undefined;
}

/** Returns a number or a time as a number; other texts have no order that a bound could mean. */
export function placeOf(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? Date.parse(value) : undefined;
}

function time(code: string): string {
  return `Date.parse(${code})`;
}

type Asked = Pick<Filter, 'path' | 'test'>;

/** Whether a filtered list may contain an item. */
export function mayBeListed({ path, test }: Asked, item: unknown, value: unknown): boolean {
  const own = takeAt(item, path);
  const members: readonly unknown[] = Array.isArray(own) ? own : [own];
  return members.some((one) => one === undefined || MAY[test].holds(one, value));
}

/** Whether a filtered list must contain an item. */
export function mustBeListed({ path, test }: Asked, item: unknown, value: unknown): boolean {
  return MUST[test].holds(takeAt(item, path), value);
}

/** The code of a value, and the value itself. */
export interface PrintedValue {
  readonly code: string;
  readonly value: unknown;
}

/** The code for `mayBeListed` of an `item`. */
export function mayBeListedCode({ path, test }: Asked, { code, value }: PrintedValue): string {
  const rule = MAY[test].code('own', code, typeof value === 'string');
  return `[item${memberCode(path)}].flat().some((own) => own === undefined || ${rule})`;
}

/** The code for `mustBeListed` of an `item`. */
export function mustBeListedCode({ path, test }: Asked, { code, value }: PrintedValue): string {
  return MUST[test].code(`item${memberCode(path)}`, code, typeof value === 'string');
}
