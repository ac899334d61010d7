import type { ApiResponse, MediaType } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { intersection, printType, union } from './print-type.js';
import { type TypeScope, resolveSchema } from './type-scope.js';

const BYTES_IN = 'Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | string';

/** The type of a request body of one media type. */
export function printBodyType(media: MediaType, scope: TypeScope): string {
  if (isStructured(media.mediaType)) return media.schema === undefined ? 'unknown' : printType(media.schema, scope);
  if (isForm(media.mediaType))
    return media.schema === undefined ? '{ [name: string]: unknown } | FormData' : printFormType(media.schema, scope);
  return isText(media.mediaType) && !isBinarySchema(media.schema, scope) ? 'string' : BYTES_IN;
}

/** The type of the data of a response: JSON as its schema, text as a string, events as a stream, all else as a `Blob`. */
export function printDataType(response: ApiResponse, scope: TypeScope): string {
  if (response.content.length === 0) return 'undefined';
  return union(response.content.map((media) => printReceivedType(media, scope)));
}

function printReceivedType({ mediaType, schema }: MediaType, scope: TypeScope): string {
  if (isStructured(mediaType)) return schema === undefined ? 'unknown' : printType(schema, scope);
  if (/^text\/event-stream\b/i.test(mediaType)) return 'ReadableStream<Uint8Array<ArrayBuffer>>';
  if (isText(mediaType) && !isBinarySchema(schema, scope)) return 'string';
  return 'Blob';
}

/** A form as its schema, with bytes as a `Blob`: JSON has none, so the schema's own type says `string`. */
function printFormType(schema: Schema, scope: TypeScope): string {
  const type = printType(schema, scope);
  const object = resolveSchema(scope.api, schema);
  const binaries = Object.entries(object?.properties ?? {}).filter(([, property]) => isBinarySchema(property, scope));
  if (binaries.length === 0) return type;
  const names = binaries.map(([name]) => toStringLiteral(name));
  const members = binaries.map(([name, property]) => {
    const isList = resolveSchema(scope.api, property)?.type === 'array';
    const optional = object?.required?.includes(name) === true ? '' : '?';
    return `${toStringLiteral(name)}${optional}: Blob${isList ? '[]' : ''}`;
  });
  return intersection([`Omit<${type}, ${union(names)}>`, `{ ${members.join('; ')} }`]);
}

/** Whether a schema stands for bytes: `format: binary`, or a content type without an encoding (OpenAPI 3.1). */
function isBinarySchema(schema: Schema | undefined, scope: TypeScope): boolean {
  const object = schema === undefined ? undefined : resolveSchema(scope.api, schema);
  if (object === undefined) return false;
  if (object.type === 'array' && object.items !== undefined) return isBinarySchema(object.items, scope);
  if (object.format === 'binary') return true;
  return (
    object.contentMediaType !== undefined &&
    object.contentEncoding === undefined &&
    !/^text\/|json/i.test(object.contentMediaType)
  );
}

function isStructured(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}

function isForm(mediaType: string): boolean {
  return /^(multipart\/|application\/x-www-form-urlencoded)/i.test(mediaType);
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+](xml|yaml)\b/i.test(mediaType);
}
