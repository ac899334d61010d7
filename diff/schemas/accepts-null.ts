import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { Part } from './schema-location.js';
import { typesOf } from './effective-types.js';

/** As many schemas at one value as no honest spec has. */
const MAX_DEPTH = 1_000;

/** Says whether `null` is allowed by a schema, as far as types, values and alternatives say. */
export class NullReader {
  readonly #target: (ref: string) => Part | undefined;
  readonly #known = new Map<SchemaObject, boolean>();

  constructor(target: (ref: string) => Part | undefined) {
    this.#target = target;
  }

  accepts(schema: Schema, depth = 0): boolean {
    if (typeof schema === 'boolean') return schema;
    const known = this.#known.get(schema);
    if (known !== undefined || depth > MAX_DEPTH) return known ?? true;
    // A schema that leads back to itself at the same value adds nothing.
    this.#known.set(schema, true);
    const found = this.#read(schema, depth + 1);
    this.#known.set(schema, found);
    return found;
  }

  #read(schema: SchemaObject, depth: number): boolean {
    const accepts = (part: Schema): boolean => this.accepts(part, depth);
    if (typesOf(schema)?.has('null') === false) return false;
    if (schema.enum !== undefined && !schema.enum.includes(null)) return false;
    if (Object.hasOwn(schema, 'const') && schema.const !== null) return false;
    if (schema.$ref !== undefined && !accepts(this.#target(schema.$ref)?.schema ?? true)) return false;
    if (schema.allOf?.every(accepts) === false) return false;
    return schema.anyOf?.some(accepts) !== false && schema.oneOf?.some(accepts) !== false;
  }
}
