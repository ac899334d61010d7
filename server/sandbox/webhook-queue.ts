import { stringifyExactJson } from '../../runtime/json-integers.js';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { HandlerContext } from '../handler-api.js';
import { HttpError } from '../../http/http-error.js';
import type { Clock } from './clock.js';
import type { Store } from '../stores/store.js';
import { CALLBACKS } from './reserved-collections.js';
import { type CallbackPolicy, type PostResult, postCallback } from './webhook-post.js';

/** The name of the job that tries a callback again. */
export const RETRY_JOB = '#retry-callback';

/** When a callback that failed is sent again, in milliseconds of the sandbox's clock. Then it is given up. */
const RETRY_AFTER = [1_000, 5_000, 30_000];

/** How many addresses are kept; web pages that name more are refused. */
const MAX_FOREIGN = 10_000;

/** @throws HttpError 429 if web pages have named too many addresses. */
export function limitForeign(count: number): void {
  if (count > MAX_FOREIGN) throw new HttpError(429, 'Too many callback addresses of web pages.');
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
  /** Numbers callbacks in the order in which they were sent. */
  readonly nextId: () => Promise<string>;
  /** Called after an attempt that has delivered a callback, or that another attempt follows (`retryAfter`, milliseconds). */
  readonly onAttempt: (callback: WaitingCallback, result: PostResult, retryAfter?: number) => void;
  /** Called for each callback that will never arrive. */
  readonly onLost: (callback: WaitingCallback, result: PostResult) => void;
  /** Does something while no other process works on the queue; does nothing if one does. */
  readonly alone?: (queue: string, work: () => Promise<void>) => Promise<void>;
  /** Whether a web page of another origin has named the address, as far as other processes know. */
  readonly isForeign?: (url: string) => Promise<boolean>;
}

export type OutgoingCallback = Parameters<HandlerContext['sendCallback']>[0];

/** A callback as it waits for its turn. */
export function toWaiting({ url, queue, body, headers = {} }: OutgoingCallback, now: number): WaitingCallback {
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
  /** Addresses that a web page of another origin has named. */
  readonly #foreign = new Set<string>();
  /** Queues that got something new while they were being worked on. */
  readonly #wanted = new Set<string>();
  #stop = new AbortController();

  constructor(host: CallbackHost) {
    this.#host = host;
  }

  /** Puts a callback at the end of its queue. It is sent as soon as those before it have arrived or are given up. */
  async send(outgoing: OutgoingCallback): Promise<void> {
    const callback = toWaiting(outgoing, this.#host.clock.now());
    await this.#host.store.put(CALLBACKS, await this.#host.nextId(), callback);
    this.wake(outgoing.queue);
  }

  /** Callbacks to these addresses never go to this machine: a web page could reach its other services through them. */
  distrust(urls: readonly string[]): void {
    limitForeign(this.#foreign.size + urls.length);
    for (const url of urls) this.#foreign.add(url);
  }

  /** Works on a queue, unless another process does. */
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

  /** Resolves when no delivery is under way; callbacks that wait for their next attempt do not count. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Breaks off what is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.settle();
    this.#wanted.clear();
    this.#stop = new AbortController();
  }

  /** Goes on with what the store holds. */
  async resume(): Promise<void> {
    const { items } = await this.#host.store.query(CALLBACKS, {});
    for (const queue of new Set(items.map(({ value }) => (value as WaitingCallback).queue))) this.wake(queue);
  }

  async #work(queue: string, signal: AbortSignal): Promise<void> {
    const { alone } = this.#host;
    // The operation that sends a callback finishes its own work first.
    await nextTurn();
    const drain = (): Promise<void> => this.#drain(queue, signal);
    await (alone === undefined ? drain() : alone(queue, drain));
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
    const isForeign = URL.canParse(url) && (await this.#isForeign(new URL(url).href));
    const policy = isForeign ? 'remote' : this.#host.policy;
    if (isForeign && this.#host.policy === 'loopback')
      return { outcome: 'refused', reason: 'The callback was not sent: a web page of another origin ordered it.' };
    return postCallback({ url, headers, signal, text: stringifyExactJson(body ?? null), policy });
  }

  async #isForeign(url: string): Promise<boolean> {
    return this.#foreign.has(url) || (await this.#host.isForeign?.(url)) === true;
  }
}
