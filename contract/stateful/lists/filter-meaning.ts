import { takeAt } from '../../../schema/value-path.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import { nounOf } from '../../../resources/path-template.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { keywordOf, typesOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { scalarText } from '../../../http/request/write-request.js';
import { type ListResponse, aboutOf, membersByName } from './read-list.js';

type Test = 'equals' | 'from' | 'to';

/** A filter, and the member of items that it filters by. */
export interface FilterCheck {
  readonly run: ContractRun;
  readonly operation: Operation;
  readonly all: ListResponse;
  readonly parameter: Parameter;
  readonly path: readonly string[];
  readonly test: Test;
}

/** Affixes of parameter names that mean an inclusive bound. */
const BOUNDS: readonly (readonly [RegExp, Test])[] = [
  [/^(?:min|minimum|from)(.+)$|^(.+?)(?:min|gte|from)$/, 'from'],
  [/^(?:max|maximum|to|until)(.+)$|^(.+?)(?:max|lte|to|until)$/, 'to'],
];

/** Finds the member that a filter is about, by the filter's name. */
export function findMeaning(
  parameter: Parameter,
  all: ListResponse,
  { options: { api } }: ContractRun,
): { readonly path: readonly string[]; readonly test: Test } | undefined {
  const members = new Map(all.items.flatMap((item) => [...membersByName(item)]));
  const about = aboutOf(parameter);
  const exact = members.get(about);
  if (exact !== undefined) return { path: exact, test: 'equals' };
  for (const [pattern, test] of BOUNDS) {
    const found = pattern.exec(about);
    const name = found?.[1] ?? found?.[2];
    if (name === undefined) continue;
    const isNumber = (['integer', 'number'] as const).some((type) => typesOf(parameter.schema, api).has(type));
    const path =
      members.get(name) ?? members.get(`${name}at`) ?? (isNumber ? longerName(name, members, all) : undefined);
    if (path !== undefined) return { path, test };
  }
  return undefined;
}

/** Words that may follow or precede a name: `minTotal` is about a `totalAmount`, `minPrice` about a `listPrice`. */
const BEHIND = /^(?:amount|price|value|costs?|sum|total|seconds|minutes|hours|days|cents)$/;
const BEFORE = /^(?:total|grand|overall|full|current|actual|average|list)$/;

/** The only numeric member whose name extends the name of a bound by one word, such as the noun of the list. */
function longerName(
  name: string,
  members: ReadonlyMap<string, readonly string[]>,
  { items, call }: ListResponse,
): readonly string[] | undefined {
  const noun = foldName(toSingular(nounOf({ collectionPath: call.operation.path })));
  const isLonger = (own: string): boolean => {
    const [before, behind] = [own.slice(0, -name.length), own.slice(name.length)];
    return (
      (own.startsWith(name) && BEHIND.test(behind)) || (own.endsWith(name) && (BEFORE.test(before) || before === noun))
    );
  };
  const fitting = [...members].filter(
    ([own, path]) => isLonger(own) && items.every((item) => typeof takeAt(item, path) === 'number'),
  );
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

/** The values of items that a filter accepts. */
export function valuesOf({ all, path, parameter, run }: FilterCheck): unknown[] {
  const validate = compileValidator(run.options.api, parameter.schema, { direction: 'request' });
  const seen = new Set(all.items.map((item) => takeAt(item, path)));
  return [...seen].filter(
    (value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '' && validate(value).length === 0,
  );
}

/** Returns a number or a time as a number; other texts have no order that a bound could mean. */
export function placeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? Date.parse(value) : undefined;
}

/**
 * Whether an item may be in a filtered list. A text filter may match a part, ignoring case; a choice must match as a
 * whole.
 */
export function fits(check: FilterCheck, own: unknown, value: unknown): boolean {
  const { test } = check;
  if (own === undefined) return true;
  if (Array.isArray(own)) return own.some((one) => fits(check, one, value));
  if (test === 'equals' && isChoice(check)) return scalarText(own).toLowerCase() === scalarText(value).toLowerCase();
  if (test !== 'equals') {
    const [place, bound] = [placeOf(own), placeOf(value)];
    return place === undefined || bound === undefined || (test === 'from' ? place >= bound : place <= bound);
  }
  if (typeof own === 'string' && typeof value === 'string') return own.toLowerCase().includes(value.toLowerCase());
  return JSON.stringify(own) === JSON.stringify(value);
}

export function isChoice({ parameter: { schema }, run: { options } }: FilterCheck): boolean {
  return keywordOf(schema, 'enum', options.api) !== undefined;
}

export function isWanted(check: FilterCheck, own: unknown, value: unknown): boolean {
  if (check.test === 'equals') return own === value;
  return placeOf(own) !== undefined && fits(check, own, value);
}
