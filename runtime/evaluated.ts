import type { Check, Evaluated } from './validation.js';

/** How many of some schemas a value is valid for. What these evaluate of it is added to `evaluated`. */
export function countValid(branches: readonly Check[], data: unknown, evaluated: Evaluated): number {
  let count = 0;
  for (const branch of branches) {
    const own: Evaluated = new Set();
    if (branch(data, '', undefined, own)) continue;
    count += 1;
    for (const place of own) evaluated.add(place);
  }
  return count;
}
