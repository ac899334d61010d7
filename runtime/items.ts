import type { ItemCall, ItemReader } from './context.js';
import { BrokenStreamError, EventParser } from './event-stream.js';
import { FrameSplitter, type Framing } from './frame-splitter.js';
import { type BodyWriter, toText } from './serialize.js';

/**
 * The form of an item of a stream: JSON on its own line or after a record separator, a part of a multipart body, the JSON
 * or the text in the data of a server-sent event, or the whole event as an object.
 */
export type ItemFormat = 'json-lines' | 'json-seq' | 'multipart' | 'event-data' | 'event-text' | 'event';

/** How the items of a stream travel. */
export interface ItemPlan {
  readonly format: ItemFormat;
  /** Of whole events: names of those whose data is JSON, or `true` if that of all events is. */
  readonly jsonEvents?: true | readonly string[];
  /** Of parts: content types by position, then that of all further parts. */
  readonly partTypes?: readonly (string | undefined)[];
  /** Replaces `JSON.parse` and `JSON.stringify`. */
  readonly parse?: (text: string) => unknown;
  readonly stringify?: (value: unknown) => string;
}

/** A server-sent event as an object. */
export interface EventItem {
  readonly data?: unknown;
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
}

/** The framing of a format. */
export function framingOf(format: ItemFormat): Framing {
  return format === 'event-data' || format === 'event-text' || format === 'event' ? 'event-stream' : format;
}

/**
 * Makes the reader of a stream: it returns items as they arrive. Leaving the loop closes the connection.
 *
 * @throws BrokenStreamError if the stream breaks, or an item cannot be parsed: `partial` is its text.
 */
export function readItems(plan: ItemPlan): ItemReader {
  return (response, call) => {
    const { body } = response;
    const boundary = boundaryOf(response.headers.get('content-type') ?? '');
    let iterator: AsyncGenerator<unknown, void, undefined> | undefined;
    return {
      [Symbol.asyncIterator]: () => {
        iterator ??= streamItems(body, plan, { ...call, boundary });
        return iterator;
      },
    };
  };
}

/** The parameter `boundary` of a content type. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

async function* streamItems(
  body: ReadableStream<Uint8Array> | null,
  plan: ItemPlan,
  { boundary, check, signal }: ItemCall & { readonly boundary: string | undefined },
): AsyncGenerator<unknown, void, undefined> {
  if (body === null) return;
  const splitter = new FrameSplitter(framingOf(plan.format), { boundary });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (signal?.aborted) throw signal.reason;
        throw new BrokenStreamError('The stream broke off.', decode(splitter.pending), { cause });
      });
      for (const { content } of done ? splitter.end() : splitter.push(value)) {
        if (content === undefined) continue;
        for (const item of readItem(content, plan)) {
          await check?.(item);
          yield item;
        }
      }
      if (done) return;
    }
  } finally {
    // Closes the connection if the reader stops early; no effect at the end of the stream.
    reader.cancel().catch(() => undefined);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The item of a frame; none if it is a comment. */
function readItem(content: Uint8Array, plan: ItemPlan): unknown[] {
  if (plan.format === 'multipart') return [readPart(content, plan)];
  const text = decode(content);
  try {
    if (framingOf(plan.format) !== 'event-stream') return [(plan.parse ?? JSON.parse)(text)];
    return readEvent(text).map((event) => readEventItem(event, plan));
  } catch (cause) {
    throw new BrokenStreamError('An item of the stream is not JSON.', text, { cause });
  }
}

function readEventItem(event: EventFields, plan: ItemPlan): unknown {
  if (plan.format === 'event-text') return event.data;
  return plan.format === 'event' ? toEventItem(event, plan) : (plan.parse ?? JSON.parse)(event.data);
}

/** The fields of an event that are there. */
export interface EventFields extends EventItem {
  readonly data: string;
}

/** The event of a frame, with the fields that it has; none if it is a comment. */
export function readEvent(text: string): EventFields[] {
  const parser = new EventParser();
  const [event] = [...parser.push(text), ...parser.push('\n\n'), ...parser.end()];
  if (event === undefined) return [];
  const isNamed = /^event:/m.test(text);
  return [
    {
      data: event.data,
      ...(isNamed ? { event: event.event } : {}),
      ...(event.id === undefined ? {} : { id: event.id }),
      ...(event.retry === undefined ? {} : { retry: event.retry }),
    },
  ];
}

/** An event as an object, with its data parsed if it is to be JSON. Data that is not JSON stays text. */
export function toEventItem(event: EventFields, plan: Pick<ItemPlan, 'jsonEvents' | 'parse'>): EventItem {
  if (!isJsonEvent(event, plan)) return event;
  try {
    return { ...event, data: (plan.parse ?? JSON.parse)(event.data) as unknown };
  } catch {
    return event;
  }
}

/** Whether the data of an event is JSON. */
export function isJsonEvent(
  { event = 'message' }: EventItem,
  { jsonEvents = [] }: Pick<ItemPlan, 'jsonEvents'>,
): boolean {
  return jsonEvents === true || jsonEvents.includes(event);
}

