import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';

/** The schemas inside a schema that look at the same value as it does and whose assertions hold whenever it holds. `if` and `not` are conditions, so they are not among them. */
function inPlaceParts(schema: SchemaObject): Schema[] {
  const parts: Schema[] = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.then !== undefined) parts.push(schema.then);
  if (schema.else !== undefined) parts.push(schema.else);
  if (schema.dependentSchemas !== undefined) parts.push(...Object.values(schema.dependentSchemas));
  return parts;
}

/** The schema that a normalised `$ref` names, if it exists. */
export function resolveRef(api: Api, ref: string): Schema | undefined {
  return api.schemas.get(refName(ref))?.schema;
}

/** Every schema object that looks at the same value: the schema, its in-place parts, and what their refs lead to. Each once. */
export function inPlaceCluster(schema: Schema, api: Api): SchemaObject[] {
  const seen = new Set<SchemaObject>();
  const open: (Schema | undefined)[] = [schema];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || seen.has(next)) continue;
    seen.add(next);
    open.push(...inPlaceParts(next));
    if (next.$ref !== undefined) open.push(resolveRef(api, next.$ref));
  }
  return [...seen];
}

const refCaches = new WeakMap<Api, Map<string, ReadonlySet<string>>>();

/** The named schemas that a named schema refers to at the same value. */
export function inPlaceRefs(name: string, api: Api): ReadonlySet<string> {
  const cache = refCaches.get(api) ?? new Map<string, ReadonlySet<string>>();
  refCaches.set(api, cache);
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
