import type { Schema, SchemaObject, SchemaType } from '../../model/schema-types.js';
import { isEqual } from '../../runtime/checks.js';

/** The keywords of one schema for the members of an object; a member must match all of them. */
export type ObjectPart = Pick<
  SchemaObject,
  'properties' | 'patternProperties' | 'additionalProperties' | 'unevaluatedProperties'
>;

/** The keywords of one schema for the items of an array. */
export type ArrayPart = Pick<SchemaObject, 'prefixItems' | 'items' | 'unevaluatedItems'>;

export type JsonType = Exclude<SchemaType, 'integer'>;

/** The keywords of which the largest, or the smallest, value applies. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minProperties', 'minItems'] as const;
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxProperties', 'maxItems'] as const;

/** The branch of a `oneOf` that a value is made for, and the others. */
export interface Exclusion {
  readonly chosen: Schema;
  readonly others: readonly Schema[];
}

/** The combined constraints of a value: several schemas folded into one, after resolving references and branches. */
export class Shape {
  types: readonly JsonType[] | undefined;
  isInteger: boolean = false;
  /** From `enum` and `const`. */
  values: readonly unknown[] | undefined;
  minimum: number = -Infinity;
  exclusiveMinimum: number = -Infinity;
  maximum: number = Infinity;
  exclusiveMaximum: number = Infinity;
  readonly multiples: number[] = [];
  minLength: number = 0;
  maxLength: number = Infinity;
  readonly patterns: string[] = [];
  readonly formats: string[] = [];
  contentEncoding: string | undefined;
  contentMediaType: string | undefined;
  readonly objectParts: ObjectPart[] = [];
  /** The schemas of the members that the parts declare; a cache that is filled on demand. */
  declared: ReadonlyMap<string, readonly Schema[]> | undefined;
  /** The names of the declared members; a cache that is filled on demand. */
  declaredNames: readonly string[] | undefined;
  /** Those of them that a value may have; a cache that is filled on demand. */
  allowedNames: readonly string[] | undefined;
  readonly required: Set<string> = new Set();
  readonly propertyNames: Schema[] = [];
  readonly dependentRequired: (readonly [string, readonly string[]])[] = [];
  readonly dependentSchemas: (readonly [string, Schema])[] = [];
  minProperties: number = 0;
  maxProperties: number = Infinity;
  readonly arrayParts: ArrayPart[] = [];
  readonly contains: { readonly schema: Schema; readonly min: number; readonly max: number }[] = [];
  isUnique: boolean = false;
  minItems: number = 0;
  maxItems: number = Infinity;
  /** Values from the document: examples and defaults. */
  readonly hints: unknown[] = [];
  /** Members that must be absent, because of a `not`. */
  readonly forbidden: Set<string> = new Set();
  /** Values of members that discriminators set. */
  readonly tags: Map<string, readonly string[]> = new Map();
  /** The branches of each `oneOf` that were not chosen; a value must not match them. */
  readonly exclusions: Exclusion[] = [];
  /** Whether values must be checked, because the shape does not cover everything. */
  needsCheck: boolean = false;
  /** Whether another attempt may take another branch. */
  hasChoice: boolean = false;
  /** Schemas with an `if`; only a value shows which clause applies. */
  readonly conditions: SchemaObject[] = [];
  /** Set if no value can fit. */
  contradiction: string | undefined;

  /** Whether the schemas always have this shape. */
  get isFixed(): boolean {
    return !this.hasChoice && this.conditions.length === 0;
  }

  /** Adds the constraints of one schema object, without its references and combinators. */
  fold(schema: SchemaObject): void {
    if (schema.type !== undefined) this.#foldTypes(typeof schema.type === 'string' ? [schema.type] : schema.type);
    if (schema.enum !== undefined) this.foldValues(schema.enum);
    if (schema.const !== undefined) this.foldValues([schema.const]);
    this.#foldBounds(schema);
    this.#foldString(schema);
    this.#foldObject(schema);
    this.#foldArray(schema);
    if (schema.examples !== undefined) this.hints.push(...schema.examples);
    if (schema.default !== undefined) this.hints.push(schema.default);
  }

