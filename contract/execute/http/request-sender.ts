import { InputError } from '../../../model/diagnostics/input-error.js';
import type { Exchange, WireRequest } from '../../types.js';
import { receivedJson } from '../../received-json.js';
import { Limits } from './limits.js';
import { limitDelay } from './retry-after.js';
import { NO_HEADERS } from './connection.js';
import { isBroken, isRefused, LateResponseError, type Transport } from './transport.js';

/** Ends a run early. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: 'max-time' | 'rate-limit' | 'server-gone' | 'interrupted';

  constructor(reason: RunStopped['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Ends a run, or leads to a restart: a request ended the server. */
export class ServerEnded extends RunStopped {
  /** The requests without a response. The first one ended the server. */
  readonly requests: readonly WireRequest[];

  constructor(requests: readonly WireRequest[]) {
    super('server-gone');
    this.requests = requests;
  }
}

export interface SenderOptions {
  readonly transport: Transport;
  /** Requests are sent only to this origin. */
  readonly origin: string;
  /** The address of the server. */
  readonly href: string;
  readonly timeLimitMs: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Called with the duration of a rate limit, in milliseconds. */
  readonly onWait: (delay: number) => void;
  /** Called when a request has been sent, to do work while the server responds. */
  readonly onLeft: () => void;
  /** Called with the status of a response that asks to wait, however long. */
  readonly onLimited: (operationId: string, status: number) => void;
}

/** After this many requests in a row without a response, the server is considered gone. */
const MAX_FAILURES = 10;
/** After this many, a 503 with `Retry-After` is a response like any other. */
const MAX_OUTAGES = 3;
/** How often the run looks whether a server still listens after a broken connection, and the time between, in ms. */
const LOOKS = 3;
const LOOK_MS = 100;

interface SentRequest {
  readonly number: number;
  readonly request: WireRequest;
}

/** Sends requests, waits if the server asks for it, and reads the complete responses. */
export class Sender {
  readonly #options: SenderOptions;
  #failures = 0;
  /** The requests without a response since the last response. */
  #unanswered: SentRequest[] = [];
  /** The last request that got a response. */
  #answered: WireRequest | undefined;
  readonly limits: Limits = new Limits();
  /** No request is sent before this time. Milliseconds since 1970. */
  #pausedUntil = 0;
  #isGone = false;
  #deadline: number;
  #signal: AbortSignal | undefined;
  /** Requests sent. */
  count = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#deadline = options.deadline;
    this.#signal = options.signal;
  }

  /** Lets requests be sent for some time, even if the time was up, or the run was interrupted. */
  grantTime(milliseconds: number): void {
    this.#deadline = Math.max(this.#deadline, Date.now() + milliseconds);
    this.#signal = undefined;
  }

  /**
   * @returns `undefined` if the server limits the operation for a while, and others can go on.
   * @throws RunStopped if the time is up, a rate limit lasts longer than the remaining time, or the server is gone.
   */
  async send(request: WireRequest, operationId: string): Promise<Exchange | undefined> {
    const { origin } = this.#options;
    // The prefix decides nearly all cases without parsing the URL.
    if (!request.url.startsWith(`${origin}/`) && new URL(request.url).origin !== origin)
      throw new InputError(`A request was about to leave for another host than ${origin}.`);
    for (let waits = 0; ; waits += 1) {
      await this.waitUntil(this.#pausedUntil);
      if (this.limits.resetOf(operationId) !== undefined) return undefined;
      const exchange = await this.#exchange(request);
      const asked = limitDelay(exchange);
      if (asked === undefined || (exchange.status === 503 && waits >= MAX_OUTAGES)) {
        this.limits.noteOther();
        return exchange;
      }
      // A server that keeps limiting after two waits gets more time with each further wait.
      const delay = asked + (waits < 2 ? 0 : 250 * 2 ** waits);
      this.#options.onLimited(operationId, exchange.status);
      if (this.limits.putAside(operationId, delay, exchange)) return undefined;
      this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + delay);
    }
  }

  /**
   * Waits until a time (milliseconds since 1970).
   *
   * @throws RunStopped if the run ends before.
   */
  async waitUntil(moment: number): Promise<void> {
    const { onWait } = this.#options;
    const deadline = this.#deadline;
    if (this.#signal?.aborted === true) throw new RunStopped('interrupted');
    if (this.#isGone) throw new RunStopped('server-gone');
    const end = (): number => Math.max(moment, this.#pausedUntil);
    for (let delay = end() - Date.now(); delay > 0; delay = end() - Date.now()) {
      if (end() >= deadline) throw new RunStopped('rate-limit');
      onWait(delay);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
    if (Date.now() >= deadline) throw new RunStopped('max-time');
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const { transport, timeLimitMs, onLeft } = this.#options;
    const deadline = this.#deadline;
    const started = performance.now();
    const limitMs = Math.max(1, Math.min(timeLimitMs, deadline - Date.now()));
    this.count += 1;
    const sent = { number: this.count, request };
    try {
      const response = transport.send(request, limitMs);
      onLeft();
      const { status, headers, text, isCut } = await response;
      this.#failures = 0;
      this.#unanswered = [];
      this.#answered = request;
      const json = receivedJson(text, headers.get('content-type'));
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
      if (await this.#hasEnded(sent, error)) throw new ServerEnded(this.#lastRequests());
      // A late response concerns one operation; a failed connection concerns the server.
      if (!(error instanceof LateResponseError)) this.#failures += 1;
      if (this.#failures >= MAX_FAILURES) throw new RunStopped('server-gone');
      const failure = error instanceof LateResponseError ? 'timeout' : 'connection';
      return { request, status: 0, headers: NO_HEADERS, text: '', durationMs: performance.now() - started, failure };
    }
  }

  /** Whether nothing listens at the address of the server any more. */
  async #hasEnded(sent: SentRequest, error: unknown): Promise<boolean> {
    const { transport, href, timeLimitMs } = this.#options;
    if (isRefused(error)) return true;
    if (error instanceof LateResponseError) return false;
    this.#unanswered.push(sent);
    let last = error;
    for (let look = 0; look < LOOKS && isBroken(last); look += 1) {
      last = await transport.send({ method: 'GET', url: href, headers: {} }, timeLimitMs).catch((one: unknown) => one);
      if (isRefused(last)) return true;
      // A server that is about to end may close its connections first.
      if (isBroken(last)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return false;
  }

  /** The requests that may have ended the server: those without a response, else the last one with a response. */
  #lastRequests(): WireRequest[] {
    const unanswered = this.#unanswered.toSorted((one, other) => one.number - other.number);
    if (unanswered.length > 0) return unanswered.map(({ request }) => request);
    return this.#answered === undefined ? [] : [this.#answered];
  }

  /** Forgets what happened before a restart of the server. */
  forgetFailures(): void {
    this.#failures = 0;
    this.#unanswered = [];
  }

  /** Sends nothing any more: the server has ended. */
  giveUp(): void {
    this.#isGone = true;
  }
}
