import type { OpenAPIV3 } from 'openapi-types';

import type { Encoding, Header, MediaType, Parameter, ParameterLocation, ParameterStyle, Example } from '../api.js';
import { mediaKind } from '../../runtime/media-type.js';
import type { Cursor } from '../document/cursor.js';
import { parseExactText } from '../exact-json.js';
import { type OpenApiReader, definedMembers, readSchemaAt } from './reader.js';
import { readSequence } from './sequences.js';

const LOCATIONS: readonly ParameterLocation[] = ['path', 'query', 'header', 'cookie'];
const DEFAULT_STYLE: Readonly<Record<ParameterLocation, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  querystring: 'form',
  header: 'simple',
  cookie: 'form',
};
const STYLES: readonly ParameterStyle[] = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'cookie',
];

/** Headers that other parts of the document describe; OpenAPI ignores parameters of these names. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** Reads the parameters of a path and of an operation: the operation's override the path's of the same name and location. */
export function readParameters(reader: OpenApiReader, pathItem: Cursor, operation: Cursor): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const owner of [pathItem, operation]) {
    const here = new Set<string>();
    for (const item of owner.itemsAt('parameters')) {
      const parameter = reader.shared.read('parameter', item, (cursor) => readParameter(reader, cursor));
      if (parameter === undefined) continue;
      const key = parameterKey(parameter.in, parameter.name);
      if (here.has(key))
        item.report(
          'parameter-repeated',
          `The ${parameter.in} parameter ${JSON.stringify(parameter.name)} is given twice.`,
        );
      else byKey.set(key, parameter);
      here.add(key);
    }
  }
  return [...byKey.values()];
}

/** What tells parameters apart: the names of headers ignore case. */
export function parameterKey(place: string, name: string): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function readParameter(reader: OpenApiReader, cursor: Cursor): Parameter | undefined {
  if (!cursor.exists) return undefined;
  const name = cursor.string('name');
  const text = cursor.string('in');
  const locations = locationsOf(reader);
  const location = locations.find((one) => one === text);
  if (name === undefined) cursor.report('document-shape', 'A parameter needs a name.');
  else if (location === undefined) cursor.reportChoice('document-shape', 'in', locations);
  if (name === undefined || location === undefined) return undefined;
  if (location === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const { schema, mediaType, encoding, examples } = readValue(reader, cursor);
  const style = readStyle(cursor, DEFAULT_STYLE[location]);
  return {
    name,
    in: location,
    required: location === 'path' || (cursor.boolean('required') ?? false),
    ...definedMembers({ description: cursor.string('description'), mediaType }),
    deprecated: cursor.boolean('deprecated') ?? false,
    schema,
    style,
    explode: cursor.boolean('explode') ?? (style === 'form' || style === 'deepObject' || style === 'cookie'),
    allowReserved: cursor.boolean('allowReserved') ?? false,
    allowEmptyValue: cursor.boolean('allowEmptyValue') ?? false,
    ...(location === 'querystring' ? { encoding } : {}),
    examples,
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

function locationsOf({ version }: OpenApiReader): readonly ParameterLocation[] {
  return version === '3.2' ? [...LOCATIONS, 'querystring'] : LOCATIONS;
}

function readStyle(cursor: Cursor, fallback: ParameterStyle): ParameterStyle {
  const text = cursor.string('style');
  const style = STYLES.find((one) => one === text);
  if (style === undefined && text !== undefined) cursor.reportChoice('document-shape', 'style', STYLES);
  return style ?? fallback;
}

type Value = Pick<Parameter, 'schema' | 'examples'> & {
  readonly mediaType: string | undefined;
  readonly encoding: MediaType['encoding'];
};

/** The content of a parameter or header: `schema`, or the single media type of `content`. */
function readValue(reader: OpenApiReader, cursor: Cursor): Value {
  const [mediaType, content] = cursor.entriesAt('content')[0] ?? [undefined, cursor];
  const media = mediaType === undefined ? cursor : content.deref();
  const schema = media.at('schema');
  return {
    schema: schema.value === undefined ? true : readSchemaAt(reader, schema),
    mediaType,
    encoding: readEncodings(reader, media).encoding,
    examples: readExamples(reader, media),
  };
}

/** Reads a map of headers. Ignores `Content-Type`, as OpenAPI requires, because the media types describe it. */
export function readHeaderObjects(reader: OpenApiReader, owner: Cursor): Header[] {
  return distinctHeaders(owner)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, raw]) => ({ name, ...reader.shared.read('header', raw, (cursor) => readHeader(reader, cursor)) }));
}

/** The headers of a map. Their names ignore case, so the first of two spellings counts. */
export function distinctHeaders(owner: Cursor): (readonly [string, Cursor])[] {
  const known = new Set<string>();
  return owner.entriesAt('headers').filter(([name, cursor]) => {
    const isNew = !known.has(name.toLowerCase());
    if (!isNew) cursor.report('parameter-repeated', `The header ${JSON.stringify(name)} is given twice.`);
    known.add(name.toLowerCase());
    return isNew;
  });
}

