import type { ApiResponse, Link, RequestBody } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { readSwagger2Response } from './swagger-2.js';
import { readContent, readHeaderObjects } from './parameters.js';
import { type OpenApiReader, definedMembers } from './reader.js';

/** Reads `requestBody` of OpenAPI 3. */
export function readRequestBody(reader: OpenApiReader, operation: Cursor): RequestBody | undefined {
  return operation.has('requestBody')
    ? reader.shared.read('body', operation.at('requestBody'), (cursor) => readBody(reader, cursor))
    : undefined;
}

function readBody(reader: OpenApiReader, cursor: Cursor): RequestBody | undefined {
  if (!cursor.exists) return undefined;
  return {
    required: cursor.boolean('required') ?? false,
    ...definedMembers({ description: cursor.string('description') }),
    content: readContent(reader, cursor),
    extensions: cursor.extensions,
    source: cursor.source,
  };
}

/** Reads `responses`, statuses in the order of the document. */
export function readResponses(reader: OpenApiReader, operation: Cursor): ApiResponse[] {
  return operation
    .at('responses')
    .members()
    .flatMap(([status, raw]) => {
      if (!/^([1-5]\d\d|[1-5]XX|default)$/i.test(status)) {
        raw.report(
          'document-shape',
          `${JSON.stringify(status)} is not a status; expected one such as 200, 4XX or default.`,
        );
        return [];
      }
      // In OpenAPI 2.0 a response depends on the operation's `produces`, so it is read for each operation.
      const response =
        reader.version === '2.0'
          ? readResponse(reader, raw.deref(), operation)
          : reader.shared.read('response', raw, (cursor) => readResponse(reader, cursor, operation));
      return response === undefined ? [] : [{ status: normaliseStatus(status), ...response }];
    });
}

/** `4xx` -> `4XX`, `Default` -> `default`. */
function normaliseStatus(status: string): string {
  return /^default$/i.test(status) ? 'default' : status.toUpperCase();
}

/** A response without its status, which is set where it is referenced. */
function readResponse(
  reader: OpenApiReader,
  cursor: Cursor,
  operation: Cursor,
): Omit<ApiResponse, 'status'> | undefined {
  if (!cursor.exists) return undefined;
  const base = {
    ...definedMembers({ summary: cursor.string('summary') }),
    description: cursor.string('description') ?? '',
    extensions: cursor.extensions,
    source: cursor.source,
  };
  if (reader.version === '2.0') return { ...base, ...readSwagger2Response(reader, cursor, operation), links: [] };
  return {
    ...base,
    headers: readHeaderObjects(reader, cursor),
    content: readContent(reader, cursor),
    links: readLinks(reader, cursor),
  };
}

/** Reads links as written; {@link resolveLinks} finds their operations. */
function readLinks(reader: OpenApiReader, response: Cursor): Link[] {
  return response.entriesAt('links').map(([name, raw]) => ({ name, ...reader.shared.read('link', raw, readLink) }));
}

function readLink(cursor: Cursor): Omit<Link, 'name'> {
  return {
    operationId: cursor.string('operationId') ?? cursor.string('operationRef') ?? '',
    parameters: cursor.at('parameters').record,
    ...(Object.hasOwn(cursor.record, 'requestBody') ? { requestBody: cursor.record['requestBody'] } : {}),
    ...definedMembers({ description: cursor.string('description') }),
    source: cursor.source,
  };
}
