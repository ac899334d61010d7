import { decodeThen } from './check-response.js';
import type { Operation } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { isRecord } from '../../model/document/records.js';
import {
  createBoundary,
  encodeItems,
  type EventItem,
  framingOf,
  isJsonEvent,
  type ItemPlan,
  readEvent,
} from '../../runtime/items.js';
import { FrameSplitter, type Framing } from '../../runtime/frame-splitter.js';
import { type ItemCodec, readFrame, toItem } from '../item-codec.js';
import type { ResponseMessage, ServerSentEvent, Violation } from '../messages.js';
import { findResponseMedia, findValueProblems, type ResponseProblem, toViolation } from './check-response.js';
import type { ResponseSpec } from './response-spec.js';

/** Which events of a stream are no items, as the extension `x-streaming` says. */
export interface StreamConvention {
  /** The member that marks an event as an error. */
  readonly error: string | undefined;
  /** Data that marks the end. */
  readonly end: string | undefined;
}

/** @example readStreamConvention(operation) // of `x-streaming: { error: { pointer: /error }, end: '[DONE]' }` */
export function readStreamConvention({ extensions }: Operation): StreamConvention {
  const streaming = extensions['x-streaming'] as
    | { readonly error?: { readonly pointer?: string }; readonly end?: string }
    | undefined;
  return { error: streaming?.error?.pointer?.slice(1), end: streaming?.end };
}

/** The violations of one item of a stream, as received. */
export function findItemProblems(
  content: Uint8Array,
  codec: ItemCodec,
  { error, end }: StreamConvention,
): readonly ResponseProblem[] {
  if (end !== undefined && framingOf(codec.plan.format) === 'event-stream' && dataOf(content) === end) return [];
  return decodeThen(() =>
    readFrame(content, codec.plan).flatMap((item) =>
      isErrorItem(item, codec, error) ? [] : findValueProblems(item, codec),
    ),
  );
}

function dataOf(content: Uint8Array): string | undefined {
  return readEvent(new TextDecoder().decode(content))[0]?.data;
}

/** The error is a member of the JSON in the data. */
function isErrorItem(item: unknown, { plan }: ItemCodec, error: string | undefined): boolean {
  const data = plan.format === 'event' && isRecord(item) ? item['data'] : item;
  return error !== undefined && isRecord(data) && Object.hasOwn(data, error);
}

/** Breaks a stream off at the first item that the spec does not allow, and writes items in the framing of their media type. */
export function checkItems<Message extends ResponseMessage>(
  message: Message,
  spec: ResponseSpec | undefined,
  operation: Operation,
): Message {
  const { body } = message;
  if ((body?.kind !== 'events' && body?.kind !== 'items') || spec === undefined) return message;
  const codec = findResponseMedia(message.headers, spec)?.items;
  if (codec === undefined) return message;
  const convention = readStreamConvention(operation);
  if (body.kind === 'items') {
    const checked = checkEach(body.items, (item) => findKnownProblems(item, codec, convention));
    return writeItems(message, checked, codec.plan);
  }
  const find = (event: ServerSentEvent): readonly ResponseProblem[] =>
    event.data === convention.end
      ? []
      : decodeThen(() => findKnownProblems(toItem(event, codec.plan), codec, convention));
  return { ...message, body: { kind: 'events', events: checkEach(body.events, find) } };
}

function findKnownProblems(item: unknown, codec: ItemCodec, { error }: StreamConvention): readonly ResponseProblem[] {
  return isErrorItem(item, codec, error) ? [] : findValueProblems(item, codec);
}

async function* checkEach<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  find: (item: Item) => readonly ResponseProblem[],
): AsyncGenerator<Item> {
  for await (const item of items) {
    const [problem] = find(item);
    if (problem !== undefined)
      throw new Error(`an item does not match the specification: ${problem.pointer} ${problem.message}`);
    yield item;
  }
}

