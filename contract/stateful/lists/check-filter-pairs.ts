import { takeAt } from '../../../schema/value-path.js';
import { foldName } from '../../../resources/inflection.js';
import { mayBeListed } from '../../expectations/filters.js';
import { type FilterCheck, expectFits, valuesOf } from './filter-meaning.js';
import { type ListResponse, readWith } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** The most pairs of filters of one list that are tested. */
const MAX_PAIRS = 3;

interface ChosenFilter extends FilterCheck {
  readonly value: unknown;
}

type Pair = readonly [ChosenFilter, ChosenFilter];

/** Matches lists that return items that fit only one of the filters, or let the caller choose. */
const ANY = /\b(?:either|any of|at least one|one of the)\b/i;
const CHOICE = /^(?:match|mode|operator|logic|combine|conjunction|filterlogic|filtermode|matchmode)$/;

/** Sends two filters at once, each with the value of another item: every listed item must fit both. */
export async function checkFilterPairs(all: ListResponse, checks: readonly FilterCheck[]): Promise<void> {
  if (mayFitOne(all)) return;
  const equal = checks.filter(({ test }) => test === 'equals' || test === 'choice');
  const pairs = equal
    .flatMap((one, index) => equal.slice(index + 1).map((other) => choosePair(all, one, other)))
    .filter((pair) => pair !== undefined);
  for (const pair of pairs.slice(0, MAX_PAIRS)) await checkPair(all, pair);
}

function mayFitOne({ call: { operation } }: ListResponse): boolean {
  const { description, summary, parameters } = operation;
  return (
    ANY.test(`${summary ?? ''} ${description ?? ''}`) || parameters.some(({ name }) => CHOICE.test(foldName(name)))
  );
}

/** Two values from different items such that no item has both. */
function choosePair(all: ListResponse, one: FilterCheck, other: FilterCheck): Pair | undefined {
  for (const value of valuesOf(all, one))
    for (const second of valuesOf(all, other)) {
      const pair: Pair = [
        { ...one, value },
        { ...other, value: second },
      ];
      if (!all.items.some((item) => pair.every((filter) => mayBeListed(filter, item, filter.value)))) return pair;
    }
  return undefined;
}

async function checkPair(all: ListResponse, pair: Pair): Promise<void> {
  const filtered = await readWith(all, ...pair.map(({ parameter, value }) => [parameter, value] as const));
  if (filtered === undefined) return;
  const names = pair.map(({ parameter: { name }, value }) => `${name}=${String(value)}`).join(' and ');
  const parameters = pair.map(({ parameter: { name } }) => name).join(' ');
  expectFits(filtered, pair, (wrong) => ({
    cause: parameters,
    pointer: `query ${parameters}`,
    message: `The list filtered by ${names} contains an item that fits only one of these filters.`,
    expected: 'items that fit both',
    actual: stringifyExactJson(pair.map(({ path }) => takeAt(wrong, path) ?? null)),
  }));
}
