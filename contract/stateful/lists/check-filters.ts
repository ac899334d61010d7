import { takeAt } from '../../../schema/value-path.js';
import type { Operation } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { listItemOf } from '../../../resources/envelope.js';
import { keywordOf, membersOf } from '../../../schema/facts/members.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { checkFilteredPages } from './check-filtered-pages.js';
import { checkFilteredTotal } from './check-filtered-total.js';
import { checkFilterPairs } from './check-filter-pairs.js';
import { assertComplete, assertFits } from './filter-assertions.js';
import { type FilterCheck, findMeaning, fits, isWanted, placeOf, valuesOf } from './filter-meaning.js';
import { type ListResponse, creationsOf, readList, requiredQuery } from './read-list.js';

/** The most values of one filter that are tested. */
const MAX_VALUES = 3;

/**
 * Sends each filter alone with values from items, and checks that every listed item fits and no fitting one is missing.
 * Then sends two filters at once.
 */
export async function checkFilters(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const right: FilterCheck[] = [];
  // A required parameter selects the list itself.
  for (const parameter of operation.parameters.filter((one) => one.in === 'query' && !one.required)) {
    const meaning = findMeaning(parameter, all, run);
    if (meaning === undefined) continue;
    const check = { run, operation, all, parameter, ...meaning };
    const filtered = [];
    for (const value of valuesFor(check)) filtered.push({ value, list: await checkValue(check, value) });
    const longest = filtered.toSorted(
      (one, other) => (other.list?.items.length ?? 0) - (one.list?.items.length ?? 0),
    )[0];
    if (longest?.list !== undefined && longest.list.items.length > 1) await checkFilteredPages(check, longest.value);
    if (filtered.every(({ list }) => list !== undefined)) right.push(check);
  }
  await checkFilterPairs(right);
}

/** Values that only some of the items have, and possible values of a boolean or a choice. */
function valuesFor(check: FilterCheck): unknown[] {
  const { parameter, test, run } = check;
  const validate = compileValidator(run.options.api, parameter.schema, { direction: 'request' });
  const fitting = valuesOf(check);
  const ordered = fitting.toSorted((one, other) => rank(one, fitting) - rank(other, fitting));
  if (test === 'equals') return [...ordered.slice(0, MAX_VALUES), ...otherChoices(check, fitting)];
  const sorted = fitting
    .filter((value) => placeOf(value) !== undefined)
    .toSorted((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0));
  const [only, ...others] = sorted;
  // If all items have the same value, only a bound that excludes all of them shows whether the filter works.
  const beyond = typeof only === 'number' && others.length === 0 ? [only + (test === 'from' ? 1 : -1)] : [];
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
  { parameter: { schema }, operation, path, run }: FilterCheck,
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

/** Returns the list filtered by a value; `undefined` if it is wrong or not a list. */
async function checkValue(check: FilterCheck, value: unknown): Promise<ListResponse | undefined> {
  const { run, operation, parameter, path, all } = check;
  const filtered = await readList(run, operation, new Map([...requiredQuery(all), [parameter, value]]));
  if (filtered === undefined) return undefined;
  const wrong = filtered.items.find((item) => !fits(check, takeAt(item, path), value));
  if (wrong !== undefined) {
    report(check, value, {
      cause: 'wrong',
      message: `With ${parameter.name}=${String(value)} the list has an item with another value.`,
      actual: JSON.stringify(takeAt(wrong, path)) ?? 'nothing',
      exchanges: [filtered.exchange],
      items: [wrong],
    });
    return undefined;
  }
  // A filter may match the whole text or its beginning, so only equal values are required.
  const wanted = all.items.filter((item) => isWanted(check, takeAt(item, path), value));
  const shown = new Set(filtered.items.map((item) => JSON.stringify(item['id'] ?? item)));
  const missing = wanted.find((item) => !shown.has(JSON.stringify(item['id'] ?? item)));
  if (missing === undefined || filtered.items.length >= wanted.length) {
    checkFilteredTotal(check, filtered);
    return filtered;
  }
  report(check, value, {
    cause: 'missing',
    message: `With ${parameter.name}=${String(value)} the list has ${filtered.items.length} items, but ${wanted.length} of all have this value.`,
    actual: `${filtered.items.length} items`,
    exchanges: [filtered.exchange, all.exchange],
    items: [missing],
  });
  return undefined;
}

interface FilterProblem {
  readonly cause: 'wrong' | 'missing';
  readonly message: string;
  readonly actual: string;
  readonly exchanges: readonly Exchange[];
  /** The items that show the problem. */
  readonly items: readonly unknown[];
}

function report(check: FilterCheck, value: unknown, { cause, message, actual, exchanges, items }: FilterProblem): void {
  const { run, operation, parameter, path, test, all } = check;
  const found = problem('filter', {
    cause: `${parameter.name} ${cause}`,
    pointer: `query ${parameter.name}`,
    message,
    expected: `items with ${path.join('.')} ${test === 'equals' ? '' : test === 'from' ? 'from ' : 'up to '}${JSON.stringify(value)}`,
    actual,
  });
  const others = creationsOf(run, operation, items);
  const assertion =
    cause === 'wrong'
      ? assertFits([{ check, value }], { list: exchanges[0] ?? all.exchange, item: items[0], others })
      : assertComplete(check, exchanges, value);
  run.report(found, { call: all.call, phase: 'stateful', assertion, others }, exchanges[0] ?? all.exchange);
}
