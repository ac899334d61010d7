import type { ItemCall, ItemReader } from './context.js';
import { BrokenStreamError, EventParser } from './event-stream.js';
import { type Frame, FrameSplitter, type Framing } from './frame-splitter.js';
import { type BodyWriter, toText } from './serialize.js';

/**
 * The form of an item of a stream: JSON on its own line or after a record separator, a part of a multipart body, the JSON
 * or the text in the data of a server-sent event, or the whole event as an object.
 */
export type ItemFormat = 'json-lines' | 'json-seq' | 'multipart' | 'event-data' | 'event-text' | 'event';

/** How the items of a stream are encoded. */
export interface ItemPlan {
  readonly format: ItemFormat;
  /** For whole events: the names of those whose data is JSON, or `true` if the data of all events is. */
  readonly jsonEvents?: true | readonly string[];
  /** For parts: how each is encoded, by position; the last entry is for all further parts. */
  readonly partTypes?: PartTypes;
  /** Replaces `JSON.parse` and `JSON.stringify`. */
  readonly parse?: (text: string) => unknown;
  readonly stringify?: (value: unknown) => string;
}

/** Parts by position: the content type, or a plan if the content type does not determine the encoding. */
export type PartTypes = readonly (string | PartPlan | undefined)[];

/** A part that is itself a list of parts, or structured text such as XML. */
export interface PartPlan {
  readonly type: string;
  readonly partTypes?: PartTypes;
  readonly write?: (value: unknown) => string;
  /** Throws if the text cannot be read. */
  readonly read?: (text: string) => unknown;
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
  let index = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (signal?.aborted) throw signal.reason;
        throw new BrokenStreamError('The stream broke off.', decode(splitter.pending), { cause });
      });
      for (const { content } of done ? lastFrames(splitter, plan) : splitter.push(value)) {
        if (content === undefined) continue;
        for (const item of readItem(content, plan, index)) {
          await check?.(item);
          yield item;
        }
        index += 1;
      }
      if (done) return;
    }
  } finally {
    // Closes the connection if the reader stops early; no effect at the end of the stream.
    reader.cancel().catch(() => undefined);
  }
}

