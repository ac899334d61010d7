import type { Operation, Parameter } from '../../../model/api.js';
import { keywordOf } from '../../../schema/facts/members.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { type ListResponse, aboutOf } from './read-list.js';

export type Test = 'equals' | 'from' | 'to';

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

/** The member of the items that a filter is about. */
export function findMeaning(
  parameter: Parameter,
  members: ReadonlyMap<string, readonly string[]>,
): { readonly path: readonly string[]; readonly test: Test } | undefined {
  const about = aboutOf(parameter);
  const exact = members.get(about);
  if (exact !== undefined) return { path: exact, test: 'equals' };
  for (const [pattern, test] of BOUNDS) {
    const found = pattern.exec(about);
    const name = found?.[1] ?? found?.[2] ?? '';
    const path = members.get(name) ?? members.get(`${name}at`);
    if (path !== undefined) return { path, test };
  }
  return undefined;
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
