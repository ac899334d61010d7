import { getOrInsert } from '../../model/maps.js';
import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { resolveRef } from '../../schema/facts/parts.js';
import { itemValue } from '../../schema/item-value.js';
import { requestView, responseView } from '../../schema/variants.js';
import { groupParameters } from '../request-values.js';
import { bodyForm, orderContent } from '../media-kind.js';

const requestSchemas = new WeakMap<Operation, SchemaObject>();

/**
 * The schema of the argument of a method: the members that it has of
 * `{ path, query, headers, cookies, body, contentType }`. Returns the same object each time, so that caches keyed by it
 * work.
 */
export function requestSchema(operation: Operation, api: Api): SchemaObject {
  return getOrInsert(requestSchemas, operation, () => describeRequest(operation, api));
}

function describeRequest(operation: Operation, api: Api): SchemaObject {
  const { body } = operation;
  const groups = groupParameters(operation);
  const properties = groups.map(([group, members]) => [group, groupSchema(members)] as const);
  const required = groups.filter(([, members]) => members.some((member) => member.required)).map(([group]) => group);
  if (body?.required === true) required.push('body');
  const media = orderContent(body?.content ?? []);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: { ...Object.fromEntries(properties), ...bodyProperties(media, api) },
    ...(media.length < 2 ? {} : { allOf: media.map((one, index) => bodyBranch(one, index, { content: media, api })) }),
  };
}

function groupSchema(parameters: readonly Parameter[]): SchemaObject {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

function bodyProperties(media: readonly MediaType[], api: Api): Record<string, Schema> {
  const [first] = media;
  if (first === undefined) return {};
  const types = media.map(({ mediaType }) => mediaType);
  return { ...(media.length === 1 ? { body: bodySchema(first, media, api) } : {}), contentType: { enum: types } };
}

/** The first body is also valid without `contentType`. */
function bodyBranch(
  media: MediaType,
  index: number,
  { content, api }: { readonly content: readonly MediaType[]; readonly api: Api },
): SchemaObject {
  const condition: SchemaObject = { properties: { contentType: { const: media.mediaType } } };
  return {
    if: index === 0 ? condition : { ...condition, required: ['contentType'] },
    then: { properties: { body: bodySchema(media, content, api) } },
  };
}

/** The schema of a body as a value of the program. Only JSON and forms are values that a schema can validate. */
function bodySchema(media: MediaType, content: readonly MediaType[], api: Api): Schema {
  const form = bodyForm(media, content, api);
  switch (form.kind) {
    case 'items':
      // The items of a list can be validated; those of a stream that have not arrived cannot.
      return { items: itemValue(api, form.media).schema };
    case 'xml':
    case 'parts':
    case 'json':
    case 'form':
    case 'multipart':
      return media.schema ?? true;
    case 'text':
    case 'text-file':
      return { type: 'string', format: 'binary' };
    default:
      return true;
  }
}

/**
 * The schema of the data of a response, or of each item of a stream, by media type; `undefined` for data that no schema
 * can describe.
 */
export function dataSchema(media: MediaType, content: readonly MediaType[], api: Api): Schema | undefined {
  const form = bodyForm(media, content, api);
  if (form.kind === 'items') return itemValue(api, form.media).schema;
  return form.kind === 'xml' || form.kind === 'json' ? media.schema : undefined;
}

const headersSchemas = new WeakMap<ApiResponse, SchemaObject>();

/** The schema of the headers of a response, which are texts by lower-case name. Returns the same object each time. */
export function headersSchema(response: ApiResponse, api: Api): SchemaObject | undefined {
  const checked = response.headers.filter(({ name }) => name.toLowerCase() !== 'content-type');
  if (checked.length === 0) return undefined;
  return getOrInsert(headersSchemas, response, () => describeHeaders(checked, api));
}

function describeHeaders(checked: readonly Header[], api: Api): SchemaObject {
  const required = checked.filter((header) => header.required).map(({ name }) => name.toLowerCase());
  const properties = Object.fromEntries(
    checked.map((header) => [header.name.toLowerCase(), headerSchema(header, api)]),
  );
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

const NUMBER_TEXT = String.raw`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`;

/** The schema of a header's text: the schema itself for a string, only the notation for other values. */
function headerSchema({ schema, mediaType }: Header, api: Api): Schema {
  const target = typeof schema === 'object' && schema.$ref !== undefined ? resolveRef(api, schema.$ref) : schema;
  const type = typeof target === 'object' && mediaType === undefined ? target.type : undefined;
  if (type === 'string') return schema;
  if (type === 'integer') return { type: 'string', pattern: String.raw`^[+-]?\d+$` };
  if (type === 'number') return { type: 'string', pattern: NUMBER_TEXT };
  return type === 'boolean'
    ? { type: 'string', pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE])$' }
    : { type: 'string' };
}

/** The views of the request and the responses of an operation that a validator checks. */
export function viewsOf(operation: Operation, api: Api): Schema[] {
  const received = operation.responses.flatMap((response) => [
    ...response.content.map((media) => dataSchema(media, response.content, api)),
    headersSchema(response, api),
  ]);
  const views = received.flatMap((schema) => (schema === undefined ? [] : [responseView(schema, api)]));
  return [requestView(requestSchema(operation, api), api), ...views];
}
