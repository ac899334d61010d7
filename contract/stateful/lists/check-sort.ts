import { takeAt } from '../../../schema/value-path.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { foldName } from '../../../resources/inflection.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, membersByName, pathCode, readList } from './read-list.js';

const SORT = /^(?:sort|sortby|orderby|order|ordering|sortfield|sortkey)$/;
const DIRECTION = /^(?:order|direction|sortorder|sortdirection|orderdirection|dir|sortdir)$/;
/** Matches switches for the direction, whose default direction is unknown. */
const SWITCH = /^(?:asc|ascending|desc|descending|reverse|reversed)$/;
const DOWN = /^(?:desc|descending|down|-1)$/i;
/** The most items that a reproduction creates. */
const MAX_ITEMS = 4;
const UP = /^(?:asc|ascending|up|1)$/i;

/** Query values that ask for an order. */
interface Order {
  readonly query: ReadonlyMap<Parameter, unknown>;
  readonly path: readonly string[];
  readonly isDown: boolean;
}

/** Requests each documented order, including the default one, and checks that the items have it. */
export async function checkSort(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  if (all.items.length < 2) return;
  for (const order of [...findOrders(operation, all), ...ownOrder(operation, all)]) {
    const sorted = await readList(run, operation, order.query);
    if (sorted === undefined || isSorted(sorted.items, order)) continue;
    const asked = [...order.query].map(([{ name }, value]) => `${name}=${String(value)}`).join('&');
    const names = asked === '' ? 'the order of the description' : asked;
    const found = problem('sort order', {
      cause: names,
      pointer: asked === '' ? '' : `query ${[...order.query.keys()][0]?.name ?? ''}`,
      message: `With ${names} the items are not sorted by ${order.path.join('.')}, ${order.isDown ? 'the largest' : 'the smallest'} first.`,
      expected: 'items in this order',
      actual: JSON.stringify(sorted.items.map((item) => takeAt(item, order.path))),
    });
    const assertion = {
      expects: 'that',
      exchanges: [sorted.exchange],
      holds: ([response]: readonly Exchange[]) => isSorted(itemsOf(run, operation, response), order),
      code: ([body = '']: readonly string[]) => sortedCode(itemsCode(operation, run, body), order),
    } as const;
    const others = creationsOf(run, operation, unsortedPair(sorted.items, order));
    run.report(found, { call: sorted.call, phase: 'stateful', assertion, others }, sorted.exchange);
  }
}

/** Two neighbours in the wrong order, or the first items if there is no such pair. */
function unsortedPair(items: ListResponse['items'], order: Order): ListResponse['items'] {
  const index = items.findIndex((_, at) => at > 0 && !isSorted(items.slice(at - 1, at + 1), order));
  return index === -1 ? items.slice(0, MAX_ITEMS) : items.slice(index - 1, index + 1);
}

function sortedCode(items: string, { path, isDown }: Order): string {
  return `${items}.map((item) => item${pathCode(path)}).every((one, index, all) => index === 0 || all[index - 1] ${isDown ? '>=' : '<='} one)`;
}

/** The orders that a parameter offers: `price`, `-price`, `price:desc`, or `price` with `order=desc`. */
function findOrders(operation: Operation, { items }: ListResponse): Order[] {
  const members = new Map(items.flatMap((item) => [...membersByName(item)]));
  const query = operation.parameters.filter((one) => one.in === 'query');
  const direction = query.find(
    (one) => DIRECTION.test(foldName(one.name)) && choicesOf(one).some((value) => DOWN.test(value)),
  );
  const by = query.find((one) => one !== direction && SORT.test(foldName(one.name)));
  if (by === undefined || query.some((one) => SWITCH.test(foldName(one.name)))) return [];
  return choicesOf(by).flatMap((value): Order[] => {
    const { name, isDown } = readChoice(value);
    const path = members.get(foldName(name));
    if (path === undefined) return [];
    if (direction === undefined) return [{ query: new Map([[by, value]]), path, isDown }];
    return choicesOf(direction)
      .filter((one) => UP.test(one) || DOWN.test(one))
      .map((one) => ({
        query: new Map<Parameter, unknown>([
          [by, value],
          [direction, one],
        ]),
        path,
        isDown: DOWN.test(one),
      }));
  });
}

const NEWEST = /\b(?:newest|latest|most recent)\b[^.]{0,40}\bfirst\b/i;
const OLDEST = /\boldest\b[^.]{0,40}\bfirst\b/i;
const BY = /\b(?:sorted|ordered) by (?:their |the )?`?(\w+)`?(?<down>[^.]{0,20}\b(?:descending|largest first)\b)?/i;
/** Names of members with the creation time of an item. */
const CREATED = ['createdat', 'created', 'createdon', 'createddate', 'creationtime', 'createtime'];

/** The default order that the description of a list promises: `The newest orders come first.`, `Sorted by number.` */
function ownOrder({ description = '' }: Operation, { items }: ListResponse): Order[] {
  const members = new Map(items.flatMap((item) => [...membersByName(item)]));
  const isDown = NEWEST.test(description);
  const by = BY.exec(description);
  const names = isDown || OLDEST.test(description) ? CREATED : [foldName(by?.[1] ?? '')];
  const path = names.map((name) => members.get(name)).find((one) => one !== undefined);
  return path === undefined ? [] : [{ query: new Map(), path, isDown: isDown || by?.groups?.['down'] !== undefined }];
}

function readChoice(value: string): { readonly name: string; readonly isDown: boolean } {
  if (/^[-+]/.test(value)) return { name: value.slice(1), isDown: value.startsWith('-') };
  const { name = value, way = 'asc' } = /^(?<name>.+?)[:_., ](?<way>asc|desc)$/i.exec(value)?.groups ?? {};
  return { name, isDown: DOWN.test(way) };
}

function choicesOf({ schema }: Parameter): string[] {
  const values = typeof schema === 'object' ? (schema.enum ?? []) : [];
  return values.filter((value) => typeof value === 'string');
}

/** Servers compare texts by code points or by language, with or without case. Any of these is accepted. */
const COMPARISONS: readonly ((one: string, other: string) => number)[] = [
  (one, other) => (one < other ? -1 : Number(one > other)),
  (one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : Number(one.toLowerCase() > other.toLowerCase())),
  (one, other) => one.localeCompare(other),
];

function isSorted(items: readonly unknown[], { path, isDown }: Order): boolean {
  const values = items.map((item) => takeAt(item, path)).filter((value) => value !== undefined && value !== null);
  const sign = isDown ? -1 : 1;
  const isInOrder = (compare: (one: unknown, other: unknown) => number): boolean =>
    values.every((value, index) => index === 0 || sign * compare(values[index - 1], value) <= 0);
  if (values.every((value) => typeof value === 'number')) return isInOrder((one, other) => Number(one) - Number(other));
  if (!values.every((value) => typeof value === 'string')) return true;
  return COMPARISONS.some((compare) => isInOrder((one, other) => compare(String(one), String(other))));
}
