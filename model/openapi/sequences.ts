import { mediaTypeEssence } from '../../runtime/media-type.js';
import type { ItemSequence, SequenceFraming } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import type { Schema } from '../schema-types.js';
import { type OpenApiReader, readSchemaAt } from './reader.js';

/**
 * Reads the items of a sequential media type (OpenAPI 3.2, "Sequential Media Types").
 *
 * `itemSchema` describes one item. Without it, `schema` describes the items as a list or, in documents before 3.2, one
 * item as an object. Other media types are not sequences, whatever members they have.
 */
export function readSequence(reader: OpenApiReader, mediaType: string, media: Cursor): ItemSequence | undefined {
  const framing = framingOf(mediaType);
  if (framing === undefined || reader.version === '2.0') return undefined;
  const item = itemCursor(framing, media);
  if (item === undefined) return undefined;
  const unit = framing === 'event-stream' ? (isEventSchema(media, item) ? 'event' : 'data') : 'item';
  return { framing, unit, schema: readSchemaAt(reader, item) };
}

/**
 * Reads the stream of messages of a response that grpc-gateway serves as lines of JSON, whatever its media type. Its
 * generators of OpenAPI 2.0 mark the schema: by its place in older versions, by its title in newer ones.
 */
export function readGatewayStream(response: Cursor, schema: Schema): ItemSequence | undefined {
  const { $ref: reference, title } = response.at('schema').record;
  const isMarked =
    (typeof reference === 'string' && reference.startsWith('#/x-stream-definitions/')) ||
    (typeof title === 'string' && title.startsWith('Stream result of '));
  return isMarked ? { framing: 'json-lines', unit: 'item', schema } : undefined;
}

/** How a media type separates its items, or `undefined` if it is not sequential. */
function framingOf(mediaType: string): SequenceFraming | undefined {
  const essence = mediaTypeEssence(mediaType);
  if (essence === 'text/event-stream') return 'event-stream';
  if (JSON_LINES.has(essence)) return 'json-lines';
  if (essence === 'application/json-seq' || essence.endsWith('+json-seq')) return 'json-seq';
  return essence.startsWith('multipart/') && essence !== 'multipart/form-data' ? 'multipart' : undefined;
}

const JSON_LINES: ReadonlySet<string> = new Set([
  'application/jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/ndjson',
  'application/x-ndjson',
]);

function itemCursor(framing: SequenceFraming, media: Cursor): Cursor | undefined {
  if (media.has('itemSchema')) return media.at('itemSchema');
  if (!media.has('schema') || framing === 'multipart') return undefined;
  const schema = media.at('schema');
  if (framing === 'event-stream' && media.record['x-event-stream'] === 'item') return schema;
  const target = schema.deref();
  if (target.has('items')) return target.at('items');
  return describesObject(target) ? schema : undefined;
}

/** The members of a server-sent event (WHATWG HTML, "Server-sent events"). */
const EVENT_MEMBERS = ['data', 'event', 'id', 'retry'] as const;

/**
 * Whether a schema describes a whole event. By the standard, `itemSchema` does. An `itemSchema` with members, but none
 * of an event, describes the JSON in `data`, and so do `schema` and media types with `x-event-stream: item`.
 */
function isEventSchema(media: Cursor, item: Cursor): boolean {
  if (!media.has('itemSchema') || media.record['x-event-stream'] === 'item') return false;
  const { type } = item.deref().record;
  if (type !== undefined && ![type].flat().includes('object')) return false;
  const names = memberNames(item.deref(), 0);
  return names.size === 0 || EVENT_MEMBERS.some((name) => names.has(name));
}

const COMBINERS = ['allOf', 'anyOf', 'oneOf'] as const;
const MAX_DEPTH = 4;

function memberNames(schema: Cursor, depth: number): Set<string> {
  const names = new Set(Object.keys(schema.at('properties').record));
  if (depth >= MAX_DEPTH) return names;
  for (const part of partsOf(schema)) for (const name of memberNames(part, depth + 1)) names.add(name);
  return names;
}

function describesObject(schema: Cursor, depth = 0): boolean {
  if (schema.record['type'] === 'object' || schema.has('properties') || schema.has('additionalProperties')) return true;
  return depth < MAX_DEPTH && partsOf(schema).some((part) => describesObject(part, depth + 1));
}

function partsOf(schema: Cursor): Cursor[] {
  return COMBINERS.flatMap((keyword) =>
    Array.isArray(schema.record[keyword])
      ? schema
          .at(keyword)
          .items()
          .map((part) => part.deref())
      : [],
  );
}