/** A part: JSON as its value, text as a string, everything else as a Blob. */
function readPart(content: Uint8Array, plan: ItemPlan): unknown {
  const { type, body } = splitPart(content);
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (essence === '' || essence.startsWith('text/')) return decode(body);
  if (!/[/+]json$/.test(essence)) return new Blob([body as BlobPart], { type });
  try {
    return (plan.parse ?? JSON.parse)(decode(body)) as unknown;
  } catch (cause) {
    throw new BrokenStreamError('A part of the stream is not JSON.', decode(body), { cause });
  }
}

/** The content type and the body of a part. */
export function splitPart(content: Uint8Array): { readonly type: string; readonly body: Uint8Array } {
  const isBare = content[0] === 13 && content[1] === 10;
  const text = new TextDecoder('latin1').decode(content);
  const headerEnd = isBare ? 0 : text.indexOf('\r\n\r\n');
  if (headerEnd < 0) return { type: '', body: content };
  const type = /^content-type:[ \t]*(.*)$/im.exec(text.slice(0, headerEnd))?.[1]?.trim() ?? '';
  return { type, body: content.subarray(headerEnd + (isBare ? 2 : 4)) };
}

/** Makes the writer of a body of items, which are sent as they come. */
export function writeItems(plan: ItemPlan): BodyWriter {
  return (body, mediaType) => {
    const boundary = plan.format === 'multipart' ? createBoundary() : undefined;
    const stream = toStream(encodeItems(body as Iterable<unknown> | AsyncIterable<unknown>, plan, boundary));
    return [stream, boundary === undefined ? mediaType : `${mediaType}; boundary=${boundary}`];
  };
}

/** A boundary that no content has by chance. */
export function createBoundary(): string {
  return `----part${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
}

/** Writes items as they come. */
export async function* encodeItems(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  plan: ItemPlan,
  boundary = '',
): AsyncGenerator<Uint8Array, void, undefined> {
  let index = 0;
  for await (const item of items) {
    for (const piece of await encodeItem(item, plan, { boundary, index })) yield piece;
    index += 1;
  }
  if (plan.format === 'multipart') yield encodeText(`--${boundary}--\r\n`);
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function encodeItem(
  item: unknown,
  plan: ItemPlan,
  { boundary, index }: { readonly boundary: string; readonly index: number },
): Promise<Uint8Array[]> {
  const { stringify = JSON.stringify } = plan;
  switch (plan.format) {
    case 'json-lines':
      return [encodeText(`${stringify(item)}\n`)];
    case 'json-seq':
      return [encodeText(`\x1e${stringify(item)}\n`)];
    case 'event-data':
      return [encodeText(writeEvent({ data: stringify(item) }))];
    case 'event-text':
      return [encodeText(writeEvent({ data: toText(item) }))];
    case 'event':
      return [encodeText(writeEvent(item as EventItem, plan))];
    default:
      return encodePart(item, boundary, {
        documented: plan.partTypes?.[Math.min(index, plan.partTypes.length - 1)],
        stringify,
      });
  }
}

interface PartStyle {
  readonly documented: string | undefined;
  readonly stringify: (value: unknown) => string;
}

async function encodePart(
  item: unknown,
  boundary: string,
  { documented, stringify }: PartStyle,
): Promise<Uint8Array[]> {
  const isBytes = item instanceof Blob || item instanceof ArrayBuffer || ArrayBuffer.isView(item);
  const own = item instanceof Blob ? item.type : '';
  const usual = isBytes ? 'application/octet-stream' : typeof item === 'string' ? 'text/plain' : 'application/json';
  const type = own || documented || usual;
  const isJson = !isBytes && (typeof item !== 'string' || /[/+]json\b/.test(type));
  const body = isBytes
    ? new Uint8Array(await new Response(item as BodyInit).arrayBuffer())
    : encodeText(isJson ? stringify(item) : toText(item));
  return [
    encodeText(`--${boundary}\r\nContent-Type: ${type.replace(/[\r\n]/g, ' ')}\r\n\r\n`),
    body,
    encodeText('\r\n'),
  ];
}

/** An event in the framing of `text/event-stream`: an empty line ends it. Data that is not text is written as JSON. */
export function writeEvent(event: EventItem, plan: Pick<ItemPlan, 'jsonEvents' | 'stringify'> = {}): string {
  const { data, id, retry } = event;
  const isText = typeof data === 'string' && !isJsonEvent(event, plan);
  const text = isText ? data : ((plan.stringify ?? JSON.stringify)(data) as string | undefined);
  const lines = [
    ...(id === undefined ? [] : [`id: ${toLine(id)}`]),
    ...(event.event === undefined ? [] : [`event: ${toLine(event.event)}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(text === undefined ? [] : text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

function toLine(text: string): string {
  return text.replace(/[\r\n\0]/g, ' ');
}

/** `ReadableStream.from`, which not all platforms have. */
function toStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return();
    },
  });
}
