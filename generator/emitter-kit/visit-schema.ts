import { childSchemas } from '../../model/schema-survey.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';

/** Calls a function for a schema object and all schema objects inside of it, in reading order. Follows no references. */
export function visitSchema(schema: Schema, visit: (schema: SchemaObject) => void): void {
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    visit(next);
    open.push(...childSchemas(next).toReversed());
  }
}
