import { isRecord } from 'specmill/mock';

import { type DataSchema, ORDERING, type Schema, type SchemaNode } from './data-schema.js';
import { refuseMember } from './refusal.js';

/**
 * Makes data that satisfies a schema, the same for the same seed, its members in the order that the schema asks for.
 *
 * @param pointer - where the schema stands in the body.
 * @throws HttpError where nothing satisfies it.
 */
export function makeData(data: DataSchema, seed: number, pointer: string): unknown {
  const made = data.handle.sample(seed);
  if (!made.ok) throw refuseMember(pointer, 'The schema of the response', `must accept something: ${made.reason}`);
  return order(made.value, data.schema, data);
}

function order(value: unknown, schema: Schema, data: DataSchema): unknown {
  const shapes = shapesOf(schema, data, 0);
  if (Array.isArray(value)) return value.map((item: unknown, index) => order(item, itemSchema(shapes, index), data));
  if (!isRecord(value)) return value;
  const wanted = shapes.flatMap((shape) => [
    ...((shape[ORDERING] as string[] | undefined) ?? []),
    ...Object.keys(shape.properties ?? {}),
  ]);
  const names = [...new Set([...wanted.filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)])];
  return Object.fromEntries(names.map((name) => [name, order(value[name], memberSchema(shapes, name), data)]));
}

/** The schema and the parts of it that may describe the same value. */
function shapesOf(schema: Schema, data: DataSchema, depth: number): readonly SchemaNode[] {
  if (typeof schema === 'boolean' || depth > 10) return [];
  if (schema.$ref !== undefined)
    return shapesOf(data.definitions[schema.$ref.slice('#/$defs/'.length)] ?? true, data, depth + 1);
  return [
    schema,
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => shapesOf(part, data, depth + 1)),
  ];
}

function itemSchema(shapes: readonly SchemaNode[], index: number): Schema {
  return (
    shapes.map(({ prefixItems, items }) => prefixItems?.[index] ?? items).find((item) => item !== undefined) ?? true
  );
}

function memberSchema(shapes: readonly SchemaNode[], name: string): Schema {
  const own = shapes.map(({ properties }) =>
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined,
  );
  return own.find((member) => member !== undefined) ?? true;
}
