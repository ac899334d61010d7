import { isAnnotation } from '../schema-keywords.js';
import { suggestName } from '../diagnostics/closest-name.js';
import { type RawRecord, isRecord, mapRecord, setMember, textsIn } from '../document/records.js';
import type { Schema, SchemaType, SchemaObject } from '../schema-types.js';
import { readDiscriminator } from './discriminators.js';
import { readXmlObject } from './read-xml.js';
import { fitListedValues } from './listed-values.js';
import type { KeywordKind } from './schema-dialects.js';
import type { ReadSchemas, SchemaPlace } from './schema-place.js';
import { reportUnknownKeyword } from './unknown-keywords.js';

type Draft = Record<string, unknown>;
type ReadKeyword = (context: Context, key: string, value: unknown) => void;

interface Context {
  readonly raw: RawRecord;
  readonly place: SchemaPlace;
  readonly reader: ReadSchemas;
  readonly out: Draft;
}

/** Reads one schema object: converts the keywords of its dialect to their 2020-12 form and drops all others. */
export function normaliseSchema(raw: RawRecord, place: SchemaPlace, reader: ReadSchemas): Schema {
  const context: Context = { raw, place, reader, out: {} };
  if (typeof raw['$ref'] === 'string' && !place.dialect.refSiblings) {
    readSpecialRef(context, '$ref', raw['$ref']);
    return context.out;
  }
  for (const key in raw) readKeyword(context, key);
  if (context.out['enum'] !== undefined || Object.hasOwn(context.out, 'default'))
    fitListedValues(context.out, place, reader);
  if (context.out['required'] !== undefined) reader.noteRequired(raw, place);
  return isNullable(context, 'nullable') || isNullable(context, 'x-nullable') ? allowNull(context.out) : context.out;
}

function isNullable({ raw, place }: Context, key: string): boolean {
  return raw[key] === true && place.dialect.keywords.has(key);
}

function readKeyword(context: Context, key: string): void {
  const { raw, place, reader, out } = context;
  const kind = place.dialect.keywords.get(key);
  if (kind === undefined) {
    if (key.startsWith('x-')) {
      out[key] = raw[key];
      reader.extensionNames.add(key);
    } else reportUnknownKeyword(key, place, reader.problems);
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
    const read = value.map((item, index) => readChild(context, item, key, index));
    context.out[key] = [...asList(context.out[key]), ...read];
  },
  'schema-map': (context, key, value) => {
    if (!isRecord(value)) return reportShape(context, key, 'a map of schemas');
    context.out[key] = mapRecord(value, (child, name) => readChild(context, child, key, name));
  },
  positive: (context, key, value) =>
    keepIf(context, key, Number.isFinite(value) && Number(value) > 0, 'a number above 0'),
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
  $recursiveRef: readSpecialRef,
  $dynamicRef: readSpecialRef,
  type: readType,
  items: readItems,
  additionalItems: (context, key, value) => {
    if (Array.isArray(context.raw['items'])) context.out['items'] = readChild(context, value, key);
  },
  minimum: (context, _key, value) => readLimit(context, 'minimum', value),
  maximum: (context, _key, value) => readLimit(context, 'maximum', value),
  exclusiveMinimum: readExclusiveLimit,
  exclusiveMaximum: readExclusiveLimit,
  dependencies: readDependencies,
  discriminator: (context, _key, value) => {
    const discriminator = readDiscriminator(value, context);
    if (discriminator !== undefined) context.out['discriminator'] = discriminator;
  },
  xml: (context, key, value) => {
    const xml = readXmlObject(value);
    if (xml === undefined) reportShape(context, key, 'an object');
    else if (Object.keys(xml).length > 0) context.out['xml'] = xml;
    if (isRecord(value) && value['nodeType'] !== undefined) checkNodeType(context, value);
  },
  // The meaning of `true` depends on the whole schema, so it is decided after reading all of it.
  nullable: checkBoolean,
  'x-nullable': checkBoolean,
  example: readExample,
  examples: readExample,
};

/** `nodeType` replaces `attribute` and `wrapped` (OpenAPI 3.2, "XML Object"). */
function checkNodeType({ reader, place }: Context, xml: RawRecord): void {
  for (const old of ['attribute', 'wrapped'])
    if (xml[old] !== undefined)
      reader.problems.report(
        'document-invalid',
        place.child('xml', old),
        `An XML Object must not have both "nodeType" and "${old}".`,
      );
}

function readSpecialRef(context: Context, key: string, value: unknown): void {
  if (typeof value !== 'string') return reportShape(context, key, 'a text');
  const ref = context.reader.readRef(value, context.place, key);
  if (ref === undefined) return;
  if (key === '$ref') context.reader.noteReference(context.place, value, Object.keys(context.raw).length > 1);
  // With both `$ref` and `$dynamicRef`, both apply, but the model has one place for a reference.
  if (context.out['$ref'] === undefined) context.out['$ref'] = ref;
  else context.out['allOf'] = [...asList(context.out['allOf']), { $ref: ref }];
}

