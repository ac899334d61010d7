import { compileSchema, type JsonSchema, type Violation } from 'specmill/mock';

import { refuse, refuseMember } from './refusal.js';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const NAMES = { type: 'array', items: TEXT, uniqueItems: true };
const SCHEMA = { $ref: '#/$defs/Schema' };
const SCHEMAS = { type: 'array', items: SCHEMA };
const SCHEMA_MAP = { type: 'object', additionalProperties: SCHEMA };

/** The JSON Schema of the schemas that the service supports. Other keywords have no effect, whatever their value. */
const META_SCHEMA: JsonSchema = {
  type: ['object', 'boolean'],
  properties: {
    // Clients use both spellings of type names, but only the lower-case one in lists.
    type: {
      if: { type: 'array' },
      then: { items: { enum: TYPES }, minItems: 1, uniqueItems: true },
      else: { enum: TYPES, 'x-enum-any-case': true },
    },
    enum: { type: 'array' },
    ...{ $id: TEXT, $ref: TEXT, $anchor: TEXT, format: TEXT, title: TEXT, description: TEXT },
    ...{ minItems: COUNT, maxItems: COUNT, minimum: { type: 'number' }, maximum: { type: 'number' } },
    ...{ required: NAMES, propertyOrdering: NAMES },
    ...{ items: SCHEMA, additionalProperties: SCHEMA, prefixItems: SCHEMAS },
    ...{ anyOf: { ...SCHEMAS, minItems: 1 }, oneOf: { ...SCHEMAS, minItems: 1 } },
    ...{ properties: SCHEMA_MAP, $defs: SCHEMA_MAP },
  },
};

const META = compileSchema(SCHEMA, { Schema: META_SCHEMA });
const MOST_VIOLATIONS = 20;

/** Maximum number of objects: one for each subschema, and one for each map of members. */
const MOST_OBJECTS = 2_000;
/** Maximum number of list items, most of which are values of enums. */
const MOST_ITEMS = 20_000;

/** The objects and lists of a JSON value, in reading order. */
export function* containersIn(value: unknown): Generator<object> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    yield next;
    for (const member of Object.values(next).toReversed()) if (typeof member === 'object') open.push(member);
  }
}

/**
 * Checks that a schema is small enough to make a value of it quickly.
 *
 * @throws HttpError 400
 */
export function checkSize(schema: unknown, pointer: string): void {
  let objects = 0;
  let items = 0;
  for (const one of containersIn(schema)) {
    if (Array.isArray(one)) items += one.length;
    else objects += 1;
    if (objects > MOST_OBJECTS || items > MOST_ITEMS)
      throw refuseMember(
        pointer,
        'A schema of the request',
        `must NOT have more than ${MOST_OBJECTS} objects or ${MOST_ITEMS} items`,
      );
  }
}

/**
 * Checks that a value is a JSON Schema, as far as the service supports that.
 *
 * @param pointer - its place in the body.
 * @throws HttpError 400
 */
export function checkJsonSchema(root: unknown, pointer: string): void {
  const errors = META.validate(root).slice(0, MOST_VIOLATIONS);
  const violations = errors.map((error): Violation => ({
    in: 'body',
    pointer: pointer + error.pointer,
    message: error.message,
  }));
  if (violations.length > 0) throw refuse('The JSON Schema of the request is not valid.', { violations });
}
