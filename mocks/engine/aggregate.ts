import { stringifyExactJson } from 'specmill/mock';
import type { Row } from '../../generated/engine/types.js';
import { refuse } from './refusals.js';
import { fieldOf } from './sort-rows.js';

type Compute = (numbers: readonly number[]) => number | null;

/** Over the numbers of a field; rows whose value is not a number are left out. */
const FUNCTIONS: Readonly<Record<string, Compute>> = {
  sum: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  avg: (numbers) => (numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length),
  min: (numbers) =>
    numbers.reduce<number | null>((least, number) => (least === null ? number : Math.min(least, number)), null),
  max: (numbers) =>
    numbers.reduce<number | null>((most, number) => (most === null ? number : Math.max(most, number)), null),
};

export const NUMBER_FUNCTIONS: readonly string[] = Object.keys(FUNCTIONS);

/** Rows that have the same values in some fields. */
export interface RowGroup {
  readonly common: Row;
  readonly rows: readonly Row[];
}

/** Puts rows together by the values of some fields; by no fields, all are one group, be it empty. */
export function groupRows(rows: readonly Row[], by: readonly string[]): readonly RowGroup[] {
  if (by.length === 0) return [{ common: {}, rows }];
  const groups = new Map<string, { readonly common: Row; readonly rows: Row[] }>();
  for (const row of rows) {
    const common = Object.fromEntries(by.map((field) => [field, fieldOf(row, field)]));
    const key = stringifyExactJson(common);
    const group = groups.get(key) ?? { common, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Computes one number over rows. `count` counts the rows, or with a field those that have a value there; `*` is any field.
 *
 * @throws HttpError 400 if there is no such function, or it lacks its field
 */
export function computeAggregate(name: string, field: string | undefined, rows: readonly Row[]): number | null {
  if (name === 'count') {
    const counted = field === undefined || field === '*' ? rows : rows.filter((row) => fieldOf(row, field) !== null);
    return counted.length;
  }
  const compute = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (compute === undefined) throw refuse(400, `There is no function ${name}; there are count, sum, avg, min and max.`);
  if (field === undefined) throw refuse(400, `The function ${name} needs a field.`);
  return compute(rows.map((row) => fieldOf(row, field)).filter((value) => typeof value === 'number'));
}
