import type { SpecLocation } from '../location.js';
import { type Match, matchByKey } from '../match-by-key.js';
import { fingerprint, likeness } from './similarity.js';
import type { Scope, Side, Sides } from './scope.js';
import type { Site } from './schema-location.js';

/** One of the schemas that a value may fit. */
export interface Alternative {
  readonly site: Site;
  readonly location: SpecLocation;
}

/** Which alternatives of two choices are the same ones, changed or not, and which are new or gone. */
export type AlternativeMatch = Match<Alternative>;

/** How alike two alternatives of different names and looks must be to be taken for one that has changed. */
const LEAST_LIKENESS = 0.25;

/** How many pairs are measured: choices of hundreds that have all changed are not put together one by one. */
const MOST_MEASURED = 2_500;

/** Finds the alternatives that belong together: by name, then by looks, then by likeness. Order does not count. */
export function matchAlternatives(
  old: readonly Alternative[],
  next: readonly Alternative[],
  { sides }: Scope,
): AlternativeMatch {
  const named = matchByKey(old, next, ({ site }) => site.name);
  if (named.removed.length === 0 || named.added.length === 0) return named;
  const lookIn = (side: Side) => (one: Alternative) => fingerprint(one.site, side);
  const alike = matchByKey(named.removed, named.added, lookIn(sides.old), lookIn(sides.new));
  return matchByLikeness(alike, [...named.pairs, ...alike.pairs], sides);
}

/** Pairs what is left, the most alike first. */
function matchByLikeness(
  { removed, added }: AlternativeMatch,
  known: AlternativeMatch['pairs'],
  sides: Sides,
): AlternativeMatch {
  if (removed.length * added.length > MOST_MEASURED) return { pairs: known, removed, added };
  const measured = removed.flatMap((was) =>
    added.map((is) => {
      const shapes = [sides.old.effectiveOf(was.site), sides.new.effectiveOf(is.site)] as const;
      return { was, is, likeness: likeness(...shapes, sides) };
    }),
  );
  const pairs = [...known];
  const matched = new Set<Alternative>();
  for (const { was, is, likeness } of measured.sort((one, other) => other.likeness - one.likeness)) {
    if (likeness < LEAST_LIKENESS || matched.has(was) || matched.has(is)) continue;
    pairs.push([was, is]);
    matched.add(was).add(is);
  }
  const isLeft = (one: Alternative): boolean => !matched.has(one);
  return { pairs, removed: removed.filter(isLeft), added: added.filter(isLeft) };
}
