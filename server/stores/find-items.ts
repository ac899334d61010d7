import { type IndexPart, type QueryParts, partsOfQuery, shapeOfOrder, shapeOfRange } from './index-parts.js';
import type { IndexEntry, IndexShape, ItemIndex, StoredItem } from './item-index.js';
import { createMemberReader } from './member-path.js';
import { compareValues, createMatcher, rankOf } from './predicates.js';
import type { SortedList } from './sorted-list.js';
import type { StoreQuery } from './store.js';

export interface FoundItems {
  readonly items: readonly StoredItem[];
  readonly total: number;
  readonly positions?: ReadonlyMap<string, number>;
}

/** What a query needs of a collection. */
export interface Searched {
  readonly items: ReadonlyMap<string, StoredItem>;
  /** The items in the order of creation. */
  readonly ordered: SortedList<StoredItem>;
  /** Returns the index of a shape, and makes it on first use. `undefined` if it would take too much memory. */
  indexOf(shape: IndexShape): ItemIndex | undefined;
}

/** Items in the order of a query: those of one group of an index, or all in the order of creation. */
interface Sorted {
  readonly size: number;
  slice(start: number, end: number): readonly StoredItem[];
  walk(visit: (item: StoredItem) => boolean): void;
  /** -1 for an item that is not among them. */
  positionOf(item: StoredItem): number;
}

/** A scan of a smaller collection costs no more than an index. */
const FEW = 64;

/** Returns the items that a query asks for. The result is that of a scan of all items and a stable sort. */
export function findItems(searched: Searched, query: StoreQuery): FoundItems {
  const { order = [] } = query;
  const { groups, ranges, several, hasOthers } = partsOfQuery(query);
  const isPlain = groups.length === 0 && several.length === 0 && order.length === 0;
  const isSmall = searched.ordered.size < FEW && (!isPlain || ranges.length > 0);
  const merged = isSmall || ranges.length > 0 ? undefined : mergedBy(searched, { groups, several }, order);
  if (merged !== undefined) return hasOthers ? walkMatches(merged, query) : cutPage(searched, merged, query);
  const sorted = isSmall ? undefined : sortedBy(searched, groups, order);
  if (sorted === undefined) {
    const test = createMatcher(query);
    const matching = searched.ordered.slice().filter(({ value }) => test(value));
    return cutList(sortItems(matching, order), query);
  }
  const [range] = ranges;
  const isTested = hasOthers || several.length > 0;
  if (range !== undefined) return findInRange(searched, query, { sorted, groups, ranges, range, hasOthers: isTested });
  return isTested ? walkMatches(sorted, query) : cutPage(searched, sorted, query);
}

/** Returns `undefined` without an index. */
function sortedBy(
  searched: Searched,
  groups: readonly IndexPart[],
  order: NonNullable<StoreQuery['order']>,
): Sorted | undefined {
  const { ordered } = searched;
  if (groups.length === 0 && order.length === 0) return ordered;
  const index = searched.indexOf(shapeOfOrder(groups, order));
  if (index === undefined) return undefined;
  const keys = groups.map(({ values }) => values[0]);
  const list = index.find(keys);
  return {
    size: list?.size ?? 0,
    slice: (start, end) => (list?.slice(start, end) ?? []).map(({ item }) => item),
    walk: (visit) => list?.walk(({ item }) => visit(item)),
    positionOf: (item) => index.positionOf(item, keys),
  };
}

/** The groups of several values as one. `undefined` without them, or if some item is in more than one of them. */
function mergedBy(
  searched: Searched,
  { groups, several }: Pick<QueryParts, 'groups' | 'several'>,
  order: NonNullable<StoreQuery['order']>,
): Sorted | undefined {
  if (several.length === 0) return undefined;
  const parts = [...groups, ...several].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const index = searched.indexOf(shapeOfOrder(parts, order));
  if (index === undefined || index.hasShared) return undefined;
  let lists: readonly (readonly unknown[])[] = [[]];
  for (const { values } of parts) lists = lists.flatMap((keys) => values.map((value) => [...keys, value]));
  const { merged, positionOf } = index.findAny(lists);
  return {
    size: merged.size,
    slice: (start, end) => merged.slice(start, end).map(({ item }) => item),
    walk: (visit) => merged.walk(({ item }) => visit(item)),
    positionOf,
  };
}

/** Returns a page of items that all match. */
function cutPage({ items }: Searched, sorted: Sorted, query: StoreQuery): FoundItems {
  const { start, end } = boundsOf(query);
  const found = { items: sorted.slice(start, end), total: sorted.size };
  if (query.locate === undefined) return found;
  const positions = new Map<string, number>();
  for (const id of query.locate) {
    const item = items.get(id);
    const position = item === undefined ? -1 : sorted.positionOf(item);
    if (position !== -1) positions.set(id, position);
  }
  return { ...found, positions };
}

