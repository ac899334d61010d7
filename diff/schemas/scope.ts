import type { Api } from '../../model/api.js';
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
    const known = this.#shapes.get(site.id);
    if (known !== undefined) return known;
    const shape = readEffectiveSchema(site, this.sites);
    this.#shapes.set(site.id, shape);
    return shape;
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
