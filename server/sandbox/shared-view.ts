import { storeJob } from './sandbox-clock.js';
import type { Caller, HandlerContext } from '../handler-api.js';
import type { Store } from '../stores/store.js';
import type { Clock } from './clock-types.js';
import { type AccountsSandbox, accountOf } from './controlled-sandbox.js';
import { countUp, createContext } from './handler-context.js';
import { CALLBACKS, COUNTERS, FOREIGN, JOBS } from './reserved-collections.js';
import type { Faults, Journal, JournalDraft, Sandbox } from './sandbox.js';
import type { SandboxHost } from './sandbox-host.js';
import { SeededContexts } from './account-contexts.js';
import { limitForeign, toWaiting } from './webhook-queue.js';

export interface ViewParts {
  readonly name: string;
  readonly host: SandboxHost;
  readonly store: Store;
  readonly random: HandlerContext['random'];
  readonly memory: Map<string, object>;
  readonly now: () => number;
  readonly faults: Faults;
  readonly addCall: (draft: JournalDraft) => void;
  readonly countForeign: () => number;
}

/** A shared sandbox for one request or one connection. */
export class SharedView implements Sandbox, AccountsSandbox {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly #parts: ViewParts;
  readonly #contexts: SeededContexts;

  constructor(parts: ViewParts) {
    const { name, store, faults, addCall } = parts;
    this.#parts = parts;
    this.name = name;
    this.store = store;
    this.faults = faults;
    this.clock = createClock(parts);
    // Handlers only add to the journal.
    this.journal = { add: addCall, entries: () => [], clear: () => {} };
    this.#contexts = new SeededContexts({
      store,
      seed: parts.host.definition.seed,
      make: (account) => this.#makeContext(account),
    });
  }

  distrust(urls: readonly string[]): void {
    if (urls.length === 0) return;
    limitForeign(this.#parts.countForeign() + urls.length);
    for (const url of urls) this.store.put(FOREIGN, url, true).catch(() => {});
  }

  accounts(): Promise<readonly string[]> {
    return this.#contexts.accounts();
  }

  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext> {
    return this.contextOf(accountOf(this.#parts.host.definition, caller));
  }

  /** Returns the context of an account, which is seeded on first use. */
  contextOf(account: string | undefined): Promise<HandlerContext> {
    return this.#contexts.of(account);
  }

  #makeContext(account: string | undefined): HandlerContext {
    const { host, store, random, memory, now } = this.#parts;
    const { clock } = this;
    const sendCallback: HandlerContext['sendCallback'] = async (callback) => {
      await store.put(CALLBACKS, String(await countUp(store, COUNTERS, CALLBACKS)), toWaiting(callback, now()));
    };
    return createContext({ store, clock, random, memory, sendCallback }, host, account);
  }
}

/** A clock that plans jobs by writing them to the store. */
function createClock({ store, now }: ViewParts): Clock {
  return {
    now,
    schedule: (job) => storeJob(store, job),
    cancel: async (id) => {
      await store.delete(JOBS, id);
    },
  };
}
