import type { Api } from '../../model/api.js';
import { HOSTILE_FORMATS } from './hostile-formats.js';
import { documentWith, loadDocument } from './load-document.js';

/** The media types of all formats that are attacked. */
export const MEDIA_TYPES: readonly string[] = [...new Set(HOSTILE_FORMATS.map(({ mediaType }) => mediaType))];

/** Loads an API whose only operation takes and gives a document of any of them. */
export function loadFormatsApi(): Promise<Api> {
  const content = Object.fromEntries(MEDIA_TYPES.map((type) => [type, mediaOf(type)]));
  const responses = { 200: { description: 'ok', content } };
  const paths = { '/formats': { post: { operationId: 'sendFormat', requestBody: { content }, responses } } };
  return loadDocument(documentWith(paths, { openapi: '3.2.0', servers: [{ url: '/' }] }));
}

/** An object with a list and itself in it, or a stream of such objects. */
function mediaOf(type: string): object {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, a: {}, tags: { type: 'array', items: { type: 'string' } } },
  };
  return /json-seq|ndjson|event-stream/.test(type) ? { itemSchema: schema } : { schema };
}
