import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { referencesIn, withReferrers } from '../../model/schema-survey.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { BOTH_DIRECTIONS, type RawChange, type Usage, type UsedChange } from '../raw-change.js';
import type { Direction } from '../api-diff.js';
import { compareAnnotations } from './compare-annotations.js';
import { compareEffectiveSchemas } from './compare-effective-schemas.js';
import { ExactNumbers } from '../exact-numbers.js';
import { isSameValue } from './canonical-json.js';
import type { LocatedSchema, LocatedSchemas, Site } from './schema-location.js';
import { type ComparisonScope, ShapePair, Side, type Sides } from './scope.js';

/** A pair of schemas that is compared once, however often it is referenced. */
interface Pair {
  readonly changes: RawChange[];
  /** The pairs that reference it. */
  readonly referrers: Referrer[];
  readonly usages: Usage[];
}

interface Referrer {
  readonly pair: Pair;
  /** The directions in which the referrer reaches it. */
  readonly directions: readonly Direction[];
  /** Whether it is an alternative of a choice that declares nullability itself. */
  readonly isAlternative: boolean;
}

/** Maximum number of pairs, more than real specs have: recursive schemas can meet in endless combinations. */
const MAX_PAIRS = 200_000;

/**
 * The schemas of two APIs, compared pair by pair as they are reached from operations. A pair is compared once, so the
 * comparison of recursive schemas ends, and a change in a schema that 400 operations use is one change with 400 usages.
 */
