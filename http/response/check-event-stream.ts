import type { Operation } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { ResponseMessage, ServerSentEvent, Violation } from '../messages.js';
import { DecodeError } from '../request/decode-error.js';
import { parseJson } from '../request/parse-json.js';
import { EventSplitter } from './event-splitter.js';
import { findResponseMedia, findValueProblems, type ResponseProblem, toViolation } from './check-response.js';
import type { ResponseMedia, ResponseSpec } from './response-spec.js';

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

/** Whether the spec describes each event of a stream, and not the stream as a whole. */
export function describesEvents({ media, kind }: ResponseMedia): boolean {
  return kind === 'stream' && media.extensions['x-event-stream'] === 'item';
}

/** What the data of one event breaks. */
export function findEventProblems(
  data: string,
  media: ResponseMedia,
  { error, end }: StreamConvention,
): readonly ResponseProblem[] {
  if (data === end) return [];
  if (typeof media.media.schema === 'object' && media.media.schema.type === 'string')
    return findValueProblems(data, media);
  try {
    const value = parseJson(data);
    return isErrorEvent(value, error) ? [] : findValueProblems(value, media);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    return [{ part: 'schema', pointer: '/body', message: cause.message }];
  }
}

function isErrorEvent(data: unknown, error: string | undefined): boolean {
  return error !== undefined && isRecord(data) && Object.hasOwn(data, error);
}

/** Breaks a stream of events off at the first one that the spec does not allow. */
export function checkEvents<Message extends ResponseMessage>(
  message: Message,
  spec: ResponseSpec | undefined,
  operation: Operation,
): Message {
  const { body } = message;
  if (body?.kind !== 'events' || spec === undefined) return message;
  const media = findResponseMedia(message.headers, spec);
  if (media === undefined || !describesEvents(media)) return message;
  return {
    ...message,
    body: { kind: 'events', events: checkEach(body.events, media, readStreamConvention(operation)) },
  };
}

async function* checkEach(
  events: AsyncIterable<ServerSentEvent>,
  media: ResponseMedia,
  { error }: StreamConvention,
): AsyncIterable<ServerSentEvent> {
  for await (const event of events) {
    const [problem] = isErrorEvent(event.data, error) ? [] : findValueProblems(event.data, media);
    if (problem !== undefined)
      throw new Error(`an event does not match the specification: ${problem.pointer} ${problem.message}`);
    yield event;
  }
}

/** What became of a chunk: the events that may go on, and whether the one after them breaks the spec. */
export interface CheckedChunk {
  readonly passed: readonly Uint8Array[];
  readonly isBroken: boolean;
}

/** Checks the events of a stream as they go by. */
export class EventStreamCheck {
  readonly violations: Violation[] = [];
  readonly #find: (data: string) => readonly ResponseProblem[];
  readonly #splitter: EventSplitter;
  readonly #mostViolations: number;

  /** @param limits - the most bytes of an event that is checked, and the most violations that are kept. */
  constructor(
    find: (data: string) => readonly ResponseProblem[],
    limits: { readonly eventBytes: number; readonly violations: number },
  ) {
    this.#find = find;
    this.#splitter = new EventSplitter(limits.eventBytes);
    this.#mostViolations = limits.violations;
  }

  /** An event was longer than the limit, so nothing after it is checked. */
  get hasGivenUp(): boolean {
    return this.#splitter.hasGivenUp;
  }

  /** Checks what is passed on anyway. */
  add(chunk: Uint8Array): void {
    if (this.hasGivenUp) return;
    for (const { data } of this.#splitter.add(chunk)) this.#isBroken(data);
    if (this.hasGivenUp) this.#splitter.rest();
  }

  /** Says what may go on: nothing from the first event that breaks the spec. Bytes of an event wait for its end. */
  admit(chunk: Uint8Array): CheckedChunk {
    const passed: Uint8Array[] = [];
    for (const { bytes, data } of this.#splitter.add(chunk)) {
      if (this.#isBroken(data)) return { passed, isBroken: true };
      passed.push(bytes);
    }
    // An event that is too long to be checked does not pass either.
    return { passed, isBroken: this.hasGivenUp };
  }

  /** The bytes that wait for the end of their event. */
  rest(): Uint8Array {
    return this.#splitter.rest();
  }

  #isBroken(data: string | undefined): boolean {
    const found = data === undefined ? [] : this.#find(data);
    this.violations.push(...found.slice(0, this.#mostViolations - this.violations.length).map(toViolation));
    return found.length > 0;
  }
}
