import type { Api } from '../../model/api.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { surveySchema } from '../../schema/variant-names.js';
import { isSameValue } from './canonical-json.js';

/**
 * Knows which schemas of two APIs are the same to the last word, everything that they refer to included. Nearly all are,
 * between two versions of a large API, and there is nothing to compare in them.
 */
export class SameSchemas {
  /** The named schemas that differ, or lead to one that does. */
  readonly #differing: ReadonlySet<string>;

  constructor(old: Api, next: Api) {
    this.#differing = findDiffering(old, next);
  }

  isSame(old: Schema, next: Schema): boolean {
    return isSameValue(old, next, (ref) => this.#differing.has(refName(ref)));
  }
}

function findDiffering(old: Api, next: Api): Set<string> {
  const differing = new Set<string>();
  const referrers = new Map<string, string[]>();
  for (const [name, { schema, originalName }] of old.schemas) {
    const other = next.schemas.get(name);
    if (other?.originalName !== originalName || !isSameValue(schema, other.schema)) differing.add(name);
    for (const ref of surveySchema(schema).refs) {
      const known = referrers.get(ref);
      if (known === undefined) referrers.set(ref, [name]);
      else known.push(name);
    }
  }
  for (const name of next.schemas.keys()) if (!old.schemas.has(name)) differing.add(name);
  const open = [...differing];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const referrer of referrers.get(name) ?? []) {
      if (differing.has(referrer)) continue;
      differing.add(referrer);
      open.push(referrer);
    }
  }
  return differing;
}
