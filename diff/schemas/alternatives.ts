import { isAnnotation } from '../../model/schema-keywords.js';
import type { Schema, SchemaObject, SchemaType } from '../../model/schema-types.js';
import { canonicalJson } from './canonical-json.js';
import { effectiveTypes, simplifyTypes } from './effective-types.js';
import type { LocatedObject, LocatedSchema } from './schema-location.js';

/** Values by their text. */
export type Values = ReadonlyMap<string, unknown>;

/** The alternatives of a choice beside `null`. A single one is not a choice. */
export function readAlternatives({ schema, location }: LocatedObject, keyword: 'anyOf' | 'oneOf'): LocatedSchema[] {
  const all = schema[keyword] ?? [];
  const isOnly = all.filter((one) => !isNull(one)).length === 1;
  return all.flatMap((alternative, index) => {
    if (isNull(alternative)) return [];
    return [
      { schema: alternative, location: isOnly ? location.silentChild(keyword, index) : location.child(keyword, index) },
    ];
  });
}

export type ListedValues = Pick<SchemaObject, 'const' | 'enum'>;

/** The values that `enum` or `const` list. */
export function ownValues(schema: ListedValues): Values | undefined {
  if (Object.hasOwn(schema, 'const')) return valuesByText([schema.const]);
  return schema.enum === undefined ? undefined : valuesByText(schema.enum);
}

function valuesByText(values: readonly unknown[]): Values {
  return new Map(values.map((value) => [canonicalJson(value), value]));
}

function assertions(schema: SchemaObject): string[] {
  return Object.keys(schema).filter((key) => !isAnnotation(key));
}

function isNull(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false;
  const values = ownValues(schema);
  const isOnly = schema.type === 'null' || (values?.size === 1 && values.has('null'));
  return isOnly && saysOnlyValues(schema);
}

function saysOnlyValues(schema: SchemaObject): boolean {
  return assertions(schema).every((key) => key === 'type' || key === 'const' || key === 'enum');
}

/** The types of alternatives that only have a type. */
export function plainTypes(alternatives: readonly LocatedSchema[]): ReadonlySet<SchemaType> | undefined {
  const types = new Set<SchemaType>();
  for (const { schema } of alternatives) {
    if (typeof schema === 'boolean' || assertions(schema).join() !== 'type') return undefined;
    for (const type of effectiveTypes(schema) ?? []) types.add(type);
  }
  return simplifyTypes(types);
}

/** The values of alternatives that only list values: `oneOf` with a `const` and a description for each. */
export function plainValues(alternatives: readonly LocatedSchema[]): Values | undefined {
  const all: unknown[] = [];
  for (const { schema } of alternatives) {
    const values = typeof schema === 'boolean' ? undefined : ownValues(schema);
    if (typeof schema === 'boolean' || values === undefined) return undefined;
    if (!saysOnlyValues(schema)) return undefined;
    all.push(...values.values());
  }
  return valuesByText(all);
}
