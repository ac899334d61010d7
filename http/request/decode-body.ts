import type { Api, MediaType, Operation, RequestBody } from '../../model/api.js';
import { xmlPlanOf } from '../../schema/xml-plan.js';
import { readXmlBody } from '../xml-body.js';
import { partListPlan, partType, schemaOfPart } from '../../schema/item-value.js';
import { compileValidator, type Validate, type ValidationError } from '../../schema/compile-validator.js';
import { dropEchoes } from '../../schema/explain-errors.js';
import type { Violation } from '../messages.js';
import { decodeCharset, decodeJson } from '../../runtime/decode-json.js';
import {
  createMultipartDecoder,
  createUrlencodedDecoder,
  type DecodeForm,
  type PartReader,
} from '../../runtime/decode-form.js';
import { charsetOf, type FormPart, parseMultipart } from '../../runtime/multipart.js';
import type { CompileContext } from './read-parameters.js';
import { DecodeError } from '../../runtime/decode-error.js';
import type { MediaKind } from '../../runtime/media-type.js';
import { compileItems, type ItemCodec, readAllItems, readPartBody } from '../item-codec.js';
import { findMediaType, kindOf, parseMediaType, type ParsedMediaType } from '../../runtime/parsed-media-type.js';
import { lenientReader } from './lenient-spelling.js';
import { memberRenamer } from './snake-case-names.js';
import { hintsReader } from '../../schema/decode-hints.js';

export interface ReadBody {
  readonly value?: unknown;
  /** The documented media type of the body. */
  readonly contentType?: string;
  /** The body's text if it is JSON and the value was not renamed. */
  readonly json?: string | undefined;
  readonly violations: readonly Violation[];
  /** A more specific status than that of a violation. */
  readonly status?: number;
}

export type ReadRequestBody = (bytes: Uint8Array, contentType: string | undefined) => ReadBody;

interface BodyReader {
  readonly documented: string;
  readonly parsed: ParsedMediaType;
  readonly kindOf: (given: ParsedMediaType) => MediaKind;
  readonly read: (bytes: Uint8Array, given: ParsedMediaType) => Pick<ReadBody, 'value' | 'json'>;
  readonly validate: Validate | undefined;
  readonly media: MediaType;
}

/** Compiles the reader of an operation's bodies; `undefined` if it takes none, so that a body is ignored. */
export function compileBodyReader(operation: Operation, context: CompileContext): ReadRequestBody | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const readers = body.content.flatMap((media) => [
    ...createReader(media, context),
    ...multipartReader(media, context),
  ]);
  return (bytes, contentType) => {
    if (bytes.length === 0) return readEmpty(body, contentType, readers);
    const given = contentType === undefined ? readers[0]?.parsed : parseMediaType(contentType);
    const documented = given === undefined ? undefined : findMediaType(readers, given);
    const reader = documented ?? (isJsonAlias(given, context.api) ? readers.find(isJson) : undefined);
    if (reader === undefined || given === undefined) return refuseMediaType(readers);
    return readSafely(reader, bytes, given);
  };
}

/** Whether the extension `x-json-content-types` declares a media type as JSON. */
function isJsonAlias(given: ParsedMediaType | undefined, { extensions }: Api): boolean {
  const aliases = extensions['x-json-content-types'];
  return given !== undefined && Array.isArray(aliases) && aliases.includes(given.essence);
}

function isJson({ parsed }: BodyReader): boolean {
  return kindOf(parsed) === 'json';
}

/** Reads an empty body. With a media type other than JSON, it is an empty text or file. */
function readEmpty(body: RequestBody, contentType: string | undefined, readers: readonly BodyReader[]): ReadBody {
  const given = contentType === undefined ? undefined : parseMediaType(contentType);
  const reader = given === undefined ? undefined : findMediaType(readers, given);
  if (reader !== undefined && given !== undefined && kindOf(given) !== 'json')
    return readSafely(reader, new Uint8Array(), given);
  if (body.required) return { violations: [{ in: 'body', pointer: '', message: 'must be present' }] };
  return { violations: [] };
}

function refuseMediaType(readers: readonly BodyReader[]): ReadBody {
  const types = readers.map(({ documented }) => documented);
  const message = types.length === 1 ? `must be ${types[0]}` : `must be one of ${types.join(', ')}`;
  return { violations: [{ in: 'header', pointer: '/content-type', message }], status: 415 };
}

function readSafely(reader: BodyReader, bytes: Uint8Array, given: ParsedMediaType): ReadBody {
  try {
    const { value, json } = reader.read(bytes, given);
    const errors = validatesBody(reader.kindOf(given), reader.media)
      ? (reader.validate?.(value) ?? NO_ERRORS)
      : NO_ERRORS;
    const violations = errors.length === 0 ? NO_VIOLATIONS : dropEchoes(errors).map(toViolation);
    return { value, json, contentType: reader.documented, violations };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const inHeader = error.pointer === '/content-type';
    const status = error.status ?? (error.pointer === '' ? 400 : undefined);
    return {
      contentType: reader.documented,
      violations: [{ in: inHeader ? 'header' : 'body', pointer: error.pointer, message: error.message }],
      ...(status === undefined ? {} : { status }),
    };
  }
}

const NO_ERRORS: readonly ValidationError[] = [];
const NO_VIOLATIONS: readonly Violation[] = [];

function toViolation({ pointer, message }: ValidationError): Violation {
  return { in: 'body', pointer, message };
}

