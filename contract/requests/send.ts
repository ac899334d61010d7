import type { Exchange, WireRequest } from '../types.js';
import { parseJsonText } from './json-text.js';
import { essenceOf, kindOf } from './media.js';

/** Why a run ends before it is through. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: 'max-time' | 'rate-limit' | 'server-gone';

  constructor(reason: RunStopped['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export interface SenderOptions {
  readonly fetch: typeof fetch;
  readonly timeLimitMs: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** So many requests without an answer in a row, and the server is gone. */
const MAX_FAILURES = 10;
const MAX_TEXT = 4_000_000;
const MAX_WAITS = 3;

/** Sends requests one after another, waits where the server asks for it, and reads answers to their end. */
export class Sender {
  readonly #options: SenderOptions;
  #failures = 0;
  /** Requests sent. */
  count = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws RunStopped where the time is up, a limit lasts longer than that, or the server is gone. */
  async send(request: WireRequest): Promise<Exchange> {
    for (let waits = 0; ; waits += 1) {
      if (Date.now() >= this.#options.deadline) throw new RunStopped('max-time');
      const exchange = await this.#exchange(request);
      const delay = retryDelay(exchange);
      if (delay === undefined) return exchange;
      if (waits === MAX_WAITS || Date.now() + delay >= this.#options.deadline) throw new RunStopped('rate-limit');
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }

  async #exchange(request: WireRequest): Promise<Exchange> {
    const started = performance.now();
    const left = Math.max(1, this.#options.deadline - Date.now());
    const signal = AbortSignal.timeout(Math.min(this.#options.timeLimitMs, left));
    this.count += 1;
    try {
      // Redirects are answers: following one could lead to a host that was not named.
      const { method, headers, body } = request;
      const init = { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) } as const;
      const response = await this.#options.fetch(request.url, init);
      const text = isEndless(response) ? await readStart(response) : (await response.text()).slice(0, MAX_TEXT);
      this.#failures = 0;
      const type = response.headers.get('content-type');
      const json = type === null || kindOf(type) !== 'json' ? undefined : parseJsonText(text);
      const durationMs = performance.now() - started;
      return {
        request,
        status: response.status,
        headers: response.headers,
        text,
        durationMs,
        ...(json === undefined ? {} : { json }),
      };
    } catch {
      if (Date.now() >= this.#options.deadline) throw new RunStopped('max-time');
      this.#failures += 1;
      if (this.#failures >= MAX_FAILURES) throw new RunStopped('server-gone');
      const failure = signal.aborted ? 'timeout' : 'connection';
      return { request, status: 0, headers: new Headers(), text: '', durationMs: performance.now() - started, failure };
    }
  }
}

function isEndless({ headers }: Response): boolean {
  return essenceOf(headers.get('content-type') ?? '') === 'text/event-stream';
}

/** A stream of events may have no end: its beginning is enough to see that there is one. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return value === undefined ? '' : new TextDecoder().decode(value);
}

/** How long the server asks to wait, in milliseconds. */
function retryDelay({ status, headers }: Exchange): number | undefined {
  const after = headers.get('retry-after');
  if (status !== 429 && !((status === 403 || status === 503) && after !== null)) return undefined;
  const seconds = Number(after);
  if (after !== null && Number.isFinite(seconds)) return Math.max(0, seconds * 1_000) + 5;
  const moment = after === null ? NaN : Date.parse(after);
  return Number.isNaN(moment) ? 1_000 : Math.max(0, moment - Date.now()) + 5;
}
