import { isAnnotation } from '../schema-keywords.js';
import type { Schema, SchemaObject } from '../schema-types.js';

/**
 * Makes a schema also accept `null`. Strictly, OpenAPI 3.0.3 gives `nullable` a meaning only beside `type`, and an
 * `enum` must list `null` itself. Real documents and servers mean `nullable: true` literally, so `null` is accepted
 * wherever it is set (docs/adr/0003-nullable.md).
 */
export function allowNull(schema: SchemaObject): Schema {
  const { type } = schema;
  if (type !== undefined && !hasCombinator(schema)) {
    const types = typeof type === 'string' ? [type] : type;
    const withNull = types.includes('null') ? types : [...types, 'null' as const];
    if (schema.enum === undefined || schema.enum.includes(null)) return { ...schema, type: withNull };
    return { ...schema, type: withNull, enum: [...schema.enum, null] };
  }
  const entries = Object.entries(schema);
  const constraints = entries.filter(([key]) => !isAnnotation(key));
  if (constraints.length === 0) return schema;
  const annotations = entries.filter(([key]) => isAnnotation(key));
  return { ...Object.fromEntries(annotations), anyOf: [Object.fromEntries(constraints), { type: 'null' }] };
}

function hasCombinator(schema: SchemaObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((key) => Object.hasOwn(schema, key));
}
