import type { ModuleScope } from './module-scope.js';
import type { SchemaObject } from '../../model/schema-types.js';

/** Whether a value is not of a type. */
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

/** The types of a schema; `bytes` for a string that travels as it is, which a program keeps as a Blob or a similar object. */
export function typesOf(schema: SchemaObject): readonly string[] | undefined {
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type === undefined) return undefined;
  const isBinary = format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
  return [type].flat().map((one) => (one === 'string' && isBinary ? 'bytes' : one));
}

/** A condition that is true where a value is of none of some types. */
export function isOtherType(types: readonly string[], data: string, { bigints }: Pick<ModuleScope, 'bigints'>): string {
  // Each integer is a number, so the narrower type says nothing beside the wider one.
  const tested = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const isOther = tested.map((type) => IS_OTHER[type]?.(data) ?? 'false');
  if (bigints && (types.includes('integer') || types.includes('number'))) isOther.push(`typeof ${data} !== "bigint"`);
  return isOther.join(' && ');
}

/** Whether the list of a schema says its type, too: all that `string` adds is an error for other values. */
export function isTextEnum(schema: SchemaObject): boolean {
  const { type, enum: values = [], 'x-enum-any-case': anyCase } = schema;
  const isPlain = STRING_KEYWORDS.every((keyword) => schema[keyword] === undefined);
  return type === 'string' && isPlain && anyCase !== true && values.length > 0 && values.every(isText);
}

const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType'] as const;

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