/** A Header Object without its name, which is set where it is referenced. */
function readHeader(reader: OpenApiReader, cursor: Cursor): Omit<Header, 'name'> {
  const { schema, mediaType, examples } = readValue(reader, cursor);
  return {
    required: cursor.boolean('required') ?? false,
    ...definedMembers({ description: cursor.string('description'), mediaType }),
    deprecated: cursor.boolean('deprecated') ?? false,
    schema,
    explode: cursor.boolean('explode') ?? false,
    examples,
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

/** Reads `content`: media types in the order of the document. */
export function readContent(reader: OpenApiReader, owner: Cursor): MediaType[] {
  return owner.entriesAt('content').map(([mediaType, cursor]) => readMediaType(reader, mediaType, cursor.deref()));
}

function readMediaType(reader: OpenApiReader, mediaType: string, cursor: Cursor): MediaType {
  const schema = cursor.at('schema');
  if (schema.exists)
    reader.schemas.noteMembers(cursor.entriesAt('encoding'), reader.schemas.placeOf(schema, reader.dialect));
  const sequence = readSequence(reader, mediaType, cursor);
  return {
    mediaType,
    ...(schema.value === undefined ? {} : { schema: readSchemaAt(reader, schema) }),
    ...(sequence === undefined ? {} : { sequence }),
    ...readEncodings(reader, cursor),
    examples: readExamples(reader, cursor).map((example) => withSentValue(example, mediaType)),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

type Encodings = Pick<MediaType, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

/** Encodings by name (`encoding`) and, in OpenAPI 3.2, by position (`prefixEncoding`, `itemEncoding`). */
function readEncodings(reader: OpenApiReader, owner: Cursor): Encodings {
  const byName = owner.entriesAt('encoding').map(([name, encoding]) => [name, readEncoding(reader, encoding)] as const);
  const isNew = reader.version === '3.2';
  return {
    encoding: new Map(byName),
    ...(isNew && owner.has('prefixEncoding')
      ? { prefixEncoding: owner.itemsAt('prefixEncoding').map((encoding) => readEncoding(reader, encoding)) }
      : {}),
    ...(isNew && owner.has('itemEncoding') ? { itemEncoding: readEncoding(reader, owner.at('itemEncoding')) } : {}),
  };
}

function readEncoding(reader: OpenApiReader, cursor: Cursor): Encoding {
  const raw = cursor.record as OpenAPIV3.EncodingObject;
  const style = readStyle(cursor, 'form');
  return {
    ...(typeof raw.contentType === 'string' ? { contentType: raw.contentType } : {}),
    style,
    explode: cursor.boolean('explode') ?? style === 'form',
    allowReserved: cursor.boolean('allowReserved') ?? false,
    headers: readHeaderObjects(reader, cursor),
    ...(NESTING.some((key) => cursor.has(key)) ? { nested: readEncodings(reader, cursor) } : {}),
  };
}

const NESTING = ['encoding', 'prefixEncoding', 'itemEncoding'] as const;

/** Reads `examples` (a map of Example Objects) and `example` (one value) of a media type, parameter or header. */
function readExamples(reader: OpenApiReader, owner: Cursor): Example[] {
  const examples = owner.entriesAt('examples').flatMap(([name, raw]) => {
    const example = reader.shared.read('example', raw, readExample);
    return example === undefined ? [] : [{ name, ...example }];
  });
  const single = owner.at('example');
  if (single.value === undefined) return examples;
  return [{ name: 'default', value: single.value, extensions: {}, source: single.source }, ...examples];
}

/** An Example Object without its name, which is set where it is referenced. */
function readExample(cursor: Cursor): Omit<Example, 'name'> | undefined {
  if (!cursor.exists) return undefined;
  return {
    ...definedMembers({
      summary: cursor.string('summary'),
      description: cursor.string('description'),
      externalValue: cursor.string('externalValue'),
      serializedValue: cursor.string('serializedValue'),
    }),
    ...exampleValue(cursor.record),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

/** An example that only has the text that is sent gets its value, if the media type says how to read it. */
function withSentValue(example: Example, mediaType: string): Example {
  const { serializedValue: text } = example;
  if (text === undefined || Object.hasOwn(example, 'value')) return example;
  const kind = mediaKind(mediaType);
  // A text that is no JSON breaks the syntax on purpose, or by mistake: it is shown and sent, but has no value.
  const value = kind === 'json' ? parseExactText(text) : kind === 'text' ? text : undefined;
  return value === undefined ? example : { ...example, value };
}

/** Reads `dataValue` of OpenAPI 3.2, or else `value`. */
function exampleValue(record: Cursor['record']): Pick<Example, 'value'> {
  const key = ['value', 'dataValue'].find((name) => Object.hasOwn(record, name));
  return key === undefined ? {} : { value: record[key] };
}
