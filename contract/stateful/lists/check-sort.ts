import { getOrInsert } from '../../../model/maps.js';
import { takeAt } from '../../../schema/value-path.js';
import type { Parameter } from '../../../model/api.js';
import { findParameter } from '../../../model/find-parameter.js';
import { listItemOf } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { foldName } from '../../../resources/inflection.js';
import { isSorted } from '../../expectations/list-kinds.js';
import type { Exchange } from '../../types.js';
import { isFollowedBy } from '../../plan/word-order.js';
import { type ListResponse, creationsOf, membersByName, readWith } from './read-list.js';

/** Matches switches for the direction, whose default direction is unknown. */
const SWITCH = /^(?:asc|ascending|desc|descending|reverse|reversed)$/;
const DOWN = /^(?:desc|descending|down|-1)$/i;
/** The most items that a reproduction creates. */
const MAX_ITEMS = 4;
const UP = /^(?:asc|ascending|up|1)$/i;

/** Query values that ask for an order. */
interface Order {
  readonly query: readonly (readonly [Parameter, unknown])[];
  readonly path: readonly string[];
  readonly isDown: boolean;
}

/** Requests each documented order, including the default one, and checks that the items have it. */
export async function checkSort(all: ListResponse): Promise<void> {
  if (all.items.length < 2) return;
  for (const { query, path, isDown } of [...findOrders(all), ...ownOrder(all)]) {
    const sorted = await readWith(all, ...query);
    if (sorted === undefined) continue;
    const asked = query.map(([{ name }, value]) => `${name}=${String(value)}`).join('&');
    all.run.findings.expect(
      'sort order',
      { expects: 'sorted', list: sorted.place, path, isDown },
      {
        cause: asked === '' ? 'the order of the description' : asked,
        pointer: asked === '' ? '' : `query ${query[0]?.[0].name ?? ''}`,
        message: `The list${asked === '' ? '' : ` with ${asked}`} is not sorted by ${path.join('.')} (${isDown ? 'descending' : 'ascending'}).`,
        findOthers: () => creationsOfUnsorted(all, sorted.items, { path, isDown }),
      },
    );
  }
}

/** The creations of two items in the wrong order, or of the first items if the run has made no such pair. */
function creationsOfUnsorted(
  all: ListResponse,
  items: ListResponse['items'],
  { path, isDown }: Pick<Order, 'path' | 'isDown'>,
): Exchange[] {
  const values = items.map((item) => takeAt(item, path));
  const made = new Map<unknown, boolean>();
  const isMade = (index: number): boolean =>
    getOrInsert(made, items[index], () => creationsOf(all, [items[index]]).length > 0);
  // Repeated creations may have other numbers at the end of texts, so that their order is another one.
  const lasting = values.map((value) => (typeof value === 'string' ? value.replace(/\d{1,9}$/, '') : value));
  for (const known of [lasting, values])
    for (const [at, value] of known.entries()) {
      const before = known.findIndex((one, index) => index < at && !isSorted([one, value], isDown) && isMade(index));
      if (before !== -1 && isMade(at)) return creationsOf(all, [items[before], items[at]]);
    }
  return creationsOf(all, items.slice(0, MAX_ITEMS));
}

/** The orders that a parameter offers: `price`, `-price`, `price:desc`, or `price` with `order=desc`. */
function findOrders({ run, call: { operation }, items }: ListResponse): Order[] {
  const { api } = run.options;
  const members = new Map(items.flatMap((item) => [...membersByName(item)]));
  const query = operation.parameters.filter((one) => one.in === 'query');
  const known = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const by = findParameter(operation, 'query', known.sort?.name);
  const direction = findParameter(operation, 'query', known.direction?.name);
  if (by === undefined || query.some((one) => SWITCH.test(foldName(one.name)))) return [];
  return choicesOf(by).flatMap((value): Order[] => {
    const { name, isDown } = readChoice(value);
    const path = members.get(foldName(name));
    if (path === undefined) return [];
    const query = [[by, value] as const];
    if (direction === undefined) return [{ query, path, isDown }];
    return choicesOf(direction)
      .filter((one) => UP.test(one) || DOWN.test(one))
      .map((one) => ({ query: [...query, [direction, one]], path, isDown: DOWN.test(one) }));
  });
}

const NEWEST = /\b(?:newest|latest|most recent)\b/i;
const OLDEST = /\boldest\b/i;
const FIRST = /\bfirst\b/i;
const BY = /\b(?:sorted|ordered) by (?:their |the )?`?(\w+)`?(?<down>[^.]{0,20}\b(?:descending|largest first)\b)?/i;
/** Names of members with the creation time of an item. */
const CREATED = ['createdat', 'created', 'createdon', 'createddate', 'creationtime', 'createtime'];

/** Whether a description says that the items that a word names come first. */
function isFirst(description: string, word: RegExp): boolean {
  return description.split('.').some((sentence) => isFollowedBy(sentence, word, FIRST));
}

/** The default order that the description of a list promises: `The newest orders come first.`, `Sorted by number.` */
function ownOrder({ call: { operation }, items }: ListResponse): Order[] {
  const { description = '' } = operation;
  const members = new Map(items.flatMap((item) => [...membersByName(item)]));
  const isDown = isFirst(description, NEWEST);
  const by = BY.exec(description);
  const names = isDown || isFirst(description, OLDEST) ? CREATED : [foldName(by?.[1] ?? '')];
  const path = names.map((name) => members.get(name)).find((one) => one !== undefined);
  return path === undefined ? [] : [{ query: [], path, isDown: isDown || by?.groups?.['down'] !== undefined }];
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
