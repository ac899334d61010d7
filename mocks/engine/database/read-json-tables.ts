import { isRecord, splitPointer } from 'specmill/mock';

import type { Column, ColumnType } from '../columns/column.js';
import type { Table } from './table.js';

type Schema = Readonly<Record<string, unknown>>;

const FORMATS: Readonly<Record<string, ColumnType>> = {
  'date-time': 'datetime',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  byte: 'bytes',
  binary: 'bytes',
  int32: 'int',
  int64: 'long',
  float: 'single',
  double: 'float',
  decimal: 'decimal',
};

const TYPES: Readonly<Record<string, ColumnType>> = {
  string: 'text',
  integer: 'int',
  number: 'float',
  boolean: 'boolean',
};

/**
 * Reads one table from its JSON Schema: a column for each property, required if `required` names it, with its default.
 * The primary key is `x-primary-key` (a name or a list), else the properties with `primary-key: true`, else `id`, else
 * the first property.
 */
export function readJsonTable(name: string, schema: Schema, root: unknown): Table {
  const object = resolve(schema, root);
  const required = textsOf(object['required']);
  const properties = Object.entries(isRecord(object['properties']) ? object['properties'] : {}).map(
    ([property, value]) => [property, resolve(value, root)] as const,
  );
  const columns = properties.map(([property, one]) => [property, toColumn(property, one, required)] as const);
  const given = object['x-primary-key'];
  const marked = properties.filter(([, one]) => one['primary-key'] === true || one['x-primary-key'] === true);
  const names = columns.map(([property]) => property);
  const keys = typeof given === 'string' ? [given] : textsOf(given);
  const found = keys.length > 0 ? keys : marked.map(([property]) => property);
  const [first] = names;
  const fallback = names.includes('id') || first === undefined ? ['id'] : [first];
  return { name, columns: new Map(columns), keys: found.length > 0 ? found : fallback, foreignKeys: [], unique: [] };
}

function toColumn(name: string, schema: Schema, required: readonly string[]): Column {
  const types = textsOf(typeof schema['type'] === 'string' ? [schema['type']] : schema['type']);
  const type = types.find((one) => one !== 'null') ?? '';
  const format = typeof schema['format'] === 'string' ? schema['format'] : '';
  const { maxLength, description, default: value } = schema;
  const values = Array.isArray(schema['enum']) ? schema['enum'].filter((one) => one !== null) : [];
  const isNullable = types.includes('null') || schema['nullable'] === true;
  return {
    name,
    type: typeOf(type, format),
    nullable: isNullable || !required.includes(name),
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(values.length > 0 && values.every((one) => typeof one === 'string') ? { values } : {}),
    ...(value === undefined ? {} : { default: { value: value as string } }),
    ...(schema['readOnly'] === true ? { isGenerated: true } : {}),
  };
}

function typeOf(type: string, format: string): ColumnType {
  const isFit = type === 'string' || type === 'integer' || type === 'number';
  const known = isFit && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known ?? (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? 'any';
}

/** Follows references inside the file, at most some steps, so that circles end. */
function resolve(schema: unknown, root: unknown): Schema {
  let here: unknown = schema;
  for (let step = 0; step < 20 && isRecord(here) && typeof here['$ref'] === 'string'; step += 1) {
    const pointer = here['$ref'].replace(/^#/, '');
    here = splitPointer(pointer).reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      root,
    );
  }
  return isRecord(here) ? here : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
