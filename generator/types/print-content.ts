import type { Api, ApiResponse, MediaType } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { applicableParts, followRefs } from '../../schema/facts/parts.js';
import { type ItemMedia, itemValue } from '../../schema/item-value.js';
import { type BodyForm, acceptedContent, bodyForm, describesBytes } from '../media-kind.js';
import { printType } from './print-type.js';
import { mergeMembers } from './merge-parts.js';
import { printObjectType } from './print-object-type.js';
import type { PrintType, TypeScope } from './type-scope.js';
import { union } from './type-text.js';

const OPEN_FORM = '{ [name: string]: unknown }';
const BYTES_IN =
  'Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | string';

export function printBodyType(media: MediaType, content: readonly MediaType[], scope: TypeScope): string {
  const { schema } = media;
  const form = bodyForm(media, content, scope.api);
  switch (form.kind) {
    case 'xml':
    case 'parts':
    case 'any':
      return printType(schema ?? true, scope);
    case 'items': {
      const item = printItemType(form.media, scope);
      return `Iterable<${item}> | AsyncIterable<${item}>`;
    }
    case 'json':
      return schema === undefined ? 'unknown' : printType(schema, scope);
    case 'form':
      return schema === undefined ? OPEN_FORM : printFormType(schema, scope, isBinarySchema);
    case 'multipart':
      return union([schema === undefined ? OPEN_FORM : printFormType(schema, scope, mayBeFile), 'FormData']);
    case 'text':
      return 'string';
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
  return acceptedContent(content).some((media) => !NO_FILES.has(bodyForm(media, content, api).kind));
}

/** The forms of responses that are not read as a `Blob`. */
const NO_FILES: ReadonlySet<BodyForm['kind']> = new Set(['xml', 'items', 'json', 'stream', 'text', 'any', 'unknown']);

function printReceivedType(media: MediaType, content: readonly MediaType[], scope: TypeScope): string {
  const form = bodyForm(media, content, scope.api);
  switch (form.kind) {
    case 'items':
      return `AsyncIterable<${printItemType(form.media, scope)}>`;
    case 'stream':
      return 'ReadableStream<Uint8Array>';
    case 'text':
      return 'string';
    case 'xml':
    case 'any':
      // Responses are read by their actual content type.
      return printType(media.schema ?? true, scope);
    case 'unknown':
      return 'unknown';
    case 'json':
      return media.schema === undefined ? 'unknown' : printType(media.schema, scope);
    default:
      return 'Blob';
  }
}

/** The type of one item of a stream. A part that is neither JSON nor text is a `Blob`. */
function printItemType(media: ItemMedia, scope: TypeScope): string {
  const { schema } = itemValue(scope.api, media);
  return media.sequence.framing === 'multipart' && isBinarySchema(schema, scope) ? 'Blob' : printType(schema, scope);
}

/**
 * Prints a form as its schema, with `Blob` for bytes: JSON has no bytes, so the schema's own type is `string`. A part that
 * may be a file, and may be something else, takes both.
 */
function printFormType(schema: Schema, scope: TypeScope, takesFile: typeof isBinarySchema): string {
  const hasFiles = (form: Schema): boolean =>
    applicableParts(form, scope.api).some(({ properties = {}, patternProperties = {}, additionalProperties }) =>
      [...Object.values(properties), ...Object.values(patternProperties), additionalProperties].some((member) =>
        takesFile(member, scope),
      ),
    );
  if (!hasFiles(schema)) return printType(schema, scope);
  const printMember: PrintType = (member, inner) =>
    (takesFile(member, inner) ? printPart : printType)(member, { ...inner, form: undefined });
  const merged = mergeMembers(schema, scope.api);
  if (merged !== undefined) return printObjectType(merged, scope, printMember);
  return printType(schema, { ...scope, form: { printMember, hasFiles } });
}

function printPart(schema: Schema, scope: TypeScope): string {
  const object = followRefs(schema, scope.api);
  if (object?.type === 'array') return isBinarySchema(schema, scope) ? 'Blob[]' : `(Blob | ${OPEN_FORM})[]`;
  return isBinarySchema(schema, scope) ? 'Blob' : union(['Blob', printType(schema, scope)]);
}

/** Whether a part is a file, or an object of which nothing is said: documents written by hand describe files so. */
function mayBeFile(schema: Schema | undefined, scope: Pick<TypeScope, 'api'>): boolean {
  const object = schema === undefined ? undefined : followRefs(schema, scope.api);
  const items = object?.type === 'array' ? object.items : undefined;
  return items === undefined ? isBinarySchema(schema, scope) || isBareObject(object) : mayBeFile(items, scope);
}

/** Whether a schema says no more than that a value is an object. */
function isBareObject(object: SchemaObject | undefined): boolean {
  return object?.type === 'object' && Object.keys(object).every((keyword) => NOTES.has(keyword));
}

/** The keywords that a bare object may have: its type, and notes for readers. */
const NOTES: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'deprecated',
  'writeOnly',
  'example',
  'examples',
]);

/** Whether a schema, or that of the items of a list, describes bytes. */
function isBinarySchema(schema: Schema | undefined, { api }: Pick<TypeScope, 'api'>): boolean {
  const object = schema === undefined ? undefined : followRefs(schema, api);
  const items = object?.type === 'array' ? object.items : undefined;
  return items === undefined ? describesBytes(object) : isBinarySchema(items, { api });
}
