import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import type { SpecLocation } from '../location.js';
import type { RawChange } from '../raw-change.js';
import type { Direction } from '../types.js';
import { type EffectiveSchema, readEffectiveSchema } from './effective-schema.js';
import { type Parts, type Site, SiteMap } from './schema-location.js';

/** One of the two APIs: its sites, and what they allow. */
export class Side {
  readonly sites: SiteMap;
  readonly #shapes = new Map<number, EffectiveSchema>();

  constructor(api: Api) {
    this.sites = new SiteMap(api);
  }

  effectiveOf(site: Site): EffectiveSchema {
    return getOrInsert(this.#shapes, site.id, () => readEffectiveSchema(site, this.sites));
  }

  /** What schemas that all hold for one value allow. */
  effectiveAt(...parts: Parts): EffectiveSchema {
    return this.effectiveOf(this.sites.join(parts));
  }
}

/** Both APIs. */
export interface Sides {
  readonly old: Side;
  readonly new: Side;
}

/** Where a comparison of schemas is: it reports changes, and continues with the schemas that are reached from here. */
export interface Scope {
  readonly sides: Sides;
  /** Whether it is the pair itself that is compared, not a part of it. */
  readonly isTop: boolean;
  readonly report: (change: RawChange) => void;
  /** Compares schemas of another value, or what this value refers to, in those of the directions that matter here. */
  readonly compare: (old: Parts, next: Parts, directions?: readonly Direction[]) => void;
  /** Compares alternatives of a choice. */
  readonly compareAlternatives: (old: Site, next: Site) => void;
}

interface Located {
  readonly location: SpecLocation;
}

/** A change of a value. `was` and `is`: the parts that have changed; where one is missing, the value itself counts. */
export type ShapeChange = Omit<RawChange, 'old' | 'new'> & {
  readonly was?: Located | undefined;
  readonly is?: Located | undefined;
};

/** What two sites allow, being compared. */
export class ShapePair {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  readonly scope: Scope;

  constructor(old: EffectiveSchema, next: EffectiveSchema, scope: Scope) {
    this.old = old;
    this.next = next;
    this.scope = scope;
  }

  /** The name of the value in a sentence. */
  get title(): string {
    return this.next.location.title;
  }

  report({ was = this.old, is = this.next, ...change }: ShapeChange): void {
    this.scope.report({ ...change, old: was.location, new: is.location });
  }
}
