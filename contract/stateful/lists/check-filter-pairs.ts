import { takeAt } from '../../../schema/value-path.js';
import type { Parameter } from '../../../model/api.js';
import { foldName } from '../../../resources/inflection.js';
import { problem } from '../../checks/problem.js';
import { assertFits } from './filter-assertions.js';
import { type FilterCheck, fits, valuesOf } from './filter-meaning.js';
import { creationsOf, readList, requiredQuery } from './read-list.js';

/** The most pairs of filters of one list that are tested. */
const MAX_PAIRS = 3;

interface ChosenFilter {
  readonly check: FilterCheck;
  readonly value: unknown;
}

type Pair = readonly [ChosenFilter, ChosenFilter];

/** Matches lists that return items that fit only one of the filters, or let the caller choose. */
const ANY = /\b(?:either|any of|at least one|one of the)\b/i;
const CHOICE = /^(?:match|mode|operator|logic|combine|conjunction|filterlogic|filtermode|matchmode)$/;

/** Sends two filters at once, each with the value of another item: every listed item must fit both. */
export async function checkFilterPairs(checks: readonly FilterCheck[]): Promise<void> {
  const [first] = checks;
  if (first === undefined || mayFitOne(first)) return;
  const equal = checks.filter(({ test }) => test === 'equals');
  const pairs = equal
    .flatMap((one, index) => equal.slice(index + 1).map((other) => choosePair(one, other)))
    .filter((pair) => pair !== undefined);
  for (const pair of pairs.slice(0, MAX_PAIRS)) await checkPair(pair);
}

function mayFitOne({ operation: { description, summary, parameters } }: FilterCheck): boolean {
  return (
    ANY.test(`${summary ?? ''} ${description ?? ''}`) || parameters.some(({ name }) => CHOICE.test(foldName(name)))
  );
}

/** Two values from different items such that no item has both. */
function choosePair(one: FilterCheck, other: FilterCheck): Pair | undefined {
  const { items } = one.all;
  for (const value of valuesOf(one))
    for (const second of valuesOf(other)) {
      const pair: Pair = [
        { check: one, value },
        { check: other, value: second },
      ];
      if (!items.some((item) => fitsBoth(pair, item))) return pair;
    }
  return undefined;
}

function fitsBoth(pair: Pair, item: unknown): boolean {
  return pair.every(({ check, value }) => fits(check, takeAt(item, check.path), value));
}

async function checkPair(pair: Pair): Promise<void> {
  const [{ check }] = pair;
  const { run, operation, all } = check;
  const query = pair.map(({ check: { parameter }, value }): [Parameter, unknown] => [parameter, value]);
  const filtered = await readList(run, operation, new Map([...requiredQuery(all), ...query]));
  const wrong = filtered?.items.find((item) => !fitsBoth(pair, item));
  if (filtered === undefined || wrong === undefined) return;
  const names = query.map(([{ name }, value]) => `${name}=${String(value)}`).join(' and ');
  const found = problem('filter', {
    cause: query.map(([{ name }]) => name).join(' '),
    pointer: `query ${query.map(([{ name }]) => name).join(' ')}`,
    message: `With ${names} the list has an item that fits one of the filters alone.`,
    expected: 'items that fit both',
    actual: JSON.stringify(pair.map(({ check: { path } }) => takeAt(wrong, path) ?? null)),
  });
  const others = creationsOf(run, operation, [wrong]);
  const assertion = assertFits(pair, { list: filtered.exchange, item: wrong, others });
  run.report(found, { call: filtered.call, phase: 'stateful', assertion, others }, filtered.exchange);
}
