import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { DiffPlace } from '../location.js';
import { type Part, isAnnotation } from './schema-location.js';

/** What a schema says of a value beside which values are allowed, and where. */
export interface Annotation {
  readonly value: unknown;
  readonly place: DiffPlace;
}

/** What stands at a reference. */
export type FollowRef = (ref: string) => Part | undefined;

interface ObjectPart {
  readonly schema: SchemaObject;
  readonly place: DiffPlace;
}

/**
 * Everything that is said of a value beside which values are allowed, by keyword: in the schemas that hold for it, in what
 * they refer to, in the parts of their `allOf`. The first of each keyword counts.
 */
export function readAnnotations(parts: readonly Part[], follow: FollowRef): ReadonlyMap<string, Annotation> {
  const found = new Map<string, Annotation>();
  for (const { schema, place } of inPlace(parts, follow)) {
    for (const key in schema)
      if (isAnnotation(key) && !found.has(key))
        found.set(key, { value: schema[key as keyof SchemaObject], place: place.child(key) });
  }
  return found;
}

/** Whether a value is marked, in any of the schemas that hold for it. */
export function isMarked(parts: readonly Part[], mark: 'readOnly' | 'writeOnly', follow: FollowRef): boolean {
  return inPlace(parts, follow).some(({ schema }) => schema[mark] === true);
}

/** The schemas, what they refer to and the parts of their `allOf`, the outermost first. */
function inPlace(parts: readonly Part[], follow: FollowRef): ObjectPart[] {
  const found: ObjectPart[] = [];
  const seen = new Set<Schema>();
  const open: (Part | undefined)[] = parts.toReversed();
  while (open.length > 0) {
    const part = open.pop();
    if (part === undefined || typeof part.schema === 'boolean' || seen.has(part.schema)) continue;
    const { schema, place } = part;
    seen.add(schema);
    found.push({ schema, place });
    for (let index = (schema.allOf?.length ?? 0) - 1; index >= 0; index -= 1)
      open.push({ schema: schema.allOf?.[index] ?? true, place: place.silentChild('allOf', index) });
    if (schema.$ref !== undefined) open.push(follow(schema.$ref));
  }
  return found;
}
