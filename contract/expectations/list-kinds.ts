import { toLiteral } from '../../model/identifiers.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { lastPartOf } from '../../resources/extract-id.js';
import { takeAt } from '../../schema/value-path.js';
import { memberPath } from '../reproduction/member-path.js';
import type { AssertionKinds, AssertionOf, Evidence, IdValue } from './assertion.js';
import type { Kind } from './kind.js';
import { idCode, itemsOf, lastPartCode, listIds, readId } from './lists.js';
import type { Printer } from './printer.js';
import { isEmpty } from './values.js';

const MEMBERSHIP = {
  exchanges: ({ list, id }: AssertionKinds['listed']) => [...list.pages, id.exchange],
  ids: ({ id }: AssertionKinds['listed']) => [id],
};

type ListKind = 'listed' | 'not listed' | 'page size' | 'each once' | 'same items' | 'sorted';

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
      ...printer.declare(list.pages),
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
    print: ({ list }, printer) => [
      ...printer.declare(list.pages),
      `const ids = ${idsCode(list, printer)};`,
      'expect(ids).toEqual([...new Set(ids)]);',
    ],
    texts: ({ list }, evidence) => ({
      expected: 'each item once',
      actual: findTwice(listIds(list, evidence)) ?? 'each once',
    }),
  },
  'same items': {
    exchanges: ({ whole, list }) => [whole, ...list.pages],
    holds: ({ list, whole, size, nextAt }, evidence) => {
      const ids = listIds(list, evidence);
      const all = listIds({ ...list, pages: [whole] }, evidence);
      const last = list.pages.at(-1) ?? whole;
      const isEnd =
        nextAt === undefined
          ? itemsOf({ ...list, pages: [last] }, evidence).length < size
          : isEmpty(resolvePointer(evidence.responseTo(last).json, nextAt));
      const wanted = isEnd ? all : all.slice(0, ids.length);
      return JSON.stringify([...wanted].sort()) === JSON.stringify([...ids].sort());
    },
    print: ({ list, whole, size, nextAt }, printer) => {
      const last = list.pages.at(-1) ?? whole;
      const isEnd =
        nextAt === undefined
          ? `${printer.itemsOf(last, list)}.length < ${size}`
          : `!${printer.names.body(last)}${memberPath(nextAt, '?')}`;
      return [
        ...printer.declare([whole, ...list.pages]),
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
  sorted: {
    isAboutMany: true,
    exchanges: ({ list }) => list.pages,
    holds: (order, evidence) => isSorted(sortedValues(order, evidence), order.isDown),
    print: (order, printer) => {
      const { list, path, isDown } = order;
      const at = path.map((name) => `?.[${toLiteral(name)}]`).join('');
      const [one, other] = isDown ? ['other', 'one'] : ['one', 'other'];
      const areNumbers = sortedValues(order, printer.evidence).every((value) => typeof value === 'number');
      const sortings = (areNumbers ? [`${one} - ${other}`] : TEXT_ORDERS.map(({ code }) => code(one, other))).map(
        (code) => `values.toSorted((one, other) => ${code})`,
      );
      return [
        ...printer.declare(list.pages),
        `const values = ${printer.items(list)}.map((item) => item${at}).filter((value) => value != null);`,
        `expect([${sortings.join(', ')}]).toContainEqual(values);`,
      ];
    },
    texts: (order, evidence) => ({
      expected: 'items in this order',
      actual: JSON.stringify(itemsOf(order.list, evidence).map((item) => takeAt(item, order.path))),
    }),
  },
};

type Membership = AssertionKinds['listed'];

function isListed(list: Membership['list'], id: IdValue, evidence: Evidence): boolean {
  const wanted = lastPartOf(readId(id, evidence));
  return listIds(list, evidence).some((one) => lastPartOf(one) === wanted);
}

function printMembership({ list, id }: Membership, printer: Printer, not: '' | '.not'): string[] {
  const declared = [...printer.declare(list.pages), ...printer.declareId(id)];
  const ids = `${printer.items(list)}.map((item) => ${lastPartCode(idCode(list))})`;
  return [...declared, `expect(${ids})${not}.toContain(${lastPartCode(printer.id(id))});`];
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

/** Servers compare texts by code points or by language, with or without case. Any of these is accepted. */
const TEXT_ORDERS: readonly {
  readonly compare: (one: string, other: string) => number;
  readonly code: (one: string, other: string) => string;
}[] = [
  { compare: byCodePoint, code: (one, other) => `${one} < ${other} ? -1 : Number(${one} > ${other})` },
  {
    compare: (one, other) => byCodePoint(one.toLowerCase(), other.toLowerCase()),
    code: (one, other) =>
      `${one}.toLowerCase() < ${other}.toLowerCase() ? -1 : Number(${one}.toLowerCase() > ${other}.toLowerCase())`,
  },
  {
    compare: (one, other) => one.localeCompare(other),
    code: (one, other) => `${one}.localeCompare(${other})`,
  },
];

function byCodePoint(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The values that a list is sorted by, in its order. Values of several types have no order. */
function sortedValues({ list, path }: AssertionKinds['sorted'], evidence: Evidence): readonly unknown[] {
  return itemsOf(list, evidence)
    .map((item) => takeAt(item, path))
    .filter((value) => value !== undefined && value !== null);
}

function isSorted(values: readonly unknown[], isDown: boolean): boolean {
  const sign = isDown ? -1 : 1;
  const isInOrder = (compare: (one: unknown, other: unknown) => number): boolean =>
    values.every((value, index) => index === 0 || sign * compare(values[index - 1], value) <= 0);
  if (values.every((value) => typeof value === 'number')) return isInOrder((one, other) => Number(one) - Number(other));
  if (!values.every((value) => typeof value === 'string')) return true;
  return TEXT_ORDERS.some(({ compare }) => isInOrder((one, other) => compare(String(one), String(other))));
}
