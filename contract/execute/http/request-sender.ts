import { InputError } from '../../../model/diagnostics/input-error.js';
import type { Exchange, WireRequest } from '../../types.js';
import { parseJsonText } from '../../../model/document/json-text.js';
import { kindOf } from './media.js';
import { limitDelay } from './retry-after.js';
import { NO_HEADERS } from './connection.js';
import { LateResponseError, type Transport } from './transport.js';

/** Why a run ends before it is through. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: 'max-time' | 'rate-limit' | 'server-gone' | 'interrupted';

  constructor(reason: RunStopped['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export interface SenderOptions {
  readonly transport: Transport;
  /** Requests are sent only to this origin. */
  readonly origin: string;
  readonly timeLimitMs: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Called with how long a rate limit of the server lasts, in milliseconds. */
  readonly onWait: (delay: number) => void;
  /** Called when a request has left: what it does, it does while the server works. */
  readonly onLeft: () => void;
}

/** So many requests without a response in a row, and the server is gone. */
const MAX_FAILURES = 10;
/** A 503 that asks for patience more often than this is a response like any other. */
const MAX_OUTAGES = 3;

/** Sends requests, waits where the server asks for it, and reads responses to their end. */
export class Sender {
  readonly #options: SenderOptions;
  #failures = 0;
  /** No request is sent before this time. Milliseconds since 1970. */
  #pausedUntil = 0;
  /** Requests sent. */
  count = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws RunStopped if the time is up, a limit lasts longer than that, or the server is gone. */
  async send(request: WireRequest): Promise<Exchange> {
    const { origin } = this.#options;
    // The beginning says it for nearly all of them, without taking them apart.
    if (!request.url.startsWith(`${origin}/`) && new URL(request.url).origin !== origin)
      throw new InputError(`A request was about to leave for another host than ${origin}.`);
    for (let waits = 0; ; waits += 1) {
      await this.#pause();
      const exchange = await this.#exchange(request);
      const asked = limitDelay(exchange);
      if (asked === undefined || (exchange.status === 503 && waits >= MAX_OUTAGES)) return exchange;
      // A server that has been obeyed and limits still is given more time, and more each time.
      const delay = asked + (waits < 2 ? 0 : 250 * 2 ** waits);
      this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + delay);
    }
  }

  async #pause(): Promise<void> {
    const { deadline, onWait, signal } = this.#options;
    if (signal?.aborted === true) throw new RunStopped('interrupted');
    for (let delay = this.#pausedUntil - Date.now(); delay > 0; delay = this.#pausedUntil - Date.now()) {
      if (this.#pausedUntil >= deadline) throw new RunStopped('rate-limit');
      onWait(delay);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
    if (Date.now() >= deadline) throw new RunStopped('max-time');
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const { transport, timeLimitMs, deadline, onLeft } = this.#options;
    const started = performance.now();
    const limitMs = Math.max(1, Math.min(timeLimitMs, deadline - Date.now()));
    this.count += 1;
    try {
      const response = transport.send(request, limitMs);
      onLeft();
      const { status, headers, text, isCut } = await response;
      this.#failures = 0;
      const type = headers.get('content-type');
      const json = type === null || kindOf(type) !== 'json' ? undefined : parseJsonText(text);
      const durationMs = performance.now() - started;
      return {
        request,
        status,
        headers,
        text,
        durationMs,
        ...(json === undefined ? {} : { json }),
        ...(isCut === undefined ? {} : { isCut }),
      };
    } catch (error) {
      if (Date.now() >= deadline) throw new RunStopped('max-time');
      // A late response says something about one operation, a connection that fails about the server.
      if (!(error instanceof LateResponseError)) this.#failures += 1;
      if (this.#failures >= MAX_FAILURES) throw new RunStopped('server-gone');
      const failure = error instanceof LateResponseError ? 'timeout' : 'connection';
      return { request, status: 0, headers: NO_HEADERS, text: '', durationMs: performance.now() - started, failure };
    }
  }
}
