import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';

/**
 * Collects a schema and the schemas that it leads to, each object once, in reading order.
 *
 * @param next - returns the schemas that a schema leads to; `undefined` and booleans are skipped.
 */
export function collectParts(
  start: Schema | undefined | readonly (Schema | undefined)[],
  next: (part: SchemaObject) => readonly (Schema | undefined)[],
): SchemaObject[] {
  return [...walkParts(start, next)];
}

/** Yields the schemas of {@link collectParts}, finding each only when it is requested. */
function* walkParts(
  start: Schema | undefined | readonly (Schema | undefined)[],
  next: (part: SchemaObject) => readonly (Schema | undefined)[],
): Generator<SchemaObject, undefined> {
  const found = new Set<SchemaObject>();
  const open = (Array.isArray(start) ? (start as readonly Schema[]) : [start as Schema]).toReversed();
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || found.has(part)) continue;
    found.add(part);
    yield part;
    open.push(...(next(part).toReversed() as Schema[]));
  }
}

/** The schema that a normalised `$ref` names, if it exists. */
export function resolveRef(api: Api, ref: string | undefined): Schema | undefined {
  return ref === undefined ? undefined : api.schemas.get(refName(ref))?.schema;
}

/** Longer chains of references are considered circular. */
const MAX_STEPS = 20;

/** The schema object that a schema leads to by references only. */
export function followRefs(schema: Schema, api: Api): SchemaObject | undefined {
  let here: Schema | undefined = schema;
  for (let steps = 0; steps < MAX_STEPS && typeof here === 'object'; steps += 1) {
    if (here.$ref === undefined) return here;
    here = resolveRef(api, here.$ref);
  }
  return undefined;
}

/**
 * Every schema object that may apply to the same value: the schema, the targets of its references, and the branches of
 * its in-place applicators. Excludes `if` and `not`, which are conditions.
 */
export function applicableParts(schema: Schema, api: Api): SchemaObject[] {
  return collectParts(schema, (part) => [resolveRef(api, part.$ref), ...inPlaceBranches(part)]);
}

const holdingCaches = new WeakMap<SchemaObject, readonly SchemaObject[]>();

/** The schema objects that apply to every value of a schema: itself, the targets of its references, and its `allOf`. */
export function holdingParts(schema: Schema, api: Api): readonly SchemaObject[] {
  if (typeof schema !== 'object') return [];
  return getOrInsert(holdingCaches, schema, () => [...walkHoldingParts(schema, api)]);
}

/** Yields the schema objects of {@link holdingParts}, finding each only when it is requested. */
export function walkHoldingParts(schema: Schema, api: Api): Iterable<SchemaObject> {
  return walkParts(schema, ({ $ref, allOf = [] }) => [resolveRef(api, $ref), ...allOf]);
}

/** The schema of a member that an object schema declares itself, by reference or in its `allOf`. */
export function findProperty(schema: Schema, name: string, api: Api): Schema | undefined {
  for (const { properties = {} } of walkHoldingParts(schema, api))
    if (Object.hasOwn(properties, name)) return properties[name];
  return undefined;
}

/** Whether a value is marked by its schema, by the target of a reference, or in its `allOf`. */
export function isMarked(schema: Schema, mark: 'readOnly' | 'writeOnly', api: Api): boolean {
  if (typeof schema === 'boolean') return false;
  // Nearly all schemas have only one part, themselves.
  if (schema[mark] === true || (schema.$ref === undefined && schema.allOf === undefined)) return schema[mark] === true;
  return holdingParts(schema, api).some((part) => part[mark] === true);
}

const refCaches = new WeakMap<Api, Map<string, ReadonlySet<string>>>();

/** The named schemas that a named schema references at the same value, including in conditions. */
export function inPlaceRefs(name: string, api: Api): ReadonlySet<string> {
  const cache = getOrInsert(refCaches, api, () => new Map<string, ReadonlySet<string>>());
  return getOrInsert(cache, name, () => {
    const parts = collectParts(api.schemas.get(name)?.schema, (part) => [...inPlaceBranches(part), part.if, part.not]);
    return new Set(parts.flatMap(({ $ref }) => ($ref === undefined ? [] : [refName($ref)])));
  });
}

/** The subschemas that make assertions about the same value. */
export function inPlaceBranches(schema: SchemaObject): readonly (Schema | undefined)[] {
  const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema;
  return [...allOf, ...anyOf, ...oneOf, schema.then, schema.else, ...Object.values(dependentSchemas)];
}
