import type {
  ApiResponse,
  Encoding,
  Example,
  Header,
  MediaType,
  Parameter,
  ParameterStyle,
  RequestBody,
} from '../api.js';
import { mediaKind } from '../../runtime/media-type.js';
import type { Cursor } from '../document/cursor.js';
import type { Schema } from '../schema-types.js';
import { checkPathParameter } from './object-rules.js';
import { distinctHeaders, parameterKey } from './parameters.js';
import { type OpenApiReader, definedMembers, readSchemaAt } from './reader.js';
import { readGatewayStream } from './sequences.js';

/** The request in OpenAPI 2.0: parameters, and a body that is declared as parameters. */
export interface Swagger2Input {
  readonly parameters: Parameter[];
  readonly body?: RequestBody;
}

type CollectionFormat = 'csv' | 'ssv' | 'tsv' | 'pipes' | 'multi';

/** `collectionFormat` as a style with explode. */
const STYLE_BY_COLLECTION: Readonly<Record<CollectionFormat, { style: ParameterStyle; explode: boolean }>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

const NOT_SCHEMA_MEMBERS: ReadonlySet<string> = new Set([
  'name',
  'in',
  'required',
  'description',
  'collectionFormat',
  'allowEmptyValue',
]);
const DEFAULT_MEDIA_TYPE = 'application/json';

/** Reads the parameters of an OpenAPI 2.0 operation, and makes a request body from those in `body` and `formData`. */
export function readSwagger2Input(reader: OpenApiReader, pathItem: Cursor, operation: Cursor): Swagger2Input {
  const all = gatherParameters(pathItem, operation);
  checkBodies(pathItem, operation);
  const inPlace = (place: string): Cursor[] => all.filter((cursor) => cursor.string('in') === place);
  const body = readBody(reader, operation, { bodies: inPlace('body'), fields: inPlace('formData') });
  const parameters = [...inPlace('path'), ...inPlace('query'), ...inPlace('header')].map((cursor) =>
    readSimpleParameter(reader, cursor),
  );
  return { parameters, ...definedMembers({ body }) };
}

const PLACES: readonly string[] = ['path', 'query', 'header', 'formData', 'body'];

/** The parameters of the path and the operation: the operation's override the path's of the same name and location. */
function gatherParameters(pathItem: Cursor, operation: Cursor): Cursor[] {
  const byKey = new Map<string, Cursor>();
  for (const owner of [pathItem, operation]) {
    const here = new Set<string>();
    for (const item of owner.itemsAt('parameters')) {
      const cursor = item.deref();
      if (!cursor.exists) continue;
      const text = cursor.string('in');
      const place = PLACES.find((one) => one === text);
      const name = cursor.string('name');
      const needsName = name === undefined && place !== 'body';
      if (place === undefined) cursor.reportChoice('document-shape', 'in', PLACES);
      else if (needsName) cursor.report('document-shape', 'A parameter needs a name.');
      if (place === undefined || needsName) continue;
      // There is at most one body, whatever its name.
      const key = place === 'body' ? 'body' : parameterKey(place, name ?? '');
      if (here.has(key)) item.report('parameter-repeated', `The parameter ${JSON.stringify(name)} is given twice.`);
      else byKey.set(key, cursor);
      here.add(key);
    }
  }
  const found = [...byKey.values()];
  for (const cursor of found) checkPathParameter(cursor);
  return found;
}

/** There is one body: a second one on the path, or form fields beside it, are ignored. */
function checkBodies(pathItem: Cursor, operation: Cursor): void {
  const inPlace = (owner: Cursor, place: string): Cursor[] =>
    owner.itemsAt('parameters').filter((item) => item.deref().record['in'] === place);
  const [body] = [...inPlace(operation, 'body'), ...inPlace(pathItem, 'body')];
  if (body === undefined) return;
  const [shared] = inPlace(operation, 'body').length > 0 ? inPlace(pathItem, 'body') : [];
  if (shared !== undefined && shared.deref().record['name'] !== body.deref().record['name'])
    body.report('document-invalid', 'The path has another body parameter; only this one is used.');
  const [field] = [...inPlace(operation, 'formData'), ...inPlace(pathItem, 'formData')];
  field?.report('document-invalid', 'An operation has a body or form fields, not both; this field is ignored.');
}

