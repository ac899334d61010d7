/** The JSON types, with `integer` beside `number`, as in JSON Schema. */
export type SchemaType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** A normalised schema: JSON Schema 2020-12. `true` accepts anything, `false` nothing. */
export type Schema = boolean | SchemaObject;

/**
 * A normalised schema object. Keywords that the document's dialect does not know are removed, so every keyword has its
 * 2020-12 meaning: `nullable` has become a type, `exclusiveMinimum` is a number, tuples are `prefixItems`, `example` is
 * part of `examples`, siblings of `$ref` are kept only where the dialect honours them.
 */
export interface SchemaObject {
  /** Always `#/$defs/<name of a named schema>`. */
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly contains?: Schema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly unevaluatedItems?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, Schema>>;
  readonly unevaluatedProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly discriminator?: Discriminator;
  readonly xml?: XmlObject;
  /** The document's own `x-` members. */
  readonly [extension: `x-${string}`]: unknown;
}

/** How a value is written as XML: the XML Object of OpenAPI, with `nodeType` derived from `attribute` and `wrapped`. */
export interface XmlObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
}

/** A discriminator with a complete mapping, including names that the document leaves implicit. */
export interface Discriminator {
  readonly propertyName: string;
  /** Names of named schemas, by value of the property. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The named schema of values whose property is absent or not mapped (OpenAPI 3.2). */
  readonly defaultMapping?: string;
}

/** The name that a normalised `$ref` points to. */
export function refName(ref: string): string {
  return ref.slice('#/$defs/'.length);
}

/** The normalised `$ref` to a named schema. */
export function refTo(name: string): string {
  return `#/$defs/${name}`;
}

/** The JSON type of a value. An integer is a `number`, also one beyond the numbers of a double. */
export function jsonTypeOf(value: unknown): Exclude<SchemaType, 'integer'> {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
    ? (typeof value as 'boolean' | 'number' | 'string')
    : 'object';
}
