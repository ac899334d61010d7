import { scalarText } from '../../http/request/write-request.js';
import { isRecord } from '../../model/document/records.js';
import { takeAt } from '../../schema/value-path.js';
import { memberCode } from './lists.js';
import type { Filter, FilterTest } from './assertion.js';

interface Rule {
  readonly holds: (own: unknown, value: unknown) => boolean;
  /** `given`: the value itself. */
  readonly code: (own: string, value: string, given: unknown) => string;
}

/** A bound: `isAllowed` compares an item's value with it. */
function bound(isAllowed: (own: number, value: number) => boolean, outside: string): Rule {
  return {
    holds: (own, value) => isUnordered(own, value) || isAllowed(Number(placeOf(own)), Number(placeOf(value))),
    code: (own, value, given) => `!(${placeCode(own, given)} ${outside} ${placeCode(value, given)})`,
  };
}

/** The same bound for items that must be listed: values without an order need not be. */
function strictBound(isAllowed: (own: number, value: number) => boolean, inside: string): Rule {
  return {
    holds: (own, value) => !isUnordered(own, value) && isAllowed(Number(placeOf(own)), Number(placeOf(value))),
    code: (own, value, given) => `${placeCode(own, given)} ${inside} ${placeCode(value, given)}`,
  };
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
    code: (own, value, given) =>
      typeof given === 'string'
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
  from: bound((own, value) => own >= value, '<'),
  to: bound((own, value) => own <= value, '>'),
  after: bound((own, value) => own > value, '<='),
  before: bound((own, value) => own < value, '>='),
  // Nothing says whether an item at the bound is listed.
  since: bound((own, value) => own >= value, '<'),
  until: bound((own, value) => own <= value, '>'),
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
  from: strictBound((own, value) => own >= value, '>='),
  to: strictBound((own, value) => own <= value, '<='),
  after: strictBound((own, value) => own > value, '>'),
  before: strictBound((own, value) => own < value, '<'),
  since: strictBound((own, value) => own > value, '>'),
  until: strictBound((own, value) => own < value, '<'),
};

function isUnordered(own: unknown, value: unknown): boolean {
  return placeOf(own) === undefined || placeOf(value) === undefined;
}

/** Returns a number, a decimal text or a time as a number; other texts have no order that a bound could mean. */
export function placeOf(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || isDecimal(value)) return Number(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? Date.parse(value) : undefined;
}

/** Whether a value is a text with a decimal number, such as an amount. */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
}

/** The code for `placeOf` a value like a given one. */
function placeCode(code: string, given: unknown): string {
  if (isDecimal(given)) return `Number(${code})`;
  return typeof given === 'string' ? `Date.parse(${code})` : code;
}

type Asked = Pick<Filter, 'path' | 'test' | 'isOfObjects'>;

/** The values of a member: itself, or the entries of a list; of objects in a list, such as labels, their members. */
function entriesOf(own: unknown, isOfObjects = false): readonly unknown[] {
  if (!Array.isArray(own)) return [own];
  return isOfObjects ? own.flatMap((entry: unknown) => (isRecord(entry) ? Object.values(entry) : [entry])) : own;
}

/** The members that name an object in a list. */
const NAMES = ['name', 'label', 'title', 'slug', 'key', 'value'] as const;

/** The values by which a filter may find an item: the member itself, or the entries of a list or their names. */
export function namesIn(item: unknown, path: readonly string[]): readonly unknown[] {
  const own = takeAt(item, path);
  if (!Array.isArray(own)) return [own];
  return own.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [entry];
    const name = NAMES.find((one) => typeof entry[one] === 'string');
    return name === undefined ? [] : [entry[name]];
  });
}

/** Whether a filtered list may contain an item. */
export function mayBeListed({ path, test, isOfObjects }: Asked, item: unknown, value: unknown): boolean {
  return entriesOf(takeAt(item, path), isOfObjects).some((one) => one === undefined || MAY[test].holds(one, value));
}

/** Whether a filtered list must contain an item. */
export function mustBeListed({ path, test }: Asked, item: unknown, value: unknown): boolean {
  const own = takeAt(item, path);
  const entries: readonly unknown[] = Array.isArray(own) ? own : [own];
  return entries.some((one) => MUST[test].holds(one, value));
}

/** The code of a value, and the value itself. */
export interface PrintedValue {
  readonly code: string;
  readonly value: unknown;
}

/** The code for `mayBeListed` of an `item`. */
export function mayBeListedCode({ path, test, isOfObjects = false }: Asked, { code, value }: PrintedValue): string {
  const rule = MAY[test].code('own', code, value);
  const values = isOfObjects ? '.flatMap((one) => Object.values(one))' : '';
  return `[item${memberCode(path)}].flat()${values}.some((own) => own === undefined || ${rule})`;
}

/** The code for `mustBeListed` of an `item`. */
export function mustBeListedCode({ path, test }: Asked, { code, value }: PrintedValue): string {
  return `[item${memberCode(path)}].flat().some((own) => ${MUST[test].code('own', code, value)})`;
}