function readSimpleParameter(reader: OpenApiReader, cursor: Cursor): Parameter {
  const place = cursor.string('in') as 'path' | 'query' | 'header';
  return {
    name: cursor.string('name') ?? '',
    in: place,
    required: place === 'path' || (cursor.boolean('required') ?? false),
    ...definedMembers({ description: cursor.string('description') }),
    deprecated: false,
    schema: readInlineSchema(reader, cursor),
    ...collectionStyle(cursor, place === 'query' ? 'form' : 'simple'),
    allowReserved: false,
    allowEmptyValue: cursor.boolean('allowEmptyValue') ?? false,
    examples: readXExample(cursor),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

function collectionStyle(cursor: Cursor, plain: ParameterStyle): { style: ParameterStyle; explode: boolean } {
  const format = cursor.string('collectionFormat') ?? 'csv';
  const found = STYLE_BY_COLLECTION[isCollectionFormat(format) ? format : 'csv'];
  return found.style === 'form' && !found.explode ? { style: plain, explode: false } : found;
}

function isCollectionFormat(format: string): format is CollectionFormat {
  return Object.hasOwn(STYLE_BY_COLLECTION, format);
}

/** In OpenAPI 2.0, a parameter or header object contains its schema's keywords directly. */
function readInlineSchema(reader: OpenApiReader, cursor: Cursor): Schema {
  const own = Object.entries(cursor.record).filter(([key]) => !NOT_SCHEMA_MEMBERS.has(key));
  return readSchemaAt(reader, cursor, Object.fromEntries(own));
}

function readXExample(cursor: Cursor): Example[] {
  const value = cursor.record['x-example'];
  return value === undefined ? [] : [{ name: 'default', value, extensions: {}, source: cursor.at('x-example').source }];
}

function readBody(
  reader: OpenApiReader,
  operation: Cursor,
  { bodies, fields }: { bodies: Cursor[]; fields: Cursor[] },
): RequestBody | undefined {
  const [body] = bodies;
  const consumes = mediaTypes(reader, operation, 'consumes');
  if (body !== undefined) {
    const schema = readBodySchema(reader, body);
    const content = consumes.map((mediaType) => plainMediaType(mediaType, schema, body));
    return {
      required: body.boolean('required') ?? false,
      ...definedMembers({ description: body.string('description') }),
      content,
      extensions: body.extensions,
      source: body.source,
    };
  }
  if (fields.length === 0) return undefined;
  const hasFile = fields.some((field) => field.string('type') === 'file');
  const formTypes = consumes.filter((type) => /multipart\/form-data|x-www-form-urlencoded/.test(type));
  const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const content = (formTypes.length > 0 ? formTypes : [fallback]).map((mediaType) => ({
    ...plainMediaType(mediaType, formSchema(reader, fields), operation),
    encoding: new Map(fields.map((field) => [field.string('name') ?? '', fieldEncoding(field)])),
  }));
  return {
    required: fields.some((field) => field.boolean('required') === true),
    content,
    extensions: {},
    source: operation.at('parameters').source,
  };
}

/** A body has `schema`; one that is written like another parameter is read like one. */
function readBodySchema(reader: OpenApiReader, body: Cursor): Schema {
  if (body.has('schema') || !body.has('type')) return readSchemaAt(reader, body.at('schema'));
  body.report(
    'document-invalid',
    'A body parameter must have "schema"; the keywords of this one are read as its schema.',
  );
  return readInlineSchema(reader, body);
}

function plainMediaType(mediaType: string, schema: Schema, owner: Cursor): MediaType {
  return { mediaType, schema, encoding: new Map(), examples: [], extensions: {}, source: owner.source };
}

function formSchema(reader: OpenApiReader, fields: readonly Cursor[]): Schema {
  const properties = fields.map((field): [string, Schema] => {
    const schema = readInlineSchema(reader, field);
    const description = field.string('description');
    return [
      field.string('name') ?? '',
      typeof schema === 'object' && description !== undefined ? { ...schema, description } : schema,
    ];
  });
  const required = fields
    .filter((field) => field.boolean('required') === true)
    .map((field) => field.string('name') ?? '');
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

function fieldEncoding(field: Cursor): Encoding {
  return { ...collectionStyle(field, 'form'), allowReserved: false, headers: [] };
}

function mediaTypes(reader: OpenApiReader, operation: Cursor, key: 'consumes' | 'produces'): string[] {
  const owner = operation.at(key).exists ? operation : reader.root;
  const types = owner.strings(key);
  return types.length > 0 ? types : [DEFAULT_MEDIA_TYPE];
}

/** Reads headers, content and examples of an OpenAPI 2.0 response. */
export function readSwagger2Response(
  reader: OpenApiReader,
  cursor: Cursor,
  operation: Cursor,
): Pick<ApiResponse, 'headers' | 'content'> {
  const headers = distinctHeaders(cursor).map(([name, header]): Header => ({
    name,
    required: false,
    ...definedMembers({ description: header.string('description') }),
    deprecated: false,
    schema: readInlineSchema(reader, header),
    explode: false,
    examples: [],
    extensions: header.extensions,
    source: header.source,
  }));
  const schemaCursor = cursor.at('schema');
  if (!schemaCursor.exists) return { headers, content: [] };
  const schema = readSchemaAt(reader, schemaCursor);
  const stream = readGatewayStream(cursor, schema);
  const examples = cursor.at('examples');
  const content = mediaTypes(reader, operation, 'produces').map((mediaType) => ({
    ...plainMediaType(mediaType, schema, schemaCursor),
    ...(stream === undefined || mediaKind(mediaType) !== 'json' ? {} : { sequence: stream }),
    examples: Object.hasOwn(examples.record, mediaType)
      ? [{ name: 'default', value: examples.record[mediaType], extensions: {}, source: examples.at(mediaType).source }]
      : [],
  }));
  return { headers, content };
}
