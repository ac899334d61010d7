import { jsonTypeOf, type SchemaObject, type SchemaType } from '../../model/schema-types.js';

const OBJECT_WORDS = ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'] as const;
const ARRAY_WORDS = ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'] as const;
const OTHER_WORDS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'format'] as const;

/**
 * The types that a schema allows by itself; `undefined` for any. Without `type`, keywords of only objects or only
 * arrays imply that type. Bytes have no type, however a version of OpenAPI writes them.
 */
export function effectiveTypes(schema: SchemaObject): ReadonlySet<SchemaType> | undefined {
  if (isByteSchema(schema)) return undefined;
  const { type } = schema;
  if (type !== undefined) return new Set(typeof type === 'string' ? [type] : type);
  if (schema.enum !== undefined) return new Set(schema.enum.map(typeOfValue));
  if (Object.hasOwn(schema, 'const')) return new Set([typeOfValue(schema.const)]);
  return inferType(schema);
}

/** `format: binary` of OpenAPI 3.0 and 2.0, `contentMediaType: application/octet-stream` of 3.1. */
export function isByteSchema({ format, contentMediaType, contentEncoding }: SchemaObject): boolean {
  return format === 'binary' || (contentMediaType === 'application/octet-stream' && contentEncoding === undefined);
}

function inferType(schema: SchemaObject): ReadonlySet<SchemaType> | undefined {
  const has = (words: readonly string[]): boolean => words.some((word) => Object.hasOwn(schema, word));
  const isObject = has(OBJECT_WORDS);
  const isArray = has(ARRAY_WORDS);
  if (isObject === isArray || has(OTHER_WORDS)) return undefined;
  return new Set([isObject ? 'object' : 'array']);
}

function typeOfValue(value: unknown): SchemaType {
  return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : jsonTypeOf(value);
}

type Types = ReadonlySet<SchemaType>;

/** The types that both allow; `undefined`: all of them. */
export function intersectTypes(one: Types | undefined, other: Types | undefined): Types | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const common = new Set<SchemaType>();
  for (const [types, others] of [[one, other] as const, [other, one] as const]) {
    for (const type of types) if (others.has(type) || (type === 'integer' && others.has('number'))) common.add(type);
  }
  return simplifyTypes(common);
}

/** Removes `integer` beside `number`, which includes it. */
export function simplifyTypes(types: Types): Types {
  if (!types.has('number') || !types.has('integer')) return types;
  return new Set([...types].filter((type) => type !== 'integer'));
}

/** Whether `all` includes every type of `some`. */
export function coversTypes(all: Types | undefined, some: Types | undefined): boolean {
  if (all === undefined) return true;
  return some !== undefined && [...some].every((type) => all.has(type) || (type === 'integer' && all.has('number')));
}
