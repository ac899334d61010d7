import type { Operation, Parameter } from '../../../model/api.js';
import { keywordOf, typesOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { type ListResponse, aboutOf, membersByName, readPath } from './read-list.js';

type Test = 'equals' | 'from' | 'to';

/** A filter, and the member of items that it is about. */
export interface FilterCheck {
  readonly run: ContractRun;
  readonly operation: Operation;
  readonly all: ListResponse;
  readonly parameter: Parameter;
  readonly path: readonly string[];
  readonly test: Test;
}

/** Words for a bound that is included, before or behind the name of a member. */
const BOUNDS: readonly (readonly [RegExp, Test])[] = [
  [/^(?:min|minimum|from)(.+)$|^(.+?)(?:min|gte|from)$/, 'from'],
  [/^(?:max|maximum|to|until)(.+)$|^(.+?)(?:max|lte|to|until)$/, 'to'],
];

/** What a filter is about, by its name. */
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
    const name = found?.[1] ?? found?.[2] ?? '';
    const isNumber = (['integer', 'number'] as const).some((type) => typesOf(parameter.schema, api).has(type));
    const path =
      members.get(name) ?? members.get(`${name}at`) ?? (isNumber ? longerName(name, members, all) : undefined);
    if (path !== undefined) return { path, test };
  }
  return undefined;
}

/** What may follow in the name of a number: the `total` of `minTotal` is a `totalAmount`. */
const QUANTITY =
  /^(?:amount|price|value|cost|costs|count|number|sum|total|size|length|seconds|minutes|hours|days|cents|score|points)$/;

/** The only number whose name has a word before or behind a name. */
function longerName(
  name: string,
  members: ReadonlyMap<string, readonly string[]>,
  { items }: ListResponse,
): readonly string[] | undefined {
  const fitting = [...members].filter(
    ([own, path]) =>
      name.length > 2 &&
      (own.endsWith(name) || (own.startsWith(name) && QUANTITY.test(own.slice(name.length)))) &&
      items.every((item) => typeof readPath(item, path) === 'number'),
  );
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

/** A number or a moment as a number; other texts have no order that a bound can mean. */
export function placeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? Date.parse(value) : undefined;
}

/** Whether an item may be in a list that is filtered: a filter by text may mean a part of it, in any case; one by a choice not. */
export function fits(check: FilterCheck, own: unknown, value: unknown): boolean {
  const { test } = check;
  if (own === undefined) return true;
  if (Array.isArray(own)) return own.some((one) => fits(check, one, value));
  if (test === 'equals' && isChoice(check)) return own === value;
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