  foldValues(values: readonly unknown[]): void {
    this.values = this.values === undefined ? values : intersect(this.values, values);
    if (this.values.length === 0) this.contradiction = 'no value is in every enum';
  }

  #foldTypes(types: readonly SchemaType[]): void {
    const wanted = types.map((type): JsonType => (type === 'integer' ? 'number' : type));
    if (types.includes('integer') && !types.includes('number')) this.isInteger = true;
    const both = this.types === undefined ? wanted : this.types.filter((type) => wanted.includes(type));
    if (both.length === 0) this.contradiction = 'no type fits everywhere';
    this.types = both;
  }

  #foldBounds(schema: SchemaObject): void {
    for (const key of LOWER_BOUNDS) if (schema[key] !== undefined) this[key] = Math.max(this[key], schema[key]);
    for (const key of UPPER_BOUNDS) if (schema[key] !== undefined) this[key] = Math.min(this[key], schema[key]);
    if (schema.multipleOf !== undefined) this.multiples.push(schema.multipleOf);
  }

  #foldString(schema: SchemaObject): void {
    if (schema.pattern !== undefined && !this.patterns.includes(schema.pattern)) this.patterns.push(schema.pattern);
    if (schema.format !== undefined && !this.formats.includes(schema.format)) this.formats.push(schema.format);
    this.contentEncoding ??= schema.contentEncoding;
    this.contentMediaType ??= schema.contentMediaType;
  }

  #foldObject(schema: SchemaObject): void {
    const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
    const parts = [properties, patternProperties, additionalProperties, unevaluatedProperties];
    if (parts.some((part) => part !== undefined)) this.objectParts.push(schema);
    for (const name of schema.required ?? []) this.required.add(name);
    if (schema.propertyNames !== undefined) this.propertyNames.push(schema.propertyNames);
    if (schema.dependentRequired !== undefined)
      this.dependentRequired.push(...Object.entries(schema.dependentRequired));
    if (schema.dependentSchemas !== undefined) this.dependentSchemas.push(...Object.entries(schema.dependentSchemas));
    if (unevaluatedProperties !== undefined || patternProperties !== undefined) this.needsCheck = true;
  }

  #foldArray(schema: SchemaObject): void {
    const { prefixItems, items, unevaluatedItems } = schema;
    if (prefixItems !== undefined || items !== undefined || unevaluatedItems !== undefined)
      this.arrayParts.push(schema);
    if (schema.contains !== undefined)
      this.contains.push({
        schema: schema.contains,
        min: schema.minContains ?? 1,
        max: schema.maxContains ?? Infinity,
      });
    if (schema.uniqueItems === true) this.isUnique = true;
    if (schema.contains !== undefined || unevaluatedItems !== undefined) this.needsCheck = true;
  }
}

const ANY: readonly JsonType[] = ['string', 'number', 'object', 'array', 'boolean', 'null'];

/** The types of a shape; without `type`, those that its other keywords most likely mean. */
export function inferTypes(shape: Shape): readonly JsonType[] {
  if (shape.types !== undefined) return shape.types;
  if (
    shape.objectParts.length > 0 ||
    shape.required.size > 0 ||
    shape.minProperties > 0 ||
    shape.propertyNames.length > 0
  )
    return ['object'];
  if (shape.arrayParts.length > 0 || shape.contains.length > 0 || shape.minItems > 0 || shape.isUnique)
    return ['array'];
  if (shape.patterns.length > 0 || shape.formats.length > 0 || shape.minLength > 0 || shape.maxLength < Infinity)
    return ['string'];
  const bounds = [shape.minimum, shape.maximum, shape.exclusiveMinimum, shape.exclusiveMaximum];
  if (shape.multiples.length > 0 || bounds.some((bound) => Number.isFinite(bound))) return ['number'];
  // With a `not` or an example, values may be of any type.
  return shape.needsCheck || shape.hints.length > 0 ? ANY : ['string'];
}

/** The values that are in both lists. Scalars are looked up in a set, because there may be many. */
function intersect(values: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const known = new Set(others);
  const nested = others.filter((other) => typeof other === 'object' && other !== null);
  return values.filter((value) => known.has(value) || nested.some((other) => isEqual(value, other)));
}
