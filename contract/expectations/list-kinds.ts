import { isDecimal } from './filters.js';
import { lastPartOf } from '../../resources/extract-id.js';
import { takeAt } from '../../schema/value-path.js';
import type { AssertionKinds, AssertionOf, Evidence, IdValue } from './assertion.js';
import { mayBeListed, mayBeListedCode } from './filters.js';
import type { Kind } from './kind.js';
import { findItem, idCode, itemsOf, lastPartCode, listIds, memberCode, readId } from './lists.js';
import type { Printer } from './printer.js';
import { isEmpty, printedValue, readValue, valueCode, valueExchanges } from './values.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { isSameJson, showJson } from '../../model/exact-json.js';

const MEMBERSHIP = {
  exchanges: ({ list, id }: AssertionKinds['listed']) => [...list.pages, id.exchange],
  ids: ({ id }: AssertionKinds['listed']) => [id],
};

type ListKind = 'fits' | 'listed' | 'not listed' | 'page size' | 'each once' | 'same items' | 'sorted';

/** The kinds of assertions about the items of a list. */
export const LIST_KINDS: { readonly [K in ListKind]: Kind<AssertionOf<K>> } = {
  listed: {
    ...MEMBERSHIP,
    holds: ({ list, id }, evidence) => isListed(list, id, evidence),
    print: ({ list, id }, printer) => printMembership({ list, id }, printer, ''),
    texts: ({ list, id }, evidence) => ({
      expected: `a list with ${readId(id, evidence)}`,
      actual: lastText(list, evidence),
    }),
  },
  'not listed': {
    ...MEMBERSHIP,
    holds: ({ list, id }, evidence) => !isListed(list, id, evidence),
    print: ({ list, id }, printer) => printMembership({ list, id }, printer, '.not'),
    texts: ({ list, id }, evidence) => ({
      expected: `a list without ${readId(id, evidence)}`,
      actual: lastText(list, evidence),
    }),
  },
  'page size': {
    exchanges: ({ list }) => list.pages,
    holds: ({ list, most }, evidence) => longestPage(list, evidence) <= most,
    print: ({ list, most }, printer) => [
      ...list.pages.map((page) => `expect(${printer.itemsOf(page, list)}.length).toBeLessThanOrEqual(${most});`),
    ],
    texts: ({ list, most }, evidence) => ({
      expected: `at most ${most} ${most === 1 ? 'item' : 'items'}`,
      actual: `${longestPage(list, evidence)} items`,
    }),
  },
  'each once': {
    exchanges: ({ list }) => list.pages,
    holds: ({ list }, evidence) => findTwice(listIds(list, evidence)) === undefined,
    print: ({ list }, printer) => [`const ids = ${idsCode(list, printer)};`, 'expect(ids).toEqual([...new Set(ids)]);'],
    texts: ({ list }, evidence) => ({
      expected: 'each item once',
      actual: findTwice(listIds(list, evidence)) ?? 'each once',
    }),
  },
  'same items': {
    exchanges: ({ whole, list }) => [whole, ...list.pages],
    holds: ({ list, whole, size, next }, evidence) => {
      const ids = listIds(list, evidence);
      const all = listIds({ ...list, pages: [whole] }, evidence);
      const last = list.pages.at(-1) ?? whole;
      const isEnd =
        next === undefined
          ? itemsOf({ ...list, pages: [last] }, evidence).length < size
          : isEmpty(readValue(next, evidence));
      const wanted = isEnd ? all : all.slice(0, ids.length);
      return isSameJson([...wanted].sort(), [...ids].sort());
    },
    print: ({ list, whole, size, next }, printer) => {
      const last = list.pages.at(-1) ?? whole;
      const isEnd =
        next === undefined ? `${printer.itemsOf(last, list)}.length < ${size}` : `!${valueCode(next, printer)}`;
      return [
        `const ids = ${idsCode(list, printer)};`,
        `const all = ${idsCode({ ...list, pages: [whole] }, printer)};`,
        `expect(ids.sort()).toEqual(all.slice(0, ${isEnd} ? all.length : ids.length).sort());`,
      ];
    },
    texts: ({ list, whole }, evidence) => ({
      expected: `${itemsOf({ ...list, pages: [whole] }, evidence).length} items`,
      actual: `${itemsOf(list, evidence).length} items`,
    }),
  },
  fits: {
    isAboutMany: true,
    exchanges: ({ list, id, filters }) => [
      ...list.pages,
      ...(id === undefined ? [] : [id.exchange]),
      ...filters.flatMap(({ value }) => valueExchanges(value)),
    ],
    ids: ({ id }) => (id === undefined ? [] : [id]),
    holds: (assertion, evidence) => findMisfit(assertion, evidence) === undefined,
    print: ({ list, id, filters }, printer) => {
      const allowed = filters
        .map((filter) => mayBeListedCode(filter, printedValue(filter.value, printer)))
        .join(' && ');
      const isIt = id === undefined ? '' : `${lastPartCode(idCode(list))} === ${lastPartCode(printer.id(id))} && `;
      return [`expect(${printer.items(list)}.filter((item) => ${isIt}!(${allowed}))).toEqual([]);`];
    },
    texts: (assertion, evidence) => ({
      expected: 'items that fit the filter',
      actual: showJson(findMisfit(assertion, evidence), 'items that fit'),
    }),
  },
  sorted: {
    isAboutMany: true,
    exchanges: ({ list }) => list.pages,
    holds: (order, evidence) => isSorted(sortedValues(order, evidence), order.isDown),
    print: (order, printer) => {
      const { list, path, isDown } = order;
      const [one, other] = isDown ? ['other', 'one'] : ['one', 'other'];
      const orders = ordersOf(sortedValues(order, printer.evidence));
      const sortings = orders
        .map(({ code }) => code(one, other))
        .map((code) => `values.toSorted((one, other) => ${code})`);
      return [
        `const values = ${printer.items(list)}.map((item) => item${memberCode(path)}).filter((value) => value != null);`,
        `expect([${sortings.join(', ')}]).toContainEqual(values);`,
      ];
    },
    texts: (order, evidence) => ({
      expected: 'items in this order',
      actual: stringifyExactJson(itemsOf(order.list, evidence).map((item) => takeAt(item, order.path))),
    }),
  },
};