function writeItems<Message extends ResponseMessage>(
  message: Message,
  items: AsyncIterable<unknown>,
  plan: ItemPlan,
): Message {
  if (framingOf(plan.format) === 'event-stream')
    return { ...message, body: { kind: 'events', events: toEvents(items, plan) } };
  const type = message.headers['content-type'];
  const boundary = plan.format === 'multipart' ? createBoundary() : undefined;
  const headers =
    boundary === undefined || typeof type !== 'string'
      ? message.headers
      : { ...message.headers, 'content-type': `${type}; boundary=${boundary}` };
  return {
    ...message,
    headers,
    body: { kind: 'stream', chunks: encodeItems(items, { ...plan, stringify: stringifyExactJson }, boundary) },
  };
}

async function* toEvents(items: AsyncIterable<unknown>, plan: ItemPlan): AsyncGenerator<ServerSentEvent> {
  for await (const item of items) yield toEvent(item, plan);
}

/** The item that the checks of an event validate: JSON text is parsed. */
function toEvent(item: unknown, plan: ItemPlan): ServerSentEvent {
  if (plan.format !== 'event')
    return { data: typeof item === 'string' && plan.format === 'event-data' ? JSON.stringify(item) : item };
  const event = item as EventItem;
  const isJson = typeof event.data === 'string' && isJsonEvent(event, plan);
  return { ...event, data: isJson ? JSON.stringify(event.data) : event.data };
}

/** The result for a chunk: the items that may pass, and whether the next one breaks the spec. */
export interface CheckedChunk {
  readonly passed: readonly Uint8Array[];
  readonly isBroken: boolean;
}

/** Checks the items of a stream as they go by. */
export class ItemStreamCheck {
  readonly violations: Violation[] = [];
  readonly #find: (content: Uint8Array) => readonly ResponseProblem[];
  readonly #splitter: FrameSplitter;
  readonly #framing: Framing;
  readonly #mostViolations: number;

  /** @param limits - the most bytes of an item that is checked, and the most violations that are kept. */
  constructor(
    find: (content: Uint8Array) => readonly ResponseProblem[],
    { framing, boundary }: { readonly framing: Framing; readonly boundary: string | undefined },
    limits: { readonly itemBytes: number; readonly violations: number },
  ) {
    this.#find = find;
    this.#framing = framing;
    this.#splitter = new FrameSplitter(framing, { boundary, maxBytes: limits.itemBytes });
    this.#mostViolations = limits.violations;
  }

  /** An item was longer than the limit, so nothing after it is checked. */
  get hasGivenUp(): boolean {
    return this.#splitter.hasGivenUp;
  }

  /** Checks what is passed on anyway. */
  add(chunk: Uint8Array): void {
    if (this.hasGivenUp) return;
    for (const { content } of this.#splitter.push(chunk)) this.#isBroken(content);
  }

  /** Returns what may go on: nothing from the first item that breaks the spec. Bytes of an item wait for its end. */
  admit(chunk: Uint8Array): CheckedChunk {
    const passed: Uint8Array[] = [];
    for (const { bytes, content } of this.#splitter.push(chunk)) {
      if (this.#isBroken(content)) return { passed, isBroken: true };
      passed.push(bytes);
    }
    // An item that is too long to be checked does not pass either.
    return { passed, isBroken: this.hasGivenUp };
  }

  /** The end of the stream: what came after the last item. It is an item itself, except in a stream of events. */
  finish(): CheckedChunk {
    if (this.hasGivenUp) return { passed: [], isBroken: true };
    const [rest] = this.#framing === 'event-stream' ? [] : this.#splitter.end();
    const bytes = rest?.bytes ?? this.#splitter.rest();
    return this.#isBroken(rest?.content) ? { passed: [], isBroken: true } : { passed: [bytes], isBroken: false };
  }

  #isBroken(content: Uint8Array | undefined): boolean {
    const found = content === undefined ? [] : this.#find(content);
    this.violations.push(...found.slice(0, this.#mostViolations - this.violations.length).map(toViolation));
    return found.length > 0;
  }
}