/** Returns a page of all matches. */
export function cutList(matching: readonly StoredItem[], query: StoreQuery): FoundItems {
  const { start, end } = boundsOf(query);
  const found = { items: matching.slice(start, end), total: matching.length };
  if (query.locate === undefined) return found;
  const wanted = new Set(query.locate);
  const positions = new Map<string, number>();
  for (const [position, { id }] of matching.entries()) if (wanted.has(id)) positions.set(id, position);
  return { ...found, positions };
}

/** Tests the items in their order, all of them if they must be counted. */
function walkMatches(sorted: Sorted, query: StoreQuery): FoundItems {
  const { countTotal = true, locate } = query;
  const most = countTotal || locate !== undefined ? Infinity : boundsOf(query).end;
  return cutList(takeMatches(sorted, { query, most, visits: Infinity }) ?? [], query);
}

interface Taking {
  readonly query: StoreQuery;
  /** The most matches that are needed. */
  readonly most: number;
  /** The most items that are looked at. */
  readonly visits: number;
}

/** Returns the first matches in their order; `undefined` if too many items would have to be looked at. */
function takeMatches(sorted: Sorted, { query, most, visits }: Taking): readonly StoredItem[] | undefined {
  const test = createMatcher(query);
  const found: StoredItem[] = [];
  if (most <= 0) return found;
  let left = visits;
  sorted.walk((item) => {
    left -= 1;
    if (test(item.value)) found.push(item);
    return found.length < most && left > 0;
  });
  return left > 0 || found.length >= most ? found : undefined;
}

interface InRange {
  readonly sorted: Sorted;
  readonly groups: readonly IndexPart[];
  readonly ranges: readonly IndexPart[];
  /** The bound by which the items are found. */
  readonly range: IndexPart;
  readonly hasOthers: boolean;
}

/** Finds items within bounds: those that an index has between them, or in their order until the page is full. */
function findInRange(
  searched: Searched,
  query: StoreQuery,
  { sorted, groups, ranges, range, hasOthers }: InRange,
): FoundItems {
  const index = searched.indexOf(shapeOfRange(groups, range));
  if (index === undefined) return walkMatches(sorted, query);
  const own = index.hasSeveral ? [range] : ranges.filter(({ name }) => name === range.name);
  const list = index.find(groups.map(({ values }) => values[0]));
  const [low, high] = list === undefined ? [0, 0] : boundsIn(list, own);
  const count = Math.max(0, high - low);
  const isExact = !hasOthers && own.length === ranges.length && !index.hasSeveral;
  const { end } = boundsOf(query);
  if (isExact && query.locate === undefined && (end / count) * sorted.size < count) {
    const page = takeMatches(sorted, { query, most: end, visits: 4 * count });
    if (page !== undefined) return { items: page.slice(boundsOf(query).start), total: count };
  }
  if (!isExact && count > sorted.size / 4) return walkMatches(sorted, query);
  const candidates = (list?.slice(low, high) ?? []).map(({ item }) => item);
  const test = createMatcher(query);
  const matching = isExact ? candidates : [...new Set(candidates)].filter(({ value }) => test(value));
  matching.sort((one, other) => one.sequence - other.sequence);
  return cutList(sortItems(matching, query.order ?? []), query);
}

/** The positions of the first entry within all bounds, and of the first one behind. */
function boundsIn(list: SortedList<IndexEntry>, ranges: readonly IndexPart[]): readonly [number, number] {
  let [low, high] = [0, list.size];
  for (const { test, values, isExclusive } of ranges) {
    const [value] = values;
    const isBehind = ({ key }: IndexEntry): boolean => compareValues(key, value) > 0;
    const isNotBefore = ({ key }: IndexEntry): boolean => compareValues(key, value) >= 0;
    const ofKind = list.countUntil(({ key }) => rankOf(key) >= rankOf(value));
    const behindKind = list.countUntil(({ key }) => rankOf(key) > rankOf(value));
    const from = test === 'from' ? list.countUntil(isExclusive ? isBehind : isNotBefore) : ofKind;
    const to = test === 'to' ? list.countUntil(isExclusive ? isNotBefore : isBehind) : behindKind;
    [low, high] = [Math.max(low, from), Math.min(high, to)];
  }
  return [low, high];
}

function boundsOf({ skip = 0, take = Infinity }: StoreQuery): { readonly start: number; readonly end: number } {
  const start = Math.max(0, skip);
  return { start, end: start + Math.max(0, take) };
}

/** Sorts items that are in the order of creation. The sort is stable, so ties keep that order. */
export function sortItems(
  items: readonly StoredItem[],
  order: NonNullable<StoreQuery['order']>,
): readonly StoredItem[] {
  if (order.length === 0) return items;
  const readers = order.map(({ path }) => createMemberReader(path));
  const keyed = items.map((item) => ({ item, keys: readers.map((read) => read(item.value)[0]) }));
  keyed.sort((one, other) => {
    for (const [index, { descending }] of order.entries()) {
      const result = compareValues(one.keys[index], other.keys[index]);
      if (result !== 0) return descending === true ? -result : result;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}
