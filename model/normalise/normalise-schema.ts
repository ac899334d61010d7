import { appendPointer } from '../document/pointer.js';
import { type RawRecord, isRecord, mapRecord } from '../document/records.js';
import type { Schema, SchemaType } from '../schema-types.js';
import { readDiscriminator } from './discriminators.js';
import { allowNull } from './nullable.js';
import type { KeywordKind } from './schema-dialects.js';
import { type SchemaPlace, type SchemaReader, reportForeignKeyword } from './schema-reader.js';

type Draft = Record<string, unknown>;
type ReadKeyword = (context: Context, key: string, value: unknown) => void;

interface Context {
  readonly raw: RawRecord;
  readonly place: SchemaPlace;
  readonly reader: SchemaReader;
  readonly out: Draft;
}

/** Reads one schema object: keywords of its dialect become their 2020-12 form, all others are left out. */
export function normaliseSchema(raw: RawRecord, place: SchemaPlace, reader: SchemaReader): Schema {
  const context: Context = { raw, place, reader, out: {} };
  if (typeof raw['$ref'] === 'string' && !place.dialect.refSiblings) {
    readSpecialRef(context, '$ref', raw['$ref']);
    return context.out;
  }
  for (const key in raw) readKeyword(context, key);
  const isNullable = raw['nullable'] === true && place.dialect.keywords.has('nullable');
  const isOldNullable = raw['x-nullable'] === true && place.dialect.keywords.has('x-nullable');
  return isNullable || isOldNullable ? allowNull(context.out) : context.out;
}

function readKeyword(context: Context, key: string): void {
  const { raw, place, reader, out } = context;
  const kind = place.dialect.keywords.get(key);
  if (kind === undefined) {
    if (key.startsWith('x-')) out[key] = raw[key];
    else reportForeignKeyword(key, place, reader.problems);
    return;
  }
  const value = raw[key];
  if (value !== undefined && kind !== 'none') READ_BY_KIND[kind](context, key, value);
}

const READ_BY_KIND: Readonly<Record<Exclude<KeywordKind, 'none'>, ReadKeyword>> = {
  schema: (context, key, value) => {
    context.out[key] = readChild(context, value, key);
  },
  schemas: (context, key, value) => {
    if (!Array.isArray(value)) return reportShape(context, key, 'a list of schemas');
    context.out[key] = value.map((item, index) => readChild(context, item, key, index));
  },
  'schema-map': (context, key, value) => {
    if (!isRecord(value)) return reportShape(context, key, 'a map of schemas');
    context.out[key] = mapRecord(value, (child, name) => readChild(context, child, key, name));
  },
  number: (context, key, value) =>
    keepIf(context, key, typeof value === 'number' && Number.isFinite(value), 'a number'),
  count: (context, key, value) =>
    keepIf(context, key, Number.isInteger(value) && Number(value) >= 0, 'a whole number of at least 0'),
  string: (context, key, value) => keepIf(context, key, typeof value === 'string', 'a text'),
  boolean: (context, key, value) => keepIf(context, key, typeof value === 'boolean', 'true or false'),
  array: (context, key, value) => keepIf(context, key, Array.isArray(value), 'a list'),
  strings: (context, key, value) => keepIf(context, key, isStrings(value), 'a list of names'),
  'strings-map': (context, key, value) =>
    keepIf(context, key, isRecord(value) && Object.values(value).every(isStrings), 'a map of lists of names'),
  any: (context, key, value) => {
    context.out[key] = value;
  },
  special: (context, key, value) => READ_SPECIAL[key]?.(context, key, value),
};

