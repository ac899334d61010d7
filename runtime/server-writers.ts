import type { Codec } from './codecs.js';
import { type EventItem, type ItemPlan, createBoundary, encodeItems, writeEvent } from './items.js';
import { round } from './round-integers.js';
import type { DataWriter } from './server-types.js';
import { byteStream } from './server-streams.js';

/** Writes the items of an iterable as they come. */
export function itemsWriter(plan: ItemPlan, codec?: Codec): DataWriter {
  return (data, response) => {
    const items = toSent(data as Iterable<unknown> | AsyncIterable<unknown>, codec, response.checkItem);
    const boundary = plan.format === 'multipart' ? createBoundary() : undefined;
    if (boundary !== undefined) response.contentType += `; boundary=${boundary}`;
    return byteStream(encodeItems(items, plan, boundary));
  };
}

async function* toSent(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  codec: Codec | undefined,
  check: ((item: unknown) => void) | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) {
    const sent = codec === undefined ? item : codec(item, 'encode');
    check?.(round(sent));
    yield sent;
  }
}

/** Writes server-sent events: objects with `data`, texts or bytes. */
export const eventsWriter: DataWriter = (data) =>
  data instanceof ReadableStream ? data : byteStream(toEvents(data as AsyncIterable<unknown>));

async function* toEvents(events: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const event of events) {
    if (event instanceof Uint8Array) yield event;
    else yield encoder.encode(typeof event === 'string' ? event : writeEvent(event as EventItem));
  }
}

/** Writes a value as text, such as XML. */
export function structuredWriter(write: (value: unknown) => string): DataWriter {
  return (data) => (typeof data === 'string' ? data : write(data));
}
