import { fingerprint, likeness } from './similarity.js';
import type { Scope, Side } from './scope.js';
import type { SpecLocation } from '../location.js';
import type { Site } from './schema-location.js';

/** One of the schemas that a value may fit. */
export interface Alternative {
  readonly site: Site;
  readonly location: SpecLocation;
}

/** Which alternatives of two choices are the same ones, changed or not, and which are new or gone. */
export interface AlternativeMatch {
  readonly pairs: readonly (readonly [Alternative, Alternative])[];
  readonly removed: readonly Alternative[];
  readonly added: readonly Alternative[];
}

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
  const matcher = new Matcher(old, next);
  matcher.matchBy(
    ({ site }) => site.name,
    ({ site }) => site.name,
  );
  const look = (side: Side) => (one: Alternative) => fingerprint(one.site, side);
  matcher.matchBy(look(sides.old), look(sides.new));
  matcher.matchByLikeness((was, is) =>
    likeness(sides.old.effectiveOf(was.site), sides.new.effectiveOf(is.site), sides),
  );
  return matcher;
}

type Key = (one: Alternative) => string | undefined;

class Matcher implements AlternativeMatch {
  readonly pairs: (readonly [Alternative, Alternative])[] = [];
  readonly removed: Alternative[];
  readonly added: Alternative[];

  constructor(old: readonly Alternative[], next: readonly Alternative[]) {
    this.removed = [...old];
    this.added = [...next];
  }

  matchBy(oldKey: Key, newKey: Key): void {
    if (this.removed.length === 0 || this.added.length === 0) return;
    const byKey = new Map<string, Alternative[]>();
    for (const is of this.added) {
      const key = newKey(is);
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), is]);
    }
    for (const was of [...this.removed]) {
      const key = oldKey(was);
      const is = key === undefined ? undefined : byKey.get(key)?.shift();
      if (is !== undefined) this.#pair(was, is);
    }
  }

  /** The most alike first. */
  matchByLikeness(measure: (was: Alternative, is: Alternative) => number): void {
    if (this.removed.length * this.added.length > MOST_MEASURED) return;
    const found = this.removed.flatMap((was) => this.added.map((is) => ({ was, is, likeness: measure(was, is) })));
    for (const { was, is } of found.filter(({ likeness }) => likeness >= LEAST_LIKENESS).sort(byLikeness))
      if (this.removed.includes(was) && this.added.includes(is)) this.#pair(was, is);
  }

  #pair(was: Alternative, is: Alternative): void {
    this.pairs.push([was, is]);
    this.removed.splice(this.removed.indexOf(was), 1);
    this.added.splice(this.added.indexOf(is), 1);
  }
}

function byLikeness(one: { readonly likeness: number }, other: { readonly likeness: number }): number {
  return other.likeness - one.likeness;
}