const READ_SPECIAL: Readonly<Record<string, ReadKeyword>> = {
  $ref: readSpecialRef,
  $recursiveRef: readDynamicRef,
  $dynamicRef: readDynamicRef,
  type: readType,
  items: readItems,
  additionalItems: (context, key, value) => {
    if (Array.isArray(context.raw['items'])) context.out['items'] = readChild(context, value, key);
  },
  exclusiveMinimum: (context, key, value) => readBound(context, key, value),
  exclusiveMaximum: (context, key, value) => readBound(context, key, value),
  dependencies: readDependencies,
  discriminator: (context, _key, value) => {
    const discriminator = readDiscriminator(value, context);
    if (discriminator !== undefined) context.out['discriminator'] = discriminator;
  },
  example: (context, _key, value) => {
    const examples = context.out['examples'];
    context.out['examples'] = Array.isArray(examples) ? [...examples, value] : [value];
  },
};

function readSpecialRef(context: Context, key: string, value: unknown): void {
  if (typeof value !== 'string') return reportShape(context, key, 'a text');
  const ref = context.reader.readRef(value, context.place);
  if (ref !== undefined) context.out['$ref'] = ref;
}

/** A dynamic reference is bound to its static target; where several could be meant at run time, that is said. */
function readDynamicRef(context: Context, key: string, value: unknown): void {
  if (typeof value !== 'string') return reportShape(context, key, 'a text');
  context.reader.problems.report(
    'ref-dynamic',
    at(context, key),
    `The dynamic reference ${JSON.stringify(value)} is bound to its static target.`,
  );
  readSpecialRef(context, key, value);
}

const TYPES: ReadonlySet<unknown> = new Set<SchemaType>([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
]);

function readType(context: Context, key: string, value: unknown): void {
  if (value === 'file') {
    context.out['type'] = 'string';
    context.out['format'] = 'binary';
    return;
  }
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (types.length === 0 || !types.every((type) => TYPES.has(type))) return reportShape(context, key, 'a JSON type');
  context.out['type'] = types.length === 1 ? types[0] : types;
}

function readItems(context: Context, key: string, value: unknown): void {
  if (!Array.isArray(value)) {
    context.out['items'] = readChild(context, value, key);
    return;
  }
  if (!context.place.dialect.tupleItems) return reportShape(context, key, 'a schema');
  context.out['prefixItems'] = value.map((item, index) => readChild(context, item, key, index));
}

/** The old boolean form narrows the bound beside it; the new one is a bound of its own. */
function readBound(context: Context, key: string, value: unknown): void {
  if (!context.place.dialect.booleanBounds) return keepIf(context, key, typeof value === 'number', 'a number');
  if (typeof value !== 'boolean') return reportShape(context, key, 'true or false');
  const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum';
  if (value && typeof context.raw[bound] === 'number') context.out[key] = context.raw[bound];
}

function readDependencies(context: Context, key: string, value: unknown): void {
  if (!isRecord(value)) return reportShape(context, key, 'a map');
  const entries = Object.entries(value);
  const names = entries.filter(([, dependency]) => isStrings(dependency));
  const schemas = entries.filter(([, dependency]) => !Array.isArray(dependency));
  if (names.length > 0)
    context.out['dependentRequired'] = { ...asRecord(context.out['dependentRequired']), ...Object.fromEntries(names) };
  if (schemas.length > 0) {
    const read = schemas.map(([name, schema]) => [name, readChild(context, schema, key, name)] as const);
    context.out['dependentSchemas'] = { ...asRecord(context.out['dependentSchemas']), ...Object.fromEntries(read) };
  }
}

function asRecord(value: unknown): RawRecord {
  return isRecord(value) ? value : {};
}

function readChild(context: Context, value: unknown, ...keys: readonly (string | number)[]): Schema {
  return context.reader.read(value, context.reader.childPlace(context.place, ...keys));
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function keepIf(context: Context, key: string, fits: boolean, expected: string): void {
  if (fits) context.out[key] = context.raw[key];
  else reportShape(context, key, expected);
}

function reportShape(context: Context, key: string, expected: string): void {
  context.reader.problems.report(
    'keyword-shape',
    at(context, key),
    `The keyword ${JSON.stringify(key)} must be ${expected}; it is ignored.`,
  );
}

function at(context: Context, key: string): { file: string; pointer: string } {
  return { file: context.place.file, pointer: appendPointer(context.place.pointer, key) };
}
