import { stringifyExactJson } from 'specmill/mock';
import type { Row } from '../../generated/engine/types.js';
import { refuse } from './refusals.js';
import { fieldOf } from './sort-rows.js';

type Compute = (numbers: readonly number[]) => number | null;

/** Functions over the numbers of a field; rows whose value is not a number are skipped. */
const FUNCTIONS: Readonly<Record<string, Compute>> = {
  sum: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  avg: (numbers) => (numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length),
  min: (numbers) =>
    numbers.reduce<number | null>((least, number) => (least === null ? number : Math.min(least, number)), null),
  max: (numbers) =>
    numbers.reduce<number | null>((most, number) => (most === null ? number : Math.max(most, number)), null),
};

export const NUMBER_FUNCTIONS: readonly string[] = Object.keys(FUNCTIONS);

/** Rows with the same values in the grouping fields. */
export interface RowGroup {
  readonly common: Row;
  readonly rows: readonly Row[];
}

/** Groups rows by the values of some fields; without fields, all rows are one group, even if there are none. */
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
 * Computes one number over rows. `count` counts all rows, or with a field, those that have a value in it; `*` is any
 * field. A distinct aggregation has each value once.
 *
 * @throws HttpError 400 if the function is unknown, or its field is missing
 */
export function computeAggregate(
  name: string,
  field: string | undefined,
  rows: readonly Row[],
  isDistinct = false,
): number | null {
  if (name === 'count') {
    if (field === undefined || field === '*') return rows.length;
    const values = rows.map((row) => fieldOf(row, field)).filter((value) => value !== null);
    return isDistinct ? new Set(values.map((value) => stringifyExactJson(value))).size : values.length;
  }
  const compute = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (compute === undefined) throw refuse(400, `There is no function ${name}; there are count, sum, avg, min and max.`);
  if (field === undefined) throw refuse(400, `The function ${name} needs a field.`);
  const numbers = rows.map((row) => fieldOf(row, field)).filter((value) => typeof value === 'number');
  return compute(isDistinct ? [...new Set(numbers)] : numbers);
}
