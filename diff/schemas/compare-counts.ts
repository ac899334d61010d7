import type { SpecLocation } from '../location.js';
import type { ChangeKind } from '../change-catalog.js';
import { describeChange } from '../phrases.js';
import type { Scope } from './scope.js';
import type { EffectiveSchema } from './effective-schema.js';

type CountKeyword =
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'minContains'
  | 'maxContains';

/** A counted property: its two keywords, and the kinds of change. */
const COUNTS = {
  length: { least: 'minLength', most: 'maxLength', tightened: 'length-tightened', loosened: 'length-loosened' },
  items: { least: 'minItems', most: 'maxItems', tightened: 'item-count-tightened', loosened: 'item-count-loosened' },
  contains: {
    least: 'minContains',
    most: 'maxContains',
    tightened: 'contains-count-tightened',
    loosened: 'contains-count-loosened',
  },
  members: {
    least: 'minProperties',
    most: 'maxProperties',
    tightened: 'member-count-tightened',
    loosened: 'member-count-loosened',
  },
} as const satisfies Record<
  string,
  { least: CountKeyword; most: CountKeyword; tightened: ChangeKind; loosened: ChangeKind }
>;

interface Pair {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  readonly scope: Scope;
}

/** Compares the least and the most characters, items or members. */
export function compareCounts({ old, next, scope }: Pair, what: 'length' | 'items' | 'contains' | 'members'): void {
  const { least, most, tightened, loosened } = COUNTS[what];
  for (const keyword of [least, most]) {
    const sign = keyword === least ? 1 : -1;
    const [was, is] = [countOf(old, keyword, sign), countOf(next, keyword, sign)];
    if (was?.value === is?.value) continue;
    const isTight = is !== undefined && (was === undefined || sign * is.value > sign * was.value);
    scope.report({
      kind: isTight ? tightened : loosened,
      message: `The ${keyword} of ${next.location.title} ${describeChange(was?.value, is?.value)}`,
      old: was?.location ?? old.location,
      new: is?.location ?? next.location,
    });
  }
}

/** The bound that counts, of all that hold. At least none is no bound. */
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

/** At least none is no bound; `contains` asks for one item by itself. */
function isNoBound(keyword: CountKeyword, value: number): boolean {
  if (keyword === 'minContains') return value === 1;
  return keyword.startsWith('min') && value === 0;
}
