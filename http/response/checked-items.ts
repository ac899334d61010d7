import {
  decodeThen,
  findResponseMedia,
  findValueProblems,
  type ResponseViolation,
  toViolation,
} from './response-violations.js';
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
} from '../../runtime/items.js';
import { FrameSplitter, type Framing } from '../../runtime/frame-splitter.js';
import type { ParseBudget } from '../../runtime/parse-budget.js';
import { type ItemCodec, readFrame, toItem } from '../item-codec.js';
import type { ResponseMessage, ServerSentEvent, Violation } from '../messages.js';
import type { ResponseSpec } from './response-spec.js';

/** The events of a stream that are not items, from the extension `x-streaming`. */
export interface StreamConvention {
  /** The member that marks an event as an error. */
  readonly error: string | undefined;
  /** The data that marks the end. */
  readonly end: string | undefined;
}

/** @example readStreamConvention(operation) // of `x-streaming: { error: { pointer: /error }, end: '[DONE]' }` */
export function readStreamConvention({ extensions }: Operation): StreamConvention {
  const streaming = extensions['x-streaming'] as
    | { readonly error?: { readonly pointer?: string }; readonly end?: string }
    | undefined;
  return { error: streaming?.error?.pointer?.slice(1), end: streaming?.end };
}

/** Returns the violations of a received item of a stream. The budget is that of all items that are read at once. */
export function findItemProblems(
  content: Uint8Array,
  codec: ItemCodec,
  { error, end, budget }: StreamConvention & { readonly budget?: ParseBudget },
): readonly ResponseViolation[] {
  return decodeThen(() =>
    readFrame(content, codec.plan, { budget, end }).flatMap((item) =>
      isErrorItem(item, codec, error) ? [] : findValueProblems(item, codec),
    ),
  );
}

/** Whether the JSON of an item has the member that marks errors. */
function isErrorItem(item: unknown, { plan }: ItemCodec, error: string | undefined): boolean {
  const data = plan.format === 'event' && isRecord(item) ? item['data'] : item;
  return error !== undefined && isRecord(data) && Object.hasOwn(data, error);
}

/** Writes items in the framing of their media type. Breaks the stream off at the first item that violates the spec. */
export function writeCheckedItems<Message extends ResponseMessage>(
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
  const find = (event: ServerSentEvent): readonly ResponseViolation[] =>
    event.data === convention.end
      ? []
      : decodeThen(() => findKnownProblems(toItem(event, codec.plan), codec, convention));
  return { ...message, body: { kind: 'events', events: checkEach(body.events, find) } };
}

function findKnownProblems(item: unknown, codec: ItemCodec, { error }: StreamConvention): readonly ResponseViolation[] {
  return isErrorItem(item, codec, error) ? [] : findValueProblems(item, codec);
}

async function* checkEach<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  find: (item: Item) => readonly ResponseViolation[],
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

/** Converts an item to an event. */
function toEvent(item: unknown, plan: ItemPlan): ServerSentEvent {
  if (plan.format !== 'event')
    return { data: typeof item === 'string' && plan.format === 'event-data' ? stringifyExactJson(item) : item };
  const event = item as EventItem;
  const isJson = typeof event.data === 'string' && isJsonEvent(event, plan);
  return { ...event, data: isJson ? stringifyExactJson(event.data) : event.data };
}

/** The result for a chunk: the items that may pass, and whether the next one violates the spec. */
export interface CheckedChunk {
  readonly passed: readonly Uint8Array[];
  readonly isBroken: boolean;
}

/** Checks the items of a stream as they pass. */
export class ItemStreamCheck {
  readonly violations: Violation[] = [];
  readonly #find: (content: Uint8Array) => readonly ResponseViolation[];
  readonly #splitter: FrameSplitter;
  readonly #framing: Framing;
  readonly #mostViolations: number;

  /** @param limits - the most bytes of an item that is checked, and the most violations that are kept. */
  constructor(
    find: (content: Uint8Array) => readonly ResponseViolation[],
    { framing, boundary }: { readonly framing: Framing; readonly boundary: string | undefined },
    limits: { readonly itemBytes: number; readonly violations: number },
  ) {
    this.#find = find;
    this.#framing = framing;
    this.#splitter = new FrameSplitter(framing, { boundary, maxBytes: limits.itemBytes });
    this.#mostViolations = limits.violations;
  }

  /** Whether an item was longer than the limit, so that nothing after it is checked. */
  get hasGivenUp(): boolean {
    return this.#splitter.hasGivenUp;
  }

  /** Checks a chunk that is passed on in any case. */
  add(chunk: Uint8Array): void {
    if (this.hasGivenUp) return;
    for (const { content } of this.#splitter.push(chunk)) this.#isBroken(content);
  }

  /** Returns the complete items that may pass: none from the first violation on. Holds incomplete items back. */
  admit(chunk: Uint8Array): CheckedChunk {
    const passed: Uint8Array[] = [];
    for (const { bytes, content } of this.#splitter.push(chunk)) {
      if (this.#isBroken(content)) return { passed, isBroken: true };
      passed.push(bytes);
    }
    // An item that is too long to be checked must not pass either.
    return { passed, isBroken: this.hasGivenUp };
  }

  /** Checks the rest at the end of the stream. It is an item, except in a stream of events. */
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
