import { getOrInsert } from '../../model/maps.js';
import type { SchemaObject } from '../../model/schema-types.js';
import { readAlternatives } from './alternatives.js';
import type { LocatedObject } from './schema-location.js';

const strippedSchemas = new WeakMap<SchemaObject, Map<string, SchemaObject>>();
const origins = new WeakMap<SchemaObject, SchemaObject>();

/**
 * A schema without the keywords whose parts the shape already contains: references, `allOf`, choices with one
 * alternative, and the choice itself. Returns the same object for the same schema, so that it is the same site, and the
 * schema itself if it has none of them: schemas that lead back to themselves would else have new sites for ever.
 */
export function withoutOpened(part: LocatedObject, choice: 'anyOf' | 'oneOf' | undefined): SchemaObject {
  const isOpened = (key: string): boolean =>
    key === '$ref' ||
    key === 'allOf' ||
    key === 'discriminator' ||
    key === choice ||
    ((key === 'anyOf' || key === 'oneOf') && readAlternatives(part, key).length === 1);
  const entries = Object.entries(part.schema);
  const kept = entries.filter(([key]) => !isOpened(key));
  if (kept.length === entries.length) return part.schema;
  const known = getOrInsert(strippedSchemas, part.schema, () => new Map<string, SchemaObject>());
  return getOrInsert(known, choice ?? '', () => {
    const rest = Object.fromEntries(kept);
    origins.set(rest, openedFrom(part.schema));
    return rest;
  });
}

/** The schema that a schema of {@link withoutOpened} is a part of, or the schema itself. */
export function openedFrom(schema: SchemaObject): SchemaObject {
  return origins.get(schema) ?? schema;
}
