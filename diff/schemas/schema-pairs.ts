import type { Api } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import type { Schema } from '../../model/schema-types.js';
import { BOTH_DIRECTIONS, type Fact, type Touch, type TouchingFact } from '../raw-change.js';
import type { Direction } from '../types.js';
import { compareAnnotations } from './compare-annotations.js';
import { compareShapes } from './compare-shapes.js';
import { SameSchemas } from './same-schemas.js';
import { type Shape, readShape } from './effective-schema.js';
import { type Part, type Site, SiteMap } from './schema-location.js';

/** Schemas that all hold for one value. */
export type Parts = readonly [Part, ...Part[]];

/** A pair of schemas that is compared once, whoever refers to it. */
interface Pair {
  readonly facts: Fact[];
  /** Who refers to it. */
  readonly referrers: Referrer[];
  readonly touches: Touch[];
}

interface Referrer {
  readonly pair: Pair;
  /** The directions in which it is reached from there. */
  readonly directions: readonly Direction[];
  /** Whether it is an alternative of a choice that says itself whether it may be null. */
  readonly isAlternative: boolean;
}

/** More pairs than any honest specs have: schemas that lead around in circles can meet in as many pairs as there are. */
const MAX_PAIRS = 500_000;

/** One of the two APIs: its sites, and what they allow. */
export class Side {
  readonly sites: SiteMap;
  readonly #shapes = new Map<number, Shape>();

  constructor(api: Api) {
    this.sites = new SiteMap(api);
  }

  shapeOf(site: Site): Shape {
    const known = this.#shapes.get(site.id);
    if (known !== undefined) return known;
    const shape = readShape(site, this.sites);
    this.#shapes.set(site.id, shape);
    return shape;
  }
}

/**
 * The schemas of two APIs, compared pair by pair as they are reached from operations. A pair is compared once, so a schema
 * that contains itself ends, and a change in a schema that 400 operations use is one fact that touches 400 operations.
 */
export class SchemaGraph {
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
  addRoot(old: Part, next: Part, touch: Touch): void {
    if (this.same.isSame(old.schema, next.schema)) return;
    const known = this.#roots.get(old.schema)?.get(next.schema);
    const pair = known ?? this.#makePair();
    pair.touches.push(touch);
    if (known !== undefined) return;
    // Schemas that are `true` or `false` stand in many places, and are no one's own.
    if (typeof old.schema === 'object' && typeof next.schema === 'object') {
      const roots = this.#roots.get(old.schema) ?? new Map<Schema, Pair>();
      this.#roots.set(old.schema, roots.set(next.schema, pair));
    }
    this.#waiting.push(() =>
      new Scope(this, pair, { directions: BOTH_DIRECTIONS, isTop: true }).compare([old], [next]),
    );
  }

  /** Compares everything that is reached, and gives what was found with everybody that it touches. */
  finish(): TouchingFact[] {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) next();
    return this.#all.flatMap((pair) => (pair.facts.length === 0 ? [] : spreadFacts(pair)));
  }

  /**
   * The pair of two sites. Only who finds it first compares it.
   *
   * @throws InputError where there is no end of pairs.
   */
  pairOf(old: Site, next: Site): Pair {
    const key = `${old.id} ${next.id}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    if (this.#pairs.size > MAX_PAIRS)
      throw new InputError('The schemas of the two specs are too unlike and lead around in too many circles.');
    const pair = this.#makePair();
    this.#pairs.set(key, pair);
    this.#waiting.push(() => {
      const scope = new Scope(this, pair, { directions: BOTH_DIRECTIONS, isTop: true });
      compareShapes(this.old.shapeOf(old), this.new.shapeOf(next), scope);
    });
    return pair;
  }

  #makePair(): Pair {
    const pair: Pair = { facts: [], referrers: [], touches: [] };
    this.#all.push(pair);
    return pair;
  }
}

interface ScopeState {
  readonly directions: readonly Direction[];
  /** Whether it is the pair itself that is compared, not a part of it. */
  readonly isTop: boolean;
}

/** Where a comparison is: it reports facts of its pair, and goes on to the pairs that are reached from here. */
export class Scope {
  readonly graph: SchemaGraph;
  readonly isTop: boolean;
  readonly #pair: Pair;
  readonly #directions: readonly Direction[];

  constructor(graph: SchemaGraph, pair: Pair, { directions, isTop }: ScopeState) {
    this.graph = graph;
    this.isTop = isTop;
    this.#pair = pair;
    this.#directions = directions;
  }

  report(fact: Fact): void {
    const directions = (fact.directions ?? BOTH_DIRECTIONS).filter((one) => this.#directions.includes(one));
    if (directions.length > 0) this.#pair.facts.push({ ...fact, directions });
  }

  /** Compares schemas of another value, or what this value refers to, in those of the directions that matter here. */
  compare(old: Parts, next: Parts, directions: readonly Direction[] = BOTH_DIRECTIONS): void {
    if (old.length === 1 && next.length === 1 && this.graph.same.isSame(old[0].schema, next[0].schema)) return;
    const kept = this.#directions.filter((one) => directions.includes(one));
    const inner = new Scope(this.graph, this.#pair, { directions: kept, isTop: false });
    compareAnnotations(old, next, inner);
    const oldSite = this.graph.old.sites.join(old);
    const newSite = this.graph.new.sites.join(next);
    const shapes = [this.graph.old.shapeOf(oldSite), this.graph.new.shapeOf(newSite)] as const;
    // What is reached by a reference may be reached from elsewhere too, or contain itself.
    const isShared = oldSite.name !== undefined || newSite.name !== undefined || shapes.some(({ crossed }) => crossed);
    if (isShared) inner.#refer(oldSite, newSite, false);
    else compareShapes(...shapes, inner);
  }

  /** Compares alternatives of a choice. */
  compareAlternatives(old: Site, next: Site): void {
    this.#refer(old, next, true);
  }

  #refer(old: Site, next: Site, isAlternative: boolean): void {
    const referrer = { pair: this.#pair, directions: this.#directions, isAlternative };
    this.graph.pairOf(old, next).referrers.push(referrer);
  }
}

function spreadFacts(pair: Pair): TouchingFact[] {
  const known = new Map<string, Touch[]>();
  const touchesOf = (direction: Direction, isOfNull: boolean): Touch[] => {
    const key = `${direction} ${isOfNull}`;
    const touches = known.get(key) ?? findTouches(pair, direction, isOfNull);
    known.set(key, touches);
    return touches;
  };
  return pair.facts.map((fact) => ({
    fact,
    touches: (fact.directions ?? BOTH_DIRECTIONS).flatMap((direction) => touchesOf(direction, fact.isOfNull ?? false)),
  }));
}

/** Goes back from a pair to the operations that reach it in one direction. */
function findTouches(start: Pair, direction: Direction, isOfNull: boolean): Touch[] {
  const seen = new Set([start]);
  const touches: Touch[] = [];
  const open = [start];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    touches.push(...pair.touches.filter((touch) => touch.direction === direction));
    for (const referrer of pair.referrers) {
      const isDeaf = isOfNull && pair === start && referrer.isAlternative;
      if (isDeaf || seen.has(referrer.pair) || !referrer.directions.includes(direction)) continue;
      seen.add(referrer.pair);
      open.push(referrer.pair);
    }
  }
  return touches;
}
