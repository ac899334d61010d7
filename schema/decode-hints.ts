import { applicableParts } from './facts/parts.js';
import { ANY_HINTS, type DecodeHints } from '../runtime/text-shape.js';
import type { Api } from '../model/api.js';
import { matchesLinear } from './linear-pattern.js';
import { jsonTypeOf, type Schema, type SchemaObject, type SchemaType } from '../model/schema-types.js';

/** Returns the hints of a schema of one API, which are computed once. */
export type ReadHints = (schema: Schema) => DecodeHints;

const caches = new WeakMap<Api, ReadHints>();

export function hintsReader(api: Api): ReadHints {
  const known = caches.get(api);
  if (known !== undefined) return known;
  const shapes = new WeakMap<SchemaObject, DecodeHints>();
  const read: ReadHints = (schema) => {
    if (typeof schema === 'boolean') return ANY_HINTS;
    const kept = shapes.get(schema);
    if (kept !== undefined) return kept;
    const shape = createShape(applicableParts(schema, api), read);
    shapes.set(schema, shape);
    return shape;
  };
  caches.set(api, read);
  return read;
}

function createShape(parts: readonly SchemaObject[], read: ReadHints): DecodeHints {
  const types = new Set(parts.flatMap(typesOf));
  const names = new Set(parts.flatMap((part) => Object.keys(part.properties ?? {})));
  const members = new Map<string, DecodeHints>();
  return {
    types,
    names,
    anyText: takesAnyText(parts, types),
    plain: isPlain(parts, types),
    wide: parts.some(({ format }) => format === 'int64' || format === 'uint64'),
    binary: parts.some(
      (part) => part.format === 'binary' || (part.contentMediaType !== undefined && part.contentEncoding === undefined),
    ),
    free: parts.some((part) => typeof part.additionalProperties === 'object' || part.patternProperties !== undefined),
    member: (name) => {
      const known = members.get(name);
      if (known !== undefined) return known;
      const shape = merge(schemasOfMember(parts, name), read);
      // Not cached for unknown names, which come from requests and would fill the map.
      if (names.has(name)) members.set(name, shape);
      return shape;
    },
    item: (index) => merge(schemasOfItem(parts, index), read),
  };
}

function merge(schemas: readonly Schema[], read: ReadHints): DecodeHints {
  const [first, ...others] = schemas;
  if (first === undefined) return ANY_HINTS;
  return others.length === 0 ? read(first) : createShapeOf(schemas, read);
}

const unions = new WeakMap<SchemaObject, DecodeHints>();

/** Treats several descriptions of the same member as an `anyOf`. */
function createShapeOf(schemas: readonly Schema[], read: ReadHints): DecodeHints {
  const key = schemas.find((schema) => typeof schema === 'object');
  const known = key === undefined ? ANY_HINTS : unions.get(key);
  if (known !== undefined) return known;
  const shape = read({ anyOf: schemas });
  if (key !== undefined) unions.set(key, shape);
  return shape;
}

function typesOf({ type, enum: list, const: one, properties, items }: SchemaObject): SchemaType[] {
  if (type !== undefined) return [type].flat();
  if (list !== undefined) return list.map(jsonTypeOf);
  if (one !== undefined) return [jsonTypeOf(one)];
  if (properties !== undefined) return ['object'];
  return items === undefined ? [] : ['array'];
}

function takesAnyText(parts: readonly SchemaObject[], types: ReadonlySet<SchemaType>): boolean {
  if (!types.has('string')) return types.size === 0;
  return parts.every(
    (part) =>
      part.enum === undefined && part.const === undefined && !(typesOf(part).includes('string') && isLimited(part)),
  );
}

function isLimited({ pattern, format, minLength, maxLength }: SchemaObject): boolean {
  return [pattern, format, minLength, maxLength].some((limit) => limit !== undefined);
}

function isPlain(parts: readonly SchemaObject[], types: ReadonlySet<SchemaType>): boolean {
  if (types.size > 0 && !types.has('string') && !types.has('array') && !types.has('object')) return true;
  return parts.some((part) => part.enum?.every((value) => typeof value !== 'string' || !value.includes(',')) === true);
}

/** Returns the schemas of a member: those that describe it by name, or else those for other members. */
export function schemasOfMember(parts: readonly SchemaObject[], name: string): Schema[] {
  const described = parts.flatMap(({ properties }) =>
    properties !== undefined && Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
  );
  if (described.length > 0) return described;
  return parts.flatMap((part) => [
    ...Object.entries(part.patternProperties ?? {}).flatMap(([pattern, schema]) =>
      matchesLinear(pattern, name) ? [schema] : [],
    ),
    ...(typeof part.additionalProperties === 'object' ? [part.additionalProperties] : []),
  ]);
}

export function schemasOfItem(parts: readonly SchemaObject[], index: number | undefined): Schema[] {
  return parts.flatMap(({ prefixItems, items }) => {
    const schema = (index === undefined ? undefined : prefixItems?.[index]) ?? items;
    return schema === undefined ? [] : [schema];
  });
}
