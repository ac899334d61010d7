import type { IncomingMessage } from 'node:http';

import type { Operation } from '../../model/api.js';
import type { HeaderMap, Violation } from '../../http/messages.js';
import type {
  ExchangeTimings,
  ForwardedBody,
  ForwardedMessage,
  ForwardedExchange,
  RecordedMessage,
} from './forwarded-exchange.js';
import type { SendTimes } from '../wire/send-request.js';

/** The most violations of one exchange that are kept. */
export const MOST_VIOLATIONS = 100;

/** Collects the facts of a call while it passes. */
export class ExchangeRecord {
  readonly times: SendTimes & { headAt?: number } = { start: performance.now() };
  url: string | undefined;
  /** The status of the response to the client. */
  status = 0;
  refusal: ForwardedExchange['refusal'];
  /** The messages of a WebSocket. */
  messages: readonly RecordedMessage[] | undefined;
  readonly #startedAt = Date.now();
  readonly #violations: Violation[] = [];
  readonly #notes: string[] = [];
  #response: ForwardedExchange['response'];
  readonly #operation: Operation | undefined;
  #omitted = 0;

  constructor(operation: Operation | undefined) {
    this.#operation = operation;
  }

  get violations(): readonly Violation[] {
    return this.#violations;
  }

  addViolations(found: readonly Violation[]): void {
    const room = MOST_VIOLATIONS - this.#violations.length;
    this.#violations.push(...found.slice(0, room));
    this.#omitted += Math.max(0, found.length - room);
  }

  addNote(note: string | undefined): void {
    if (note !== undefined && !this.#notes.includes(note)) this.#notes.push(note);
  }

  /** Notes the head of the server's response. */
  setResponse(message: IncomingMessage, body: ForwardedBody): void {
    this.times.headAt = performance.now();
    const { statusCode = 0, statusMessage = '' } = message;
    this.#response = { status: statusCode, statusText: statusMessage, ...toPassed(message, body) };
  }

  /** Describes the call so far. */
  describe(incoming: IncomingMessage, requestBody: ForwardedBody): ForwardedExchange {
    const omitted = this.#omitted > 0 ? [`${this.#omitted} more violations of this call are not listed.`] : [];
    return {
      startedAt: this.#startedAt,
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      url: this.url,
      status: this.status,
      operation: this.#operation,
      request: toPassed(incoming, requestBody),
      response: this.#response,
      refusal: this.refusal,
      violations: [...this.#violations],
      notes: [...this.#notes, ...omitted],
      timings: this.#timings(),
      ...(this.messages === undefined ? {} : { messages: [...this.messages] }),
    };
  }

  #timings(): ExchangeTimings {
    const { start, connected, sent, headAt } = this.times;
    const end = performance.now();
    const between = (from: number | undefined, to: number | undefined): number =>
      from === undefined || to === undefined ? -1 : Math.max(0, to - from);
    return {
      connect: between(start, connected),
      send: between(connected ?? start, sent ?? headAt ?? end),
      wait: between(sent ?? headAt ?? end, headAt ?? end),
      receive: headAt === undefined ? 0 : between(headAt, end),
    };
  }
}

function toPassed(message: IncomingMessage, body: ForwardedBody): ForwardedMessage {
  const headers: HeaderMap = message.headers;
  return { httpVersion: message.httpVersion, rawHeaders: message.rawHeaders, headers, body };
}