function findMisfit({ list, id, filters }: AssertionKinds['fits'], evidence: Evidence): unknown {
  const items = id === undefined ? itemsOf(list, evidence) : [findItem(list, id, evidence)];
  return items.find((item) => filters.some((filter) => !mayBeListed(filter, item, readValue(filter.value, evidence))));
}

type Membership = AssertionKinds['listed'];

function isListed(list: Membership['list'], id: IdValue, evidence: Evidence): boolean {
  const wanted = lastPartOf(readId(id, evidence));
  return listIds(list, evidence).some((one) => lastPartOf(one) === wanted);
}

function printMembership({ list, id }: Membership, printer: Printer, not: '' | '.not'): string[] {
  const ids = `${printer.items(list)}.map((item) => ${lastPartCode(idCode(list))})`;
  return [`expect(${ids})${not}.toContain(${lastPartCode(printer.id(id))});`];
}

function idsCode(list: Membership['list'], printer: Printer): string {
  return `${printer.items(list)}.map((item) => ${list.idAt === undefined ? 'JSON.stringify(item)' : idCode(list)})`;
}

function lastText({ pages }: Membership['list'], { responseTo }: Evidence): string {
  const last = pages.at(-1);
  return last === undefined ? 'nothing' : responseTo(last).text;
}

function longestPage(list: Membership['list'], evidence: Evidence): number {
  return Math.max(...list.pages.map((page) => itemsOf({ ...list, pages: [page] }, evidence).length));
}

function findTwice(ids: readonly string[]): string | undefined {
  return ids.find((id, index) => ids.indexOf(id) !== index);
}

interface ValueOrder {
  readonly compare: (one: unknown, other: unknown) => number;
  readonly code: (one: string, other: string) => string;
}

const BY_NUMBER: ValueOrder = {
  compare: (one, other) => Number(one) - Number(other),
  code: (one, other) => `${one} - ${other}`,
};

/** Servers compare texts by code points or by language, with or without case. Any of these is accepted. */
const TEXT_ORDERS: readonly ValueOrder[] = [
  {
    compare: (one, other) => byCodePoint(String(one), String(other)),
    code: (one, other) => `${one} < ${other} ? -1 : Number(${one} > ${other})`,
  },
  {
    compare: (one, other) => byCodePoint(String(one).toLowerCase(), String(other).toLowerCase()),
    code: (one, other) =>
      `${one}.toLowerCase() < ${other}.toLowerCase() ? -1 : Number(${one}.toLowerCase() > ${other}.toLowerCase())`,
  },
  {
    compare: (one, other) => String(one).localeCompare(String(other)),
    code: (one, other) => `${one}.localeCompare(${other})`,
  },
];

function byCodePoint(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The values that a list is sorted by, in its order. */
function sortedValues({ list, path }: AssertionKinds['sorted'], evidence: Evidence): readonly unknown[] {
  return itemsOf(list, evidence)
    .map((item) => takeAt(item, path))
    .filter((value) => value !== undefined && value !== null);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The orders that values may have: any of these is right. Values of several types have none. */
function ordersOf(values: readonly unknown[]): readonly ValueOrder[] {
  if (values.every(isNumber)) return [BY_NUMBER];
  if (!values.every((value) => typeof value === 'string')) return [];
  if (!values.every(isDecimal)) return TEXT_ORDERS;
  const places = new Set(values.map((value) => value.split('.')[1]?.length ?? 0));
  // Amounts have the same number of decimals; other texts of digits may be codes or versions.
  return places.size === 1 && !places.has(0) ? [BY_NUMBER] : [BY_NUMBER, ...TEXT_ORDERS];
}

/** Whether values are in order, ascending or descending. */
export function isSorted(values: readonly unknown[], isDown: boolean): boolean {
  const sign = isDown ? -1 : 1;
  const orders = ordersOf(values);
  return (
    orders.length === 0 ||
    orders.some(({ compare }) =>
      values.every((value, index) => index === 0 || sign * compare(values[index - 1], value) <= 0),
    )
  );
}
