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
import { claimComplete, claimFits } from './filter-claims.js';
import { type FilterCheck, findMeaning, fits, isWanted, placeOf, valuesOf } from './filter-meaning.js';
import { type ListResponse, creationsOf, readList, readPath, requiredQuery } from './read-list.js';

/** Values of one filter. */
const MAX_VALUES = 3;

/**
 * Sends each filter alone, with values that items have: every item fits, and none that fits is missing. Then two at once.
 */
export async function checkFilters(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const right: FilterCheck[] = [];
  // A parameter that is required says which list is meant, or which item.
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

/** Values of items that tell some of them from others, and those that a boolean or a choice can have. */
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
  // With one value alone it takes a bound that leaves out all items to see that the filter does anything.
  const beyond = typeof only === 'number' && others.length === 0 ? [only + (test === 'from' ? 1 : -1)] : [];
  return [
    ...sorted.slice(Math.floor(sorted.length / 2)).slice(0, 1),
    ...beyond.filter((value) => validate(value).length === 0),
  ];
}

/** 0 and false are taken for no filter at all more often than others, and texts that others begin with for those. */
function rank(value: unknown, all: readonly unknown[]): number {
  const isTruthy = Boolean(value);
  if (!isTruthy) return 0;
  const isBeginning = all.some((one) => one !== value && String(one).startsWith(String(value)));
  return isBeginning ? 1 : 2;
}

/**
 * Choices that no item of the first page has, and where all items have the same value, one that none of them has: they tell
 * whether the filter does anything.
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
  // A filter may also have choices that no item has, such as `all`.
  const own = keywordOf(member, 'enum', api);
  return choices
    .filter((one) => (own === undefined ? !MEANS_ALL.test(String(one)) : own.includes(one)))
    .filter((one) => !seen.includes(one) && one !== null && one !== '' && validate(one).length === 0)
    .toSorted((one, other) => rank(one, choices) - rank(other, choices))
    .slice(0, 1);
}

/** Choices of filters that leave nothing out. */
const MEANS_ALL = /^(?:all|any|both|every|everything|none|\*)$/i;

/** Values that an item is not likely to have, in the form of one that all have. */
function unlike(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1];
  return typeof value === 'string' ? [`zqx${value}`] : [];
}

/** The list with a value of the filter; `undefined` where it is wrong, or no list. */
async function checkValue(check: FilterCheck, value: unknown): Promise<ListResponse | undefined> {
  const { run, operation, parameter, path, all } = check;
  const filtered = await readList(run, operation, new Map([...requiredQuery(all), [parameter, value]]));
  if (filtered === undefined) return undefined;
  const wrong = filtered.items.find((item) => !fits(check, readPath(item, path), value));
  if (wrong !== undefined) {
    report(check, value, {
      cause: 'wrong',
      message: `With ${parameter.name}=${String(value)} the list has an item with another value.`,
      actual: JSON.stringify(readPath(wrong, path)) ?? 'nothing',
      exchanges: [filtered.exchange],
      items: [wrong],
    });
    return undefined;
  }
  // A filter may compare the whole text or its beginning, so only an equal value must be found.
  const wanted = all.items.filter((item) => isWanted(check, readPath(item, path), value));
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
  /** Items that show it. */
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
  const claim =
    cause === 'wrong'
      ? claimFits([{ check, value }], { list: exchanges[0] ?? all.exchange, item: items[0], others })
      : claimComplete(check, exchanges, value);
  run.report(found, { call: all.call, phase: 'stateful', claim, others }, exchanges[0] ?? all.exchange);
}
