import type { ModuleScope } from './module-scope.js';
import type { SchemaObject } from '../../model/schema-types.js';

/** By type: prints whether a value is of another type. */
const IS_OTHER: Readonly<Record<string, (data: string) => string>> = {
  null: (data) => `${data} !== null`,
  boolean: (data) => `typeof ${data} !== "boolean"`,
  string: (data) => `typeof ${data} !== "string"`,
  number: (data) => `!rt.isNumber(${data})`,
  integer: (data) => `!rt.isInteger(${data})`,
  array: (data) => `!Array.isArray(${data})`,
  object: (data) => `!rt.isObject(${data})`,
  bytes: (data) => `!rt.isBytes(${data})`,
};

/** The types of a schema; `bytes` for a binary string, which a program keeps as a Blob or a similar object. */
export function declaredTypes(schema: SchemaObject): readonly string[] | undefined {
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type === undefined) return undefined;
  const isBinary = format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
  return [type].flat().map((one) => (one === 'string' && isBinary ? 'bytes' : one));
}

/** Prints a condition that is true if a value has none of the given types. */
export function isOtherType(types: readonly string[], data: string, { bigints }: Pick<ModuleScope, 'bigints'>): string {
  // Each integer is a number, so `integer` adds nothing beside `number`.
  const tested = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const isOther = tested.map((type) => IS_OTHER[type]?.(data) ?? 'false');
  if (bigints && (types.includes('integer') || types.includes('number'))) isOther.push(`typeof ${data} !== "bigint"`);
  return isOther.join(' && ');
}

/** Whether the enum of a schema already implies its type, so that `string` would only add a second error. */
export function isTextEnum(schema: SchemaObject): boolean {
  const { type, enum: values = [], 'x-enum-any-case': anyCase } = schema;
  const isPlain = STRING_KEYWORDS.every((keyword) => schema[keyword] === undefined);
  return type === 'string' && isPlain && anyCase !== true && values.length > 0 && values.every(isText);
}

const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType'] as const;

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
