import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Store } from '../stores/store.js';
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
  /** Resolves when nothing can be missed any more. */
  readonly ready: Promise<void>;
  readonly stop: () => void;
}

/** A watcher that reads too slowly loses the oldest changes beyond this number. */
const MOST_WAITING = 1_000;
/** So often a comment keeps the connection open through proxies. Milliseconds. */
const HEARTBEAT = 15_000;

/** The watchers of a sandbox. Without a watcher an event costs one comparison. */
export class SandboxEvents {
  readonly #watchers = new Set<Watcher>();
  #isStatePending = false;
  #startWatching: (() => Watching) | undefined;
  #watching: Watching | undefined;

  /** Starts something with the first watcher, which stops when the last one has gone. */
  onWatched(start: () => Watching): void {
    this.#startWatching = start;
  }

  /** Tells every watcher; `make` is called only where there is one. */
  emit(make: () => SandboxChange): void {
    if (this.#watchers.size === 0) return;
    const change = make();
    for (const watcher of this.#watchers) watcher.add(change);
  }

  emitClock(clock: SandboxClock): void {
    this.emit(() => ({ type: 'clock', now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen }));
  }

  /** Which faults are left. */
  emitFaults(faults: Faults): void {
    this.emit(() => ({ type: 'faults', faults: faults.list() }));
  }

  /** Nothing is as it was. */
  emitAll({ clock, faults }: { readonly clock: SandboxClock; readonly faults: Faults }): void {
    this.emitState();
    this.emitClock(clock);
    this.emitFaults(faults);
  }

  /** The writes of one turn of the event loop are one change of the state. */
  emitState(): void {
    if (this.#watchers.size === 0 || this.#isStatePending) return;
    this.#isStatePending = true;
    setImmediate(() => {
      this.#isStatePending = false;
      this.emit(() => ({ type: 'state' }));
    });
  }

  /** The changes from now on, as a stream of server-sent events; it ends with the signal or with the sandbox. */
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

  /** Whether something came before the time for a heartbeat. */
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

/** A store that reports each write. */
export function reportWrites(store: Store, onWrite: () => void): Store {
  const after = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written;
    onWrite();
    return result;
  };
  return {
    get: (collection, id) => store.get(collection, id),
    query: (collection, query) => store.query(collection, query),
    collections: () => store.collections(),
    dump: () => store.dump(),
    put: (...write) => after(store.put(...write)),
    delete: (collection, id) => after(store.delete(collection, id)),
    update: (collection, id, change) => after(store.update(collection, id, change)),
    clear: () => after(store.clear()),
    load: (contents) => after(store.load(contents)),
  };
}