const TYPES: readonly SchemaType[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

function isType(value: unknown): value is SchemaType {
  return TYPES.some((type) => type === value);
}

function readType(context: Context, key: string, value: unknown): void {
  if (value === 'file' && context.place.dialect.name === 'openapi-2.0') {
    context.out['type'] = 'string';
    context.out['format'] = 'binary';
    return;
  }
  if (isType(value)) {
    context.out['type'] = value;
    return;
  }
  const types: readonly unknown[] = Array.isArray(value) ? value : [];
  if (types.length === 0 || !types.every((type) => isType(type))) {
    const wrong = textsIn([value].flat()).find((type) => !isType(type));
    return reportShape(context, key, 'a JSON type', suggestType(wrong ?? ''));
  }
  const distinct = [...new Set(types)];
  context.out['type'] = distinct.length === 1 ? distinct[0] : distinct;
}

function readItems(context: Context, key: string, value: unknown): void {
  if (!Array.isArray(value)) {
    context.out['items'] = readChild(context, value, key);
    return;
  }
  if (!context.place.dialect.tupleItems) return reportShape(context, key, 'a schema');
  context.out['prefixItems'] = value.map((item, index) => readChild(context, item, key, index));
}

/** Collects `example` (one) and `examples` (a list) in one list, whichever comes first. */
function readExample(context: Context, key: string, value: unknown): void {
  if (key === 'examples' && !Array.isArray(value)) return reportShape(context, key, 'a list');
  context.out['examples'] = [...asList(context.out['examples']), ...(key === 'example' ? [value] : asList(value))];
}

/** In dialects with boolean exclusive bounds, `true` makes the bound beside it exclusive. */
function readLimit(context: Context, key: 'minimum' | 'maximum', value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return reportShape(context, key, 'a number');
  const exclusive = key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const isExclusive = context.place.dialect.booleanBounds && context.raw[exclusive] === true;
  context.out[isExclusive ? exclusive : key] = value;
}

function readExclusiveLimit(context: Context, key: string, value: unknown): void {
  if (context.place.dialect.booleanBounds) checkBoolean(context, key, value);
  else keepIf(context, key, Number.isFinite(value), 'a number');
}

function checkBoolean(context: Context, key: string, value: unknown): void {
  if (typeof value !== 'boolean') reportShape(context, key, 'true or false');
}

function readDependencies(context: Context, key: string, value: unknown): void {
  if (!isRecord(value)) return reportShape(context, key, 'a map');
  const names: Record<string, unknown> = { ...asRecord(context.out['dependentRequired']) };
  const schemas: Record<string, unknown> = { ...asRecord(context.out['dependentSchemas']) };
  for (const [name, dependency] of Object.entries(value)) {
    if (isStrings(dependency)) setMember(names, name, dependency);
    else setMember(schemas, name, readChild(context, dependency, key, name));
  }
  if (Object.keys(names).length > 0) context.out['dependentRequired'] = names;
  if (Object.keys(schemas).length > 0) context.out['dependentSchemas'] = schemas;
}

function asRecord(value: unknown): RawRecord {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readChild({ reader, place }: Context, value: unknown, key: string, inner?: string | number): Schema {
  return reader.read(value, place.child(key, inner));
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function keepIf(context: Context, key: string, fits: boolean, expected: string): void {
  if (fits) context.out[key] = context.raw[key];
  else reportShape(context, key, expected);
}

function reportShape({ reader, place }: Context, key: string, expected: string, suggestion = ''): void {
  reader.problems.report(
    'keyword-shape',
    place.child(key),
    `The keyword ${JSON.stringify(key)} must be ${expected}; it is ignored.${suggestion}`,
  );
}

/** Types of programming languages, which are not near to the JSON types that they mean. */
const OTHER_TYPES: Readonly<Record<string, SchemaType>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  text: 'string',
  date: 'string',
  'date-time': 'string',
  uuid: 'string',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  list: 'array',
};

function suggestType(wrong: string): string {
  const meant = Object.hasOwn(OTHER_TYPES, wrong.toLowerCase()) ? OTHER_TYPES[wrong.toLowerCase()] : undefined;
  return meant === undefined ? suggestName(wrong, TYPES, JSON.stringify) : ` Did you mean ${JSON.stringify(meant)}?`;
}

/**
 * Makes a schema also accept `null`. Strictly, OpenAPI 3.0.3 gives `nullable` a meaning only beside `type`, and an
 * `enum` must list `null` itself. Real documents and servers mean `nullable: true` literally, so `null` is accepted
 * wherever it is set (docs/adr/0003-nullable.md).
 */
function allowNull(schema: SchemaObject): Schema {
  const { type } = schema;
  if (type !== undefined && !hasCombinator(schema)) {
    const types = typeof type === 'string' ? [type] : type;
    const withNull = types.includes('null') ? types : [...types, 'null' as const];
    if (schema.enum === undefined || schema.enum.includes(null)) return { ...schema, type: withNull };
    return { ...schema, type: withNull, enum: [...schema.enum, null] };
  }
  const entries = Object.entries(schema);
  const constraints = entries.filter(([key]) => !isAnnotation(key));
  if (constraints.length === 0) return schema;
  const annotations = entries.filter(([key]) => isAnnotation(key));
  return { ...Object.fromEntries(annotations), anyOf: [Object.fromEntries(constraints), { type: 'null' }] };
}

function hasCombinator(schema: SchemaObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((key) => Object.hasOwn(schema, key));
}
