import { takeAt } from '../../../schema/value-path.js';
import type { Schema } from '../../../model/schema-types.js';
import { listItemOf } from '../../../resources/envelope.js';
import { keywordOf, membersOf } from '../../../schema/facts/members.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { type FilterTest, parameterOf, countOf } from '../../expectations/assertion.js';
import { mustBeListed, placeOf } from '../../expectations/filters.js';
import { checkFilteredPages } from './check-filtered-pages.js';
import { checkFilteredTotal } from './check-filtered-total.js';
import { checkFilterPairs } from './check-filter-pairs.js';
import { type FilterCheck, expectFits, findMeaning, valuesOf } from './filter-meaning.js';
import { type ListResponse, creationsOf, readWith } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { showJson } from '../../../model/exact-json.js';

/** The most values of one filter that are tested. */
const MAX_VALUES = 3;

/**
 * Sends each filter alone with values from items, and checks that every listed item fits and no fitting one is missing.
 * Then sends two filters at once.
 */
export async function checkFilters(all: ListResponse): Promise<void> {
  const right: FilterCheck[] = [];
  // A required parameter selects the list itself.
  for (const parameter of all.call.operation.parameters.filter((one) => one.in === 'query' && !one.required)) {
    const check = findMeaning(parameter, all);
    if (check === undefined) continue;
    const filtered = [];
    for (const value of valuesFor(all, check)) filtered.push({ value, list: await checkValue(all, check, value) });
    const [paged] = filtered
      .flatMap(({ value, list }) => (list !== undefined && list.items.length > 1 ? [{ check, value, list }] : []))
      .toSorted((one, other) => one.list.items.length - other.list.items.length);
    if (paged !== undefined) await checkFilteredPages(all, paged);
    if (filtered.every(({ list }) => list !== undefined)) right.push(check);
  }
  await checkFilterPairs(all, right);
}

/** Values that only some of the items have, and possible values of a boolean or a choice. */
function valuesFor(all: ListResponse, check: FilterCheck): unknown[] {
  const { parameter, test } = check;
  const validate = compileValidator(all.run.options.api, parameter.schema, { direction: 'request' });
  const fitting = valuesOf(all, check);
  const ordered = fitting.toSorted((one, other) => rank(one, fitting) - rank(other, fitting));
  if (test === 'equals' || test === 'choice')
    return [...ordered.slice(0, MAX_VALUES), ...otherChoices(all, check, fitting)];
  const sorted = fitting
    .filter((value) => placeOf(value) !== undefined)
    .toSorted((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0));
  const [only, ...others] = sorted;
  // If all items have the same value, only a bound that excludes all of them shows whether the filter works.
  const beyond =
    typeof only === 'number' && others.length === 0
      ? [only + (['from', 'after', 'since'].includes(test) ? 1 : -1)]
      : [];
  return [
    ...sorted.slice(Math.floor(sorted.length / 2)).slice(0, 1),
    ...beyond.filter((value) => validate(value).length === 0),
  ];
}

/**
 * Ranks first the values that servers most often handle wrongly: 0 and false, which are ignored as if absent, then
 * beginnings of other texts, which match those too.
 */
function rank(value: unknown, all: readonly unknown[]): number {
  const isTruthy = Boolean(value);
  if (!isTruthy) return 0;
  const isBeginning = all.some((one) => one !== value && String(one).startsWith(String(value)));
  return isBeginning ? 1 : 2;
}

/**
 * A choice that no item of the first page has; or, if all items have the same value, one that none has. It shows
 * whether the filter works.
 */
function otherChoices(
  { run, call: { operation } }: ListResponse,
  { parameter: { schema }, path }: FilterCheck,
  seen: readonly unknown[],
): unknown[] {
  const { api } = run.options;
  const [only, ...others] = seen;
  const listed = keywordOf(schema, 'enum', api);
  if (only === undefined || (listed === undefined && others.length > 0)) return [];
  const choices = listed ?? (typeof only === 'boolean' ? [true, false] : unlike(only));
  const validate = compileValidator(api, schema, { direction: 'request' });
  const member = path.reduce<Schema>(
    (at, name) => membersOf(at, api).get(name)?.schema ?? true,
    listItemOf(operation, api) ?? true,
  );
  // A filter may also have choices that no item can have, such as `all`.
  const own = keywordOf(member, 'enum', api);
  return choices
    .filter((one) => (own === undefined ? !MEANS_ALL.test(String(one)) : own.includes(one)))
    .filter((one) => !seen.includes(one) && one !== null && one !== '' && validate(one).length === 0)
    .toSorted((one, other) => rank(one, choices) - rank(other, choices))
    .slice(0, 1);
}

/** Matches choices that exclude nothing. */
const MEANS_ALL = /^(?:all|any|both|every|everything|none|\*)$/i;

/** A value that probably no item has, of the same type as the one that all have. */
function unlike(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1];
  return typeof value === 'string' ? [`zqx${value}`] : [];
}

/** How findings name bounds. */
const BOUND_TEXTS: Readonly<Partial<Record<FilterTest, string>>> = {
  from: 'from ',
  to: 'up to ',
  after: 'above ',
  before: 'below ',
  since: 'from ',
  until: 'up to ',
};

/** Returns the list filtered by a value; `undefined` if it is wrong or not a list. */
async function checkValue(all: ListResponse, check: FilterCheck, value: unknown): Promise<ListResponse | undefined> {
  const { parameter, path, test } = check;
  const filtered = await readWith(all, [parameter, value]);
  if (filtered === undefined) return undefined;
  const query = `${parameter.name}=${String(value)}`;
  const bound = BOUND_TEXTS[test] ?? '';
  const about = {
    pointer: `query ${parameter.name}`,
    expected: `items with ${path.join('.')} ${bound}${stringifyExactJson(value)}`,
  };
  const isRight =
    expectFits(filtered, [{ ...check, value }], (wrong) => ({
      ...about,
      cause: `${parameter.name} wrong`,
      message: `The list filtered by ${query} contains an item with another value.`,
      actual: showJson(takeAt(wrong, path)),
    })) && expectWhole(all, filtered, { ...check, value }, { ...about, query });
  if (!isRight) return undefined;
  checkFilteredTotal(all, filtered, parameter.name);
  return filtered;
}

/** Expects that a filtered list contains as many items as have the value. */
function expectWhole(
  all: ListResponse,
  filtered: ListResponse,
  { parameter, path, test, value }: FilterCheck & { readonly value: unknown },
  { query, ...about }: { readonly query: string; readonly pointer: string; readonly expected: string },
): boolean {
  const where = { path, test, value: parameterOf(filtered.exchange, parameter, value) };
  const wanted = all.items.filter((item) => mustBeListed(where, item, value));
  return all.run.findings.expect(
    'filter',
    { expects: 'at least', left: countOf(filtered.place), right: { from: 'count', list: all.place, where } },
    {
      ...about,
      cause: `${parameter.name} missing`,
      message: `The list filtered by ${query} contains ${filtered.items.length} of the ${wanted.length} items with this value.`,
      actual: `${filtered.items.length} items`,
      at: filtered.exchange,
      findOthers: () => {
        const shown = new Set(filtered.items.map(keyOf));
        return creationsOf(all, wanted.filter((item) => !shown.has(keyOf(item))).slice(0, 1));
      },
    },
  );
}

function keyOf(item: Readonly<Record<string, unknown>>): string {
  return stringifyExactJson(item['id'] ?? item);
}
