import type { Schema } from '../../model/schema-types.js';

/** A schema without its examples: values that are made from it are not those that a server may have by itself. */
export function withoutExamples(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema;
  const { examples: _, ...plain } = schema;
  return plain;
}
