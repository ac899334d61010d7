import type { Row } from '../../../../generated/engine/types.js';
import { EngineRefusal } from '../engine-refusal.js';
import { fieldOf } from '../order.js';

type Aggregate = (numbers: readonly number[]) => number | null;

const FUNCTIONS: Readonly<Record<string, Aggregate>> = {
  sum: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  avg: (numbers) => (numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length),
  min: (numbers) =>
    numbers.reduce<number | null>((least, number) => (least === null ? number : Math.min(least, number)), null),
  max: (numbers) =>
    numbers.reduce<number | null>((most, number) => (most === null ? number : Math.max(most, number)), null),
};

/** One line for each group of rows, with the values that it has in common. */
export function aggregate(rows: readonly Row[], given: Readonly<Record<string, unknown>>): readonly Row[] {
  const name = String(given['function']);
  const field = typeof given['field'] === 'string' ? given['field'] : undefined;
  const by = Array.isArray(given['groupby']) ? given['groupby'].map(String) : [];
  const compute = readFunction(name, field);
  const groups = new Map<string, { readonly common: Row; readonly rows: Row[] }>();
  for (const row of rows) {
    const common = Object.fromEntries(by.map((one) => [one, fieldOf(row, one)]));
    const key = JSON.stringify(common);
    const group = groups.get(key) ?? { common, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  if (groups.size === 0 && by.length === 0) groups.set('', { common: {}, rows: [] });
  return [...groups.values()].map((group) => ({ ...group.common, [name]: compute(group.rows) }));
}

function readFunction(name: string, field: string | undefined): (rows: readonly Row[]) => number | null {
  if (name === 'count')
    return (rows) => (field === undefined ? rows : rows.filter((row) => fieldOf(row, field) !== null)).length;
  const compute = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (compute === undefined)
    throw new EngineRefusal(400, `There is no function ${name}; there are count, sum, avg, min and max.`);
  if (field === undefined) throw new EngineRefusal(400, `The function ${name} needs a field.`);
  return (rows) => compute(rows.map((row) => fieldOf(row, field)).filter((value) => typeof value === 'number'));
}