export class SchemaPairs {
  readonly old: Side;
  readonly new: Side;
  readonly same: SameSchemas;
  readonly #pairs = new Map<string, Pair>();
  readonly #roots = new Map<Schema, Map<Schema, Pair>>();
  readonly #all: Pair[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(old: Api, next: Api) {
    this.old = new Side(old);
    this.new = new Side(next);
    this.same = new SameSchemas(old, next);
  }

  /** Compares what an operation sends or receives. */
  addRoot(old: LocatedSchema, next: LocatedSchema, usage: Usage): void {
    if (this.same.isSame(old.schema, next.schema)) return;
    const known = this.#roots.get(old.schema)?.get(next.schema);
    const pair = known ?? this.#makePair();
    pair.usages.push(usage);
    if (known !== undefined) return;
    // Schemas that are `true` or `false` are shared by many places.
    if (typeof old.schema === 'object' && typeof next.schema === 'object') {
      const roots = this.#roots.get(old.schema) ?? new Map<Schema, Pair>();
      this.#roots.set(old.schema, roots.set(next.schema, pair));
    }
    this.#waiting.push(() =>
      new PairScope(this, pair, { directions: BOTH_DIRECTIONS, isTop: true }).compare([old], [next]),
    );
  }

  /** Compares all reachable pairs; returns each change with its usages. */
  finish(): UsedChange[] {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) next();
    return this.#all.flatMap((pair) => (pair.changes.length === 0 ? [] : spreadChanges(pair)));
  }

  /**
   * The pair of two sites. It is compared once, by its first finder.
   *
   * @throws InputError if there are too many pairs.
   */
  pairOf(old: Site, next: Site): Pair {
    const key = `${old.id} ${next.id}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    if (this.#pairs.size > MAX_PAIRS)
      throw new InputError('The schemas of the two specs refer to each other in too many circles to be compared.');
    const pair = this.#makePair();
    this.#pairs.set(key, pair);
    this.#waiting.push(() => {
      const scope = new PairScope(this, pair, { directions: BOTH_DIRECTIONS, isTop: true });
      compareEffectiveSchemas(new ShapePair(this.old.effectiveOf(old), this.new.effectiveOf(next), scope));
    });
    return pair;
  }

  #makePair(): Pair {
    const pair: Pair = { changes: [], referrers: [], usages: [] };
    this.#all.push(pair);
    return pair;
  }
}

interface ScopeState {
  readonly directions: readonly Direction[];
  /** Whether the pair itself is compared rather than a part of it. */
  readonly isTop: boolean;
}

/** The scope of a comparison: reports changes of its pair, and continues with the pairs that it reaches. */
class PairScope implements ComparisonScope {
  readonly sides: Sides;
  readonly #pairs: SchemaPairs;
  readonly isTop: boolean;
  readonly #pair: Pair;
  readonly #directions: readonly Direction[];

  constructor(pairs: SchemaPairs, pair: Pair, { directions, isTop }: ScopeState) {
    this.#pairs = pairs;
    this.sides = pairs;
    this.isTop = isTop;
    this.#pair = pair;
    this.#directions = directions;
  }

  report(change: RawChange): void {
    const directions = (change.directions ?? BOTH_DIRECTIONS).filter((one) => this.#directions.includes(one));
    if (directions.length > 0) this.#pair.changes.push({ ...change, directions });
  }

  /**
   * Compares schemas of another value, or referenced schemas of this value, in the given directions if they apply here.
   */
  compare(old: LocatedSchemas, next: LocatedSchemas, directions: readonly Direction[] = BOTH_DIRECTIONS): void {
    if (old.length === 1 && next.length === 1 && this.#pairs.same.isSame(old[0].schema, next[0].schema)) return;
    const kept = this.#directions.filter((one) => directions.includes(one));
    const inner = new PairScope(this.#pairs, this.#pair, { directions: kept, isTop: false });
    compareAnnotations(old, next, inner);
    const oldSite = this.sides.old.sites.join(old);
    const newSite = this.sides.new.sites.join(next);
    const shapes = [this.sides.old.effectiveOf(oldSite), this.sides.new.effectiveOf(newSite)] as const;
    // The target of a reference may be shared, or recursive.
    const isShared = oldSite.name !== undefined || newSite.name !== undefined || shapes.some(({ crossed }) => crossed);
    if (isShared) inner.#refer(oldSite, newSite, false);
    else compareEffectiveSchemas(new ShapePair(...shapes, inner));
  }

  compareAlternatives(old: Site, next: Site): void {
    this.#refer(old, next, true);
  }

  #refer(old: Site, next: Site, isAlternative: boolean): void {
    const referrer = { pair: this.#pair, directions: this.#directions, isAlternative };
    this.#pairs.pairOf(old, next).referrers.push(referrer);
  }
}

function spreadChanges(pair: Pair): UsedChange[] {
  const known = new Map<string, Usage[]>();
  const usagesOf = (direction: Direction, isOfNull: boolean): Usage[] => {
    const key = `${direction} ${isOfNull}`;
    return getOrInsert(known, key, () => findUsages(pair, direction, isOfNull));
  };
  return pair.changes.map((change) => ({
    change,
    usages: (change.directions ?? BOTH_DIRECTIONS).flatMap((direction) =>
      usagesOf(direction, change.isOfNull ?? false),
    ),
  }));
}

/** Finds the operations that reach a pair in one direction. */
function findUsages(start: Pair, direction: Direction, isOfNull: boolean): Usage[] {
  const seen = new Set([start]);
  const usages: Usage[] = [];
  const open = [start];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    usages.push(...pair.usages.filter((usage) => usage.direction === direction));
    for (const referrer of pair.referrers) {
      const ignoresNull = isOfNull && pair === start && referrer.isAlternative;
      if (ignoresNull || seen.has(referrer.pair) || !referrer.directions.includes(direction)) continue;
      seen.add(referrer.pair);
      open.push(referrer.pair);
    }
  }
  return usages;
}

/**
 * Knows which schemas of two APIs are identical, including everything that they reference. Between two versions of a
 * large API nearly all are, so they need no comparison.
 */
class SameSchemas {
  /** The named schemas that differ, or lead to one that does. */
  readonly #differing: ReadonlySet<string>;
  /** Whether integers differ that may be the same double: then all schemas are compared. */
  readonly #hasWideChange: boolean;

  constructor(old: Api, next: Api) {
    const [was, is] = [old, next].map(({ files }) => new ExactNumbers(files).wide.join(' '));
    this.#hasWideChange = was !== is;
    const changed = [...old.schemas].filter(([name, { schema, originalName }]) => {
      const other = next.schemas.get(name);
      return other?.originalName !== originalName || !isSameValue(schema, other.schema);
    });
    const added = [...next.schemas.keys()].filter((name) => !old.schemas.has(name));
    this.#differing = withReferrers([...changed.map(([name]) => name), ...added], referencesIn(old.schemas.values()));
  }

  isSame(old: Schema, next: Schema): boolean {
    return !this.#hasWideChange && isSameValue(old, next, (ref) => this.#differing.has(refName(ref)));
  }
}
