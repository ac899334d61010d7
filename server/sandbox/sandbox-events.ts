import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Fault, Faults, JournalEntry } from './sandbox.js';
import type { SandboxClock } from './sandbox-clock.js';

/** A change of a sandbox, as `/__specmill/events` sends it. */
export type SandboxChange =
  | { readonly type: 'journal'; readonly entry: JournalEntry }
  | { readonly type: 'state' }
  | { readonly type: 'clock'; readonly now: string; readonly frozen: boolean }
  | { readonly type: 'faults'; readonly faults: readonly Fault[] };

/** Work that runs while a sandbox has watchers. */
export interface Watching {
  /** Resolves when all later changes are seen. */
  readonly ready: Promise<void>;
  readonly stop: () => void;
}

/** The most changes that wait for a slow watcher; the oldest are dropped. */
const MOST_WAITING = 1_000;
/** The interval of comments that keep the connection open through proxies. Milliseconds. */
const HEARTBEAT = 15_000;

/** The watchers of a sandbox. Without watchers, an event costs one comparison. */
export class SandboxEvents {
  readonly #watchers = new Set<Watcher>();
  #isStatePending = false;
  #startWatching: (() => Watching) | undefined;
  #watching: Watching | undefined;

  /** Starts work with the first watcher and stops it when the last one has gone. */
  onWatched(start: () => Watching): void {
    this.#startWatching = start;
  }

  /** Sends a change to every watcher. Calls `make` only if there are any. */
  emit(make: () => SandboxChange): void {
    if (this.#watchers.size === 0) return;
    const change = make();
    for (const watcher of this.#watchers) watcher.add(change);
  }

  emitClock(clock: SandboxClock): void {
    this.emit(() => ({ type: 'clock', now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen }));
  }

  emitFaults(faults: Faults): void {
    this.emit(() => ({ type: 'faults', faults: faults.list() }));
  }

  /** Reports all writes of one turn of the event loop as one change. */
  emitState(): void {
    if (this.#watchers.size === 0 || this.#isStatePending) return;
    this.#isStatePending = true;
    setImmediate(() => {
      this.#isStatePending = false;
      this.emit(() => ({ type: 'state' }));
    });
  }

  /** Streams the changes from now on as server-sent events, until the signal aborts or the sandbox ends. */
  async *stream(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const watcher = new Watcher();
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#watching = this.#startWatching?.();
    const end = (): void => watcher.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      const encoder = new TextEncoder();
      await this.#watching?.ready;
      yield encoder.encode(': open\n\n');
      for await (const text of watcher.read()) yield encoder.encode(text);
    } finally {
      signal.removeEventListener('abort', end);
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#watching?.stop();
    }
  }

  end(): void {
    for (const watcher of this.#watchers) watcher.end();
  }
}

class Watcher {
  #waiting: SandboxChange[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  add(change: SandboxChange): void {
    if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift();
    this.#waiting.push(change);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<string> {
    while (!this.#isEnded) {
      const changes = this.#waiting;
      this.#waiting = [];
      for (const change of changes) yield `data: ${stringifyExactJson(change)}\n\n`;
      if (this.#waiting.length === 0 && !this.#isEnded && !(await this.#next())) yield ': still here\n\n';
    }
  }

  /** Resolves to whether a change came before the next heartbeat. */
  #next(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), HEARTBEAT).unref();
      const done = (came: boolean): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(came);
      };
      this.#wake = () => done(true);
    });
  }
}
