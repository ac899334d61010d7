import type { ApiResponse, Link, RequestBody } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { readSwagger2Response } from './swagger-2.js';
import { readContent, readHeaders } from './parameters.js';
import { type OpenApiReader, definedMembers } from './reader.js';

/** Reads `requestBody` of OpenAPI 3. */
export function readRequestBody(reader: OpenApiReader, operation: Cursor): RequestBody | undefined {
  const cursor = operation.at('requestBody').deref();
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
      const cursor = raw.deref();
      if (!/^([1-5]\d\d|[1-5]XX|default)$/i.test(status)) {
        raw.report('document-shape', `${JSON.stringify(status)} is not a status: 200, 4XX or default are.`);
        return [];
      }
      return cursor.exists ? [readResponse(reader, { status: status.replace(/xx$/i, 'XX'), cursor, operation })] : [];
    });
}

function readResponse(
  reader: OpenApiReader,
  { status, cursor, operation }: { status: string; cursor: Cursor; operation: Cursor },
): ApiResponse {
  const base = {
    status,
    description: cursor.string('description') ?? '',
    extensions: cursor.extensions,
    source: cursor.source,
  };
  if (reader.version === '2.0') return { ...base, ...readSwagger2Response(reader, cursor, operation), links: [] };
  return {
    ...base,
    headers: readHeaders(reader, cursor),
    content: readContent(reader, cursor),
    links: readLinks(cursor),
  };
}

/** Reads links as they are written; {@link resolveLinks} finds the operations that they lead to. */
function readLinks(response: Cursor): Link[] {
  return response
    .at('links')
    .members()
    .map(([name, raw]) => {
      const cursor = raw.deref();
      return {
        name,
        operationId: cursor.string('operationId') ?? cursor.string('operationRef') ?? '',
        parameters: cursor.at('parameters').record,
        ...('requestBody' in cursor.record ? { requestBody: cursor.record['requestBody'] } : {}),
        ...definedMembers({ description: cursor.string('description') }),
        source: cursor.source,
      };
    });
}
