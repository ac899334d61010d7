const ITEM = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer' } },
};
const JSON_DATA = { type: 'string', contentMediaType: 'application/json', contentSchema: ITEM };
const EVENT = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'string' },
    event: { type: 'string' },
    id: { type: 'string' },
    retry: { type: 'integer' },
  },
};
const PROGRESS = { properties: { event: { const: 'progress' }, data: JSON_DATA } };
const DONE = { properties: { event: { const: 'done' } } };

const MEDIA: Readonly<Record<string, readonly [string, object]>> = {
  events: ['text/event-stream', { itemSchema: { ...EVENT, properties: { ...EVENT.properties, data: JSON_DATA } } }],
  named: ['text/event-stream', { itemSchema: { $ref: '#/components/schemas/Event', oneOf: [PROGRESS, DONE] } }],
  data: ['text/event-stream', { schema: ITEM }],
  lines: ['application/jsonl', { itemSchema: ITEM }],
  ndjson: ['application/x-ndjson', { itemSchema: ITEM }],
  records: ['application/json-seq', { itemSchema: ITEM }],
  parts: ['multipart/mixed', { itemSchema: ITEM, itemEncoding: { contentType: 'application/json' } }],
};

/** An API with a stream of each kind, in responses and in requests. */
export const STREAM_DOCUMENT: object = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  components: { schemas: { Event: EVENT } },
  paths: Object.fromEntries(
    Object.entries(MEDIA).map(([name, [type, media]]) => [
      `/${name}`,
      {
        get: { operationId: `get-${name}`, responses: { 200: { description: 'ok', content: { [type]: media } } } },
        post: {
          operationId: `send-${name}`,
          requestBody: { required: true, content: { [type]: media } },
          responses: { 204: { description: 'ok' } },
        },
      },
    ]),
  ),
};
