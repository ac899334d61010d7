import type { Api } from '../model/api.js';
import { type Schema, refName } from '../model/schema-types.js';
import { inPlaceParts } from './in-place.js';
import { originOf } from './variant-names.js';

const cycleCaches = new WeakMap<Api, Map<string, ReadonlySet<string>>>();

/**
 * Whether a ref from the schema `from` to `to` at the same value leads back to `from`: a validator that followed it would
 * never end. Both are names of schemas or of their request variants.
 */
export function closesInPlaceCycle(to: string, from: string | undefined, api: Api): boolean {
  if (from === undefined) return false;
  const start = originOf(from, api);
  const seen = new Set<string>();
  const open = [originOf(to, api)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...inPlaceRefs(next, api));
  }
  return false;
}

/** The named schemas that a named schema refers to at the same value. */
function inPlaceRefs(name: string, api: Api): ReadonlySet<string> {
  const cache = cycleCaches.get(api) ?? new Map<string, ReadonlySet<string>>();
  cycleCaches.set(api, cache);
  const known = cache.get(name);
  if (known !== undefined) return known;
  const refs = new Set<string>();
  const open: (Schema | undefined)[] = [api.schemas.get(name)?.schema];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object') continue;
    if (next.$ref !== undefined) refs.add(refName(next.$ref));
    open.push(...inPlaceParts(next), next.if, next.not);
  }
  cache.set(name, refs);
  return refs;
}