/** With `x-multipart-forms`, reads the parts of `multipart/form-data` as the fields of a documented form. */
function multipartReader(media: MediaType, context: CompileContext): BodyReader[] {
  const parsed = parseMediaType('multipart/form-data');
  if (context.api.extensions['x-multipart-forms'] !== true || media.mediaType !== FORM || !parsed) return [];
  return createReader(media, context).map((form) => ({
    ...form,
    parsed,
    kindOf: () => form.kindOf(form.parsed),
    read: (bytes, given) => form.read(writeForm(parseMultipart(bytes, given.parameters.get('boundary'))), form.parsed),
  }));
}

function writeForm(parts: readonly FormPart[]): Uint8Array {
  const fields = parts.map((part): [string, string] => [part.name, decodeCharset(part.bytes, charsetOf(part))]);
  return new TextEncoder().encode(new URLSearchParams(fields).toString());
}

const FORM = 'application/x-www-form-urlencoded';

function createReader(media: MediaType, context: CompileContext): BodyReader[] {
  const parsed = parseMediaType(media.mediaType);
  if (parsed === undefined) return [];
  const { api, report } = context;
  if (media.sequence !== undefined) return [createItemReader(media, parsed, context)];
  const { schema, source } = media;
  const options = { direction: 'request' as const, source, ...(report === undefined ? {} : { report }) };
  const whole = createWholeRead(media, api);
  const described = kindOf(parsed);
  const kindFor = (given: ParsedMediaType): MediaKind =>
    whole === undefined ? effectiveKind(described, given) : 'json';
  return [
    {
      documented: media.mediaType,
      parsed,
      kindOf: kindFor,
      read: whole ?? createRead(media, context, kindFor),
      validate: schema === undefined ? undefined : compileValidator(api, schema, options),
      media,
    },
  ];
}

/** Creates a reader for XML, or for unnamed parts, which are a list. */
function createWholeRead(media: MediaType, api: Api): BodyReader['read'] | undefined {
  const xml = xmlPlanOf(api, media);
  if (xml !== undefined)
    return (bytes, given) => ({ value: readXmlBody(decodeCharset(bytes, given.parameters.get('charset')), xml) });
  const parts = partListPlan(api, media);
  if (parts === undefined) return undefined;
  return (bytes, given) => ({ value: readAllItems(bytes, parts, given.parameters.get('boundary')) });
}

/** Creates a reader that reads a whole stream as the list of its items. */
function createItemReader(media: MediaType, parsed: ParsedMediaType, context: CompileContext): BodyReader {
  const codec = compileItems(media, context, 'request');
  return {
    documented: media.mediaType,
    parsed,
    media,
    kindOf: () => 'json',
    read: (bytes, given) =>
      codec === undefined ? {} : { value: readAllItems(bytes, codec.plan, given.parameters.get('boundary')) },
    validate: (value) =>
      codec === undefined || !Array.isArray(value) ? [] : findItemErrors(value as readonly unknown[], codec),
  };
}

function findItemErrors(items: readonly unknown[], codec: ItemCodec): ValidationError[] {
  const errors: ValidationError[] = [];
  for (const [index, item] of items.entries()) {
    for (const error of codec.validate(item)) errors.push({ ...error, pointer: `/${index}${error.pointer}` });
    if (errors.length >= MAX_ITEM_ERRORS) break;
  }
  return errors;
}

const MAX_ITEM_ERRORS = 100;

/** For a range such as `*\/*`, the sent type decides. Of the multipart types, only forms are decoded. */
function effectiveKind(described: MediaKind, given: ParsedMediaType): MediaKind {
  const kind = described === 'any' || described === 'binary' ? kindOf(given) : described;
  return kind === 'multipart' && given.essence !== 'multipart/form-data' ? 'binary' : kind;
}

/** Text is validated only if its schema is a string. Other schemas, such as of XML, describe the represented value. */
function validatesBody(kind: MediaKind, { schema }: MediaType): boolean {
  if (kind === 'text' || kind === 'stream') return typeof schema === 'object' && schema.type === 'string';
  return kind === 'json' || kind === 'form' || kind === 'multipart';
}

/** Creates readers for form parts that are XML or themselves lists of parts. */
function partReaders({ encoding, schema }: MediaType, api: Api): ReadonlyMap<string, PartReader> {
  const readers = new Map<string, PartReader>();
  for (const [name, how] of encoding) {
    const plan = partType(api, how, schemaOfPart(api, schema, name));
    if (typeof plan === 'object') readers.set(name, (bytes, type = plan.type) => readPartBody(bytes, type, plan));
  }
  return readers;
}

function createRead(
  media: MediaType,
  { api }: CompileContext,
  kindFor: (given: ParsedMediaType) => MediaKind,
): BodyReader['read'] {
  const schema = media.schema ?? true;
  const shape = hintsReader(api)(schema);
  const rename = memberRenamer(api);
  const readLeniently = lenientReader(api, schema) ?? unchanged;
  let form: DecodeForm | undefined;
  return (bytes, given) => {
    const kind = kindFor(given);
    const charset = given.parameters.get('charset');
    if (kind === 'json') {
      const json = decodeCharset(bytes, charset);
      const value = readLeniently(decodeJson(json), json);
      // Without an underscore, there is no name to rename.
      if (rename === undefined || !/_|\\u005f/i.test(json)) return { value, json };
      return { value: rename(value, schema) };
    }
    if (kind === 'text' || kind === 'stream') return { value: decodeCharset(bytes, charset) };
    if (kind === 'binary' || kind === 'any') return { value: bytes };
    form ??=
      kind === 'form'
        ? createUrlencodedDecoder(media, shape)
        : createMultipartDecoder(media, shape, partReaders(media, api));
    const value = form(bytes, { charset, boundary: given.parameters.get('boundary') });
    return { value: kind === 'form' ? readLeniently(value, '') : value };
  };
}

function unchanged(value: unknown): unknown {
  return value;
}
