import type { Api } from '../model/api.js';
import { inPlaceRefs } from './facts/parts.js';
import { originOf } from './variant-names.js';

/**
 * Whether a ref from the schema `from` to `to` at the same value leads back to `from`, so that a validator that
 * followed it would never end. Both are names of schemas or of their request variants.
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
