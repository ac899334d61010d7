import type { SpecLocation } from '../location.js';
import { describeChange } from '../phrases.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { ShapePair } from './scope.js';

/** A counted property: its two keywords, and the prefix of its kinds of change. */
const COUNTS = {
  length: { least: 'minLength', most: 'maxLength', kind: 'length' },
  items: { least: 'minItems', most: 'maxItems', kind: 'item-count' },
  contains: { least: 'minContains', most: 'maxContains', kind: 'contains-count' },
  members: { least: 'minProperties', most: 'maxProperties', kind: 'member-count' },
} as const;

type CountKeyword = (typeof COUNTS)[keyof typeof COUNTS]['least' | 'most'];

/** Compares the minimum and maximum number of characters, items or members. */
export function compareCounts(pair: ShapePair, what: keyof typeof COUNTS): void {
  const { least, most, kind } = COUNTS[what];
  for (const keyword of [least, most]) {
    const sign = keyword === least ? 1 : -1;
    const [was, is] = [countOf(pair.old, keyword, sign), countOf(pair.next, keyword, sign)];
    if (was?.value === is?.value) continue;
    const isTight = is !== undefined && (was === undefined || sign * is.value > sign * was.value);
    pair.report({
      kind: `${kind}-${isTight ? 'tightened' : 'loosened'}`,
      message: `The ${keyword} of ${pair.title} ${describeChange(was?.value, is?.value)}`,
      was,
      is,
    });
  }
}

/** The strictest of all bounds that apply. */
function countOf(
  { parts }: EffectiveSchema,
  keyword: CountKeyword,
  sign: 1 | -1,
): { readonly value: number; readonly location: SpecLocation } | undefined {
  let best: { value: number; location: SpecLocation } | undefined;
  for (const { schema, location } of parts) {
    const value = schema[keyword];
    if (value === undefined || isNoBound(keyword, value)) continue;
    if (best === undefined || sign * value > sign * best.value) best = { value, location: location.child(keyword) };
  }
  return best;
}

/** Whether a bound has no effect: a minimum of 0, or of 1 for `contains`, which requires one item by itself. */
function isNoBound(keyword: CountKeyword, value: number): boolean {
  if (keyword === 'minContains') return value === 1;
  return keyword.startsWith('min') && value === 0;
}