/** An event without its final empty line is cut off, and is dropped (WHATWG HTML, section 9.2.6). */
function lastFrames(splitter: FrameSplitter, { format }: ItemPlan): readonly Frame[] {
  return framingOf(format) === 'event-stream' ? [] : splitter.end();
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Returns the item of a frame; an empty list if the frame is a comment. */
function readItem(content: Uint8Array, plan: ItemPlan, index: number): unknown[] {
  if (plan.format === 'multipart') return [readPart(content, plan, index)];
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

/** The fields that an event has. */
export interface EventFields extends EventItem {
  readonly data: string;
}

/** Returns the event of a frame; an empty list if the frame is a comment. */
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

/** Returns an event as an object. Parses data that should be JSON; malformed JSON stays text. */
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

/** Returns how the part at a position is encoded. */
export function partPlanAt(types: PartTypes = [], index: number): PartPlan | undefined {
  const found = types[Math.min(index, types.length - 1)];
  return typeof found === 'string' ? { type: found } : found;
}

/** Splits a complete body into its parts. */
export function splitParts(body: Uint8Array, type: string): Uint8Array[] {
  const splitter = new FrameSplitter('multipart', { boundary: boundaryOf(type) });
  return [...splitter.push(body), ...splitter.end()].flatMap(({ content }) => content ?? []);
}

/**
 * Reads a part: JSON as its value, text as a string, a documented list of parts as a list, everything else as a Blob.
 */
function readPart(content: Uint8Array, plan: ItemPlan, index: number): unknown {
  const { type, body } = splitPart(content);
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  const { partTypes, read } = partPlanAt(plan.partTypes, index) ?? {};
  if (partTypes !== undefined && essence.startsWith('multipart/'))
    return splitParts(body, type).map((part, at) => readPart(part, { ...plan, partTypes }, at));
  if (read !== undefined && /[/+]xml$/.test(essence)) return readDescribed(decode(body), read);
  if (essence === '' || essence.startsWith('text/')) return decode(body);
  if (!/[/+]json$/.test(essence)) return new Blob([body as BlobPart], { type });
  try {
    return (plan.parse ?? JSON.parse)(decode(body)) as unknown;
  } catch (cause) {
    throw new BrokenStreamError('A part of the stream is not JSON.', decode(body), { cause });
  }
}

function readDescribed(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch (cause) {
    throw new BrokenStreamError('A part of the stream is not as described.', text, { cause });
  }
}

/** Splits a part into its content type and its body. */
export function splitPart(content: Uint8Array): { readonly type: string; readonly body: Uint8Array } {
  const isBare = content[0] === 13 && content[1] === 10;
  const text = new TextDecoder('latin1').decode(content);
  const headerEnd = isBare ? 0 : text.indexOf('\r\n\r\n');
  if (headerEnd < 0) return { type: '', body: content };
  const type = /^content-type:[ \t]*(.*)$/im.exec(text.slice(0, headerEnd))?.[1]?.trim() ?? '';
  return { type, body: content.subarray(headerEnd + (isBare ? 2 : 4)) };
}

/** Makes the writer of a body of items. Each item is sent as soon as it is available. */
export function writeItems(plan: ItemPlan): BodyWriter {
  return (body, mediaType) => {
    const boundary = plan.format === 'multipart' ? createBoundary() : undefined;
    const stream = toStream(encodeItems(body as Iterable<unknown> | AsyncIterable<unknown>, plan, boundary));
    return [stream, boundary === undefined ? mediaType : `${mediaType}; boundary=${boundary}`];
  };
}

/** Returns a random boundary, so that no content contains it by chance. */
export function createBoundary(): string {
  return `----part${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
}

/** Encodes each item as soon as it is available. */
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
      return [new Uint8Array(await new Blob(encodePart(item, plan, { boundary, index })).arrayBuffer())];
  }
}

interface PartPlace {
  readonly boundary: string;
  readonly index: number;
}

/** Encodes a list of parts as pieces: texts, and the bytes of files. */
export function encodeParts(items: readonly unknown[], plan: Omit<ItemPlan, 'format'>, boundary: string): BlobPart[] {
  return [...items.flatMap((item, index) => encodePart(item, plan, { boundary, index })), `--${boundary}--\r\n`];
}

/** Makes the writer of a form part that is itself a list of parts. */
export function writePartList(partTypes: PartTypes): BodyWriter {
  return (value, type) => {
    const boundary = createBoundary();
    return [
      new Blob(encodeParts(value as readonly unknown[], { partTypes }, boundary)),
      `${type}; boundary=${boundary}`,
    ];
  };
}

function encodePart(item: unknown, plan: Omit<ItemPlan, 'format'>, { boundary, index }: PartPlace): BlobPart[] {
  const described = partPlanAt(plan.partTypes, index);
  const [type, content] = encodeContent(item, described, { ...plan, boundary });
  return [`--${boundary}\r\nContent-Type: ${type.replace(/[\r\n]/g, ' ')}\r\n\r\n`, ...content, '\r\n'];
}

/** Returns the content type and the content of a part. */
function encodeContent(
  item: unknown,
  { type: documented, partTypes, write }: Partial<PartPlan> = {},
  { boundary, stringify = JSON.stringify }: Omit<ItemPlan, 'format'> & { readonly boundary: string },
): [type: string, content: BlobPart[]] {
  // The inner boundary differs from the outer one, but is derived from it, so that the output is reproducible.
  if (partTypes !== undefined && Array.isArray(item)) {
    const inner = `inner${boundary}`;
    return [`${documented}; boundary=${inner}`, encodeParts(item, { partTypes, stringify }, inner)];
  }
  const own = item instanceof Blob ? item.type : '';
  if (item instanceof Blob || item instanceof ArrayBuffer || ArrayBuffer.isView(item))
    return [own || documented || 'application/octet-stream', [item as BlobPart]];
  const type = documented || (typeof item === 'string' ? 'text/plain' : 'application/json');
  if (write !== undefined && typeof item === 'object') return [type, [write(item)]];
  const isJson = typeof item !== 'string' || /[/+]json\b/.test(type);
  return [type, [isJson ? stringify(item) : item]];
}

/** Writes an event as `text/event-stream`, including its final empty line. Data that is not text is written as JSON. */
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
