import type { NamedSchema } from '../api.js';
import { type Schema, type SchemaObject, refName } from '../schema-types.js';

/** The parts of a schema that are followed, of those that apply to the value itself. */
export type PartsOf = (schema: SchemaObject) => readonly Schema[];

/** The named schemas that a schema references at the same value, by `$ref` and the given parts. */
export function namesIn(schema: Schema, partsOf: PartsOf): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const own = schema.$ref === undefined ? [] : [refName(schema.$ref)];
  return [...own, ...partsOf(schema).flatMap((part) => namesIn(part, partsOf))];
}

/** The named schemas that schemas reference at the same value, directly or indirectly. */
export function reachableNames(
  from: readonly Schema[],
  schemas: ReadonlyMap<string, NamedSchema>,
  partsOf: PartsOf,
): ReadonlySet<string> {
  const names = new Set(from.flatMap((schema) => namesIn(schema, partsOf)));
  // The set grows during the loop.
  for (const name of names) for (const next of namesIn(schemas.get(name)?.schema ?? true, partsOf)) names.add(next);
  return names;
}
