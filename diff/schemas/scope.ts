import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import type { SpecLocation } from '../location.js';
import type { RawChange } from '../raw-change.js';
import type { Direction } from '../api-diff.js';
import { type EffectiveSchema, readEffectiveSchema } from './effective-schema.js';
import { type LocatedSchemas, type Site, SiteMap } from './schema-location.js';

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

  /** The effective schema of schemas that all apply to one value. */
  effectiveAt(...parts: LocatedSchemas): EffectiveSchema {
    return this.effectiveOf(this.sites.join(parts));
  }
}

/** Both APIs. */
export interface Sides {
  readonly old: Side;
  readonly new: Side;
}

/** The scope of a comparison of schemas: reports changes, and continues with the schemas that it reaches. */
export interface ComparisonScope {
  readonly sides: Sides;
  /** Whether the pair itself is compared rather than a part of it. */
  readonly isTop: boolean;
  readonly report: (change: RawChange) => void;
  /**
   * Compares schemas of another value, or referenced schemas of this value, in the given directions if they apply here.
   */
  readonly compare: (old: LocatedSchemas, next: LocatedSchemas, directions?: readonly Direction[]) => void;
  /** Compares alternatives of a choice. */
  readonly compareAlternatives: (old: Site, next: Site) => void;
}

interface Located {
  readonly location: SpecLocation;
}

/** A change of a value. `was` and `is` are the changed parts. Default: the value itself. */
export type ShapeChange = Omit<RawChange, 'old' | 'new'> & {
  readonly was?: Located | undefined;
  readonly is?: Located | undefined;
};

/** The effective schemas of two sites that are being compared. */
export class ShapePair {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  readonly scope: ComparisonScope;

  constructor(old: EffectiveSchema, next: EffectiveSchema, scope: ComparisonScope) {
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
