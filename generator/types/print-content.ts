import type { Api, ApiResponse, MediaType } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { followRefs } from '../../schema/facts/parts.js';
import { type ItemMedia, itemValue, partListPlan } from '../../schema/item-value.js';
import {
  acceptedContent,
  describesBytes,
  isDescribed,
  isFile,
  isItemStream,
  mediaKind,
  xmlBodyPlan,
} from '../media-kind.js';
import { printType } from './print-type.js';
import { type TypeScope } from './type-scope.js';
import { intersection, union } from './type-text.js';

const OPEN_FORM = '{ [name: string]: unknown }';
const BYTES_IN =
  'Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | string';

export function printBodyType(media: MediaType, content: readonly MediaType[], scope: TypeScope): string {
  if (xmlBodyPlan(media, content, scope.api) !== undefined) return printType(media.schema ?? true, scope);
  if (isItemStream(media)) {
    const item = printItemType(media, scope);
    return `Iterable<${item}> | AsyncIterable<${item}>`;
  }
  if (partListPlan(scope.api, media) !== undefined) return printType(media.schema ?? true, scope);
  const described = media.schema !== undefined && isDescribed(media, scope.api) ? media.schema : undefined;
  switch (mediaKind(media.mediaType)) {
    case 'json':
      return media.schema === undefined ? 'unknown' : printType(media.schema, scope);
    case 'form':
      return media.schema === undefined ? OPEN_FORM : printFormType(media.schema, scope);
    case 'multipart':
      return union([media.schema === undefined ? OPEN_FORM : printFormType(media.schema, scope), 'FormData']);
    case 'text':
      return isFile(media, scope.api) ? BYTES_IN : 'string';
    case 'any':
      return described === undefined ? BYTES_IN : printType(described, scope);
    default:
      return BYTES_IN;
  }
}

/** The type of the data of a response: JSON as its schema, text as a string, a stream as its items, everything else as a `Blob`. */
export function printDataType(response: ApiResponse, scope: TypeScope): string {
  if (response.content.length === 0) return 'undefined';
  return union(acceptedContent(response.content).map((media) => printReceivedType(media, response.content, scope)));
}

/** Whether the data of a response may be a file. */
export function givesFile({ content }: ApiResponse, api: Api): boolean {
  return acceptedContent(content).some((media) => {
    if (xmlBodyPlan(media, content, api) !== undefined || isItemStream(media)) return false;
    return isReceivedAsFile(media, api);
  });
}

function isReceivedAsFile(media: MediaType, api: Api): boolean {
  const kind = mediaKind(media.mediaType);
  return kind === 'text' ? isFile(media, api) : kind !== 'json' && kind !== 'stream' && kind !== 'any';
}

function printReceivedType(media: MediaType, content: readonly MediaType[], scope: TypeScope): string {
  if (xmlBodyPlan(media, content, scope.api) !== undefined) return printType(media.schema ?? true, scope);
  if (isItemStream(media)) return `AsyncIterable<${printItemType(media, scope)}>`;
  if (isReceivedAsFile(media, scope.api)) return 'Blob';
  switch (mediaKind(media.mediaType)) {
    case 'stream':
      return 'ReadableStream<Uint8Array>';
    case 'text':
      return 'string';
    case 'any':
      // Responses are read by their actual content type.
      return media.schema !== undefined && isDescribed(media, scope.api) ? printType(media.schema, scope) : 'unknown';
    default:
      return media.schema === undefined ? 'unknown' : printType(media.schema, scope);
  }
}

/** The type of one item of a stream. A part that is neither JSON nor text is a `Blob`. */
function printItemType(media: ItemMedia, scope: TypeScope): string {
  const { schema } = itemValue(scope.api, media);
  return media.sequence.framing === 'multipart' && isBinarySchema(schema, scope) ? 'Blob' : printType(schema, scope);
}

/** Prints a form as its schema, with `Blob` for bytes: JSON has no bytes, so the schema's own type is `string`. */
function printFormType(schema: Schema, scope: TypeScope): string {
  const type = printType(schema, scope);
  const object = followRefs(schema, scope.api);
  const binaries = Object.entries(object?.properties ?? {}).filter(([, property]) => isBinarySchema(property, scope));
  if (binaries.length === 0) return type;
  const names = binaries.map(([name]) => toStringLiteral(name));
  const members = binaries.map(([name, property]) => {
    const isList = followRefs(property, scope.api)?.type === 'array';
    const optional = object?.required?.includes(name) === true ? '' : '?';
    return `${toStringLiteral(name)}${optional}: Blob${isList ? '[]' : ''}`;
  });
  return intersection([`Omit<${type}, ${union(names)}>`, `{ ${members.join('; ')} }`]);
}

/** Whether a schema, or that of the items of a list, describes bytes. */
function isBinarySchema(schema: Schema | undefined, { api }: Pick<TypeScope, 'api'>): boolean {
  const object = schema === undefined ? undefined : followRefs(schema, api);
  const items = object?.type === 'array' ? object.items : undefined;
  return items === undefined ? describesBytes(object) : isBinarySchema(items, { api });
}
