import type { Api } from '../../model/api.js';
import { referencesIn, withReferrers } from '../../model/schema-survey.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { isSameValue } from './canonical-json.js';

/**
 * Knows which schemas of two APIs are the same to the last word, everything that they refer to included. Nearly all are,
 * between two versions of a large API, and there is nothing to compare in them.
 */
export class SameSchemas {
  /** The named schemas that differ, or lead to one that does. */
  readonly #differing: ReadonlySet<string>;

  constructor(old: Api, next: Api) {
    const changed = [...old.schemas].filter(([name, { schema, originalName }]) => {
      const other = next.schemas.get(name);
      return other?.originalName !== originalName || !isSameValue(schema, other.schema);
    });
    const added = [...next.schemas.keys()].filter((name) => !old.schemas.has(name));
    this.#differing = withReferrers([...changed.map(([name]) => name), ...added], referencesIn(old.schemas.values()));
  }

  isSame(old: Schema, next: Schema): boolean {
    return isSameValue(old, next, (ref) => this.#differing.has(refName(ref)));
  }
}
