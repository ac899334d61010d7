import { setImmediate as nextTurn } from 'node:timers/promises';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { HandlerContext } from '../handler-api.js';
import { HttpError } from '../../http/http-error.js';
import type { Clock } from './clock-types.js';
import type { Store } from '../stores/store.js';
import { countUp } from './handler-context.js';
import { CALLBACKS, COUNTERS } from './reserved-collections.js';
import { type CallbackPolicy, type PostResult, postCallback } from './webhook-post.js';

/** The name of the job that retries a callback. */
export const RETRY_JOB = '#retry-callback';

/** The delays before each retry of a failed callback, in milliseconds of the sandbox's clock. Then it is given up. */
const RETRY_AFTER = [1_000, 5_000, 30_000];

/** The most URLs of web pages that are kept; further ones are refused. */
const MAX_FOREIGN = 10_000;

/** @throws HttpError 429 if web pages have given too many URLs. */
export function limitForeign(count: number): void {
  if (count > MAX_FOREIGN) throw new HttpError(429, 'Too many callback URLs were given by web pages of other origins.');
}

export interface WaitingCallback {
  readonly queue: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: number;
  /** Epoch milliseconds of the sandbox's clock. */
  readonly notBefore: number;
}

export interface CallbackHost {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: CallbackPolicy;
  /** Called after an attempt that delivered the callback, or that will be retried after `retryAfter` milliseconds. */
  readonly onAttempt: (callback: WaitingCallback, result: PostResult, retryAfter?: number) => void;
  /** Called for each callback that is given up. */
  readonly onLost: (callback: WaitingCallback, result: PostResult) => void;
  /** Runs work unless another process works on the queue. */
  readonly alone: (queue: string, work: () => Promise<void>) => Promise<void>;
  /** Whether a web page of another origin has given the URL. Such pages could attack other services of this machine. */
  readonly isForeign: (url: string) => Promise<boolean>;
}

/** Adds a callback to the end of its queue. It is sent when those before it are delivered or given up. */
export async function storeCallback(store: Store, callback: OutgoingCallback, now: number): Promise<void> {
  await store.put(CALLBACKS, String(await countUp(store, COUNTERS, CALLBACKS)), toWaiting(callback, now));
}

type OutgoingCallback = Parameters<HandlerContext['sendCallback']>[0];

function toWaiting({ url, queue, body, headers = {} }: OutgoingCallback, now: number): WaitingCallback {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  return {
    queue,
    url,
    body,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(texts) },
    attempts: 0,
    notBefore: now,
  };
}

/** Delivers callbacks, those of one queue strictly one after another. */
export class CallbackQueues {
  readonly #host: CallbackHost;
  readonly #running = new Map<string, Promise<void>>();
  /** Queues that got new callbacks while they were being processed. */
  readonly #wanted = new Set<string>();
  #stop = new AbortController();

  constructor(host: CallbackHost) {
    this.#host = host;
  }

  /** Processes a queue, unless another process does. */
  wake(queue: string): void {
    if (this.#running.has(queue)) {
      this.#wanted.add(queue);
      return;
    }
    const stop = this.#stop;
    const run = this.#work(queue, stop.signal)
      .catch(() => {})
      .finally(() => {
        if (this.#running.get(queue) === run) this.#running.delete(queue);
        if (this.#wanted.delete(queue) && !stop.signal.aborted) this.wake(queue);
      });
    this.#running.set(queue, run);
  }

  /** Resolves when no delivery is running. Does not wait for callbacks that wait for their next attempt. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Aborts running deliveries. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.settle();
    this.#wanted.clear();
    this.#stop = new AbortController();
  }

  /** Processes the callbacks in the store. */
  async resume(): Promise<void> {
    const { items } = await this.#host.store.query(CALLBACKS, {});
    for (const queue of new Set(items.map(({ value }) => (value as WaitingCallback).queue))) this.wake(queue);
  }

  async #work(queue: string, signal: AbortSignal): Promise<void> {
    // Lets the operation that sends a callback finish first.
    await nextTurn();
    await this.#host.alone(queue, () => this.#drain(queue, signal));
  }

  async #drain(queue: string, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#host;
    while (!signal.aborted) {
      const { items } = await store.query(CALLBACKS, {
        where: [{ path: 'queue', test: 'equals', value: queue }],
        take: 1,
      });
      const [first] = items;
      const callback = first?.value as WaitingCallback | undefined;
      if (first === undefined || callback === undefined || callback.notBefore > clock.now()) return;
      const result = await this.#attempt(callback, signal);
      if (signal.aborted) return;
      const wait = RETRY_AFTER[callback.attempts];
      if (result.outcome !== 'failed' || wait === undefined) {
        await store.delete(CALLBACKS, first.id);
        if (result.outcome === 'delivered') this.#host.onAttempt(callback, result);
        else this.#host.onLost(callback, result);
      } else {
        const notBefore = clock.now() + wait;
        await store.put(CALLBACKS, first.id, { ...callback, attempts: callback.attempts + 1, notBefore });
        await clock.schedule({ id: `${RETRY_JOB} ${queue}`, name: RETRY_JOB, dueAt: notBefore, payload: { queue } });
        this.#host.onAttempt(callback, result, wait);
        return;
      }
    }
  }

  async #attempt({ url, body, headers }: WaitingCallback, signal: AbortSignal): Promise<PostResult> {
    const isForeign = URL.canParse(url) && (await this.#host.isForeign(new URL(url).href));
    const policy = isForeign ? 'remote' : this.#host.policy;
    if (isForeign && this.#host.policy === 'loopback')
      return { outcome: 'refused', reason: 'The callback was not sent: a web page of another origin ordered it.' };
    return postCallback({ url, headers, signal, text: stringifyExactJson(body ?? null), policy });
  }
}
