import type { SourceLocation } from './diagnostics/diagnostic.js';
import type { Schema } from './schema-types.js';

const sources = new WeakMap<object, SourceLocation>();

/** Records where the schema of a parameter, header or media type is written. */
export function recordSchemaSource(schema: Schema, { file, pointer }: SourceLocation): void {
  if (typeof schema === 'object') sources.set(schema, { file, pointer });
}

/** Where the schema of a parameter, header or media type is written; `undefined` for other schemas, and for `true`. */
export function findSchemaSource(schema: Schema): SourceLocation | undefined {
  return typeof schema === 'object' ? sources.get(schema) : undefined;
}
