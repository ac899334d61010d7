import { createMemberReader } from './member-path.js';
import { compareValues } from './predicates.js';
import type { IndexShape, KeyReader } from './item-index.js';
import type { Condition, KeyCondition, StoreQuery } from './store.js';

/** A condition whose matches an index finds. */
export interface IndexPart {
  /** Parts with the same name read the same keys. */
  readonly name: string;
  readonly keysOf: KeyReader;
  readonly test: 'equals' | 'from' | 'to';
  readonly values: readonly unknown[];
  readonly isExclusive: boolean;
}

/** The conditions of a query by what an index can do for them. */
export interface QueryParts {
  /** One key each: together they name a group of an index. */
  readonly groups: readonly IndexPart[];
  /** Bounds. */
  readonly ranges: readonly IndexPart[];
  /** Several values of one key: each names a group. */
  readonly several: readonly IndexPart[];
  /** Whether there are other conditions, which are tested item by item. */
  readonly hasOthers: boolean;
}

/** The most members by which an index groups its items. Further ones are tested. */
const MOST_GROUPS = 4;
/** The most groups whose items are merged. With more, items are tested one by one. */
const MOST_MERGED = 32;

export function partsOfQuery({ where = [], match = [], filter }: StoreQuery): QueryParts {
  const parts = [...where.map((condition) => partOfCondition(condition)), ...match.map((one) => partOfMatch(one))];
  const known = parts.filter((part) => part !== undefined);
  const isSingle = (part: IndexPart): boolean => part.test === 'equals' && part.values.length === 1;
  const singles = known.filter((part) => isSingle(part)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const ranges = known.filter(({ test, values }) => test !== 'equals' && values.length === 1);
  const groups = singles.slice(0, MOST_GROUPS);
  const several = severalOf(known);
  const hasOthers = filter !== undefined || groups.length + ranges.length + several.length < parts.length;
  return { groups, ranges, several, hasOthers };
}

/** The conditions with several values, as long as their groups are few enough to be merged. */
function severalOf(known: readonly IndexPart[]): readonly IndexPart[] {
  const several: IndexPart[] = [];
  let count = 1;
  for (const part of known) {
    if (part.test !== 'equals' || part.values.length < 2 || count * part.values.length > MOST_MERGED) continue;
    count *= part.values.length;
    several.push(part);
  }
  return several;
}

/** Returns `undefined` for a condition that an index cannot serve. */
function partOfCondition({ path, test, value }: Condition): IndexPart | undefined {
  if (test === 'contains' || !isScalar(value)) return undefined;
  const read = createMemberReader(path);
  const keysOf = (item: unknown): readonly unknown[] => distinct(read(item).filter((one) => isScalar(one)));
  return { name: `where ${path}`, keysOf, test, values: [value], isExclusive: false };
}

function partOfMatch({ name, keysOf, test, values, isExclusive = false }: KeyCondition): IndexPart {
  return { name: `match ${name}`, keysOf: (item) => distinct(keysOf(item)), test, values, isExclusive };
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** Returns the values without those that compare as equal to an earlier one. */
function distinct(values: readonly unknown[]): readonly unknown[] {
  if (values.length < 2) return values;
  const sorted = values.toSorted(compareValues);
  return sorted.filter((value, index) => index === 0 || compareValues(sorted[index - 1], value) !== 0);
}

const NO_KEYS: readonly unknown[] = [undefined];

/** The index that has the matches of some conditions in an order. */
export function shapeOfOrder(groups: readonly IndexPart[], order: NonNullable<StoreQuery['order']>): IndexShape {
  const readers = order.map(({ path }) => createMemberReader(path));
  const signs = order.map(({ descending }) => (descending === true ? -1 : 1));
  const [first] = readers;
  const [sign = 1] = signs;
  const name = [
    ...groups.map((part) => part.name),
    'order',
    ...order.map(({ path, descending }) => `${descending === true ? '-' : '+'}${path}`),
  ].join('\n');
  const base = { name, groups: groups.map(({ keysOf }) => keysOf) };
  if (first === undefined) return { ...base, keysOf: () => NO_KEYS, compare: () => 0 };
  if (readers.length === 1)
    return {
      ...base,
      keysOf: (value) => [first(value)[0]],
      compare: (one, other) => sign * compareValues(one, other),
    };
  return {
    ...base,
    keysOf: (value) => [readers.map((read) => read(value)[0])],
    compare: (one, other) => compareLists(one as readonly unknown[], other as readonly unknown[], signs),
  };
}

function compareLists(one: readonly unknown[], other: readonly unknown[], signs: readonly number[]): number {
  for (const [index, sign] of signs.entries()) {
    const result = compareValues(one[index], other[index]);
    if (result !== 0) return sign * result;
  }
  return 0;
}

/** The index that has the matches of some conditions in the order of the keys of a bound. */
export function shapeOfRange(groups: readonly IndexPart[], { name, keysOf }: IndexPart): IndexShape {
  const names = [...groups.map((part) => part.name), 'range', name];
  return { name: names.join('\n'), groups: groups.map((part) => part.keysOf), keysOf, compare: compareValues };
}
