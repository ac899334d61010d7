import type { Caller, HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { StartData } from '../data/start-data.js';
import { type Store, collectionOf, splitCollection } from '../stores/store.js';
import type { Clock } from './clock-types.js';
import { createContext, reportError } from './handler-context.js';
import { JOBS, META, SEEDED, START_DATA } from './reserved-collections.js';
import type { Faults, Journal, Sandbox } from './sandbox.js';
import { storeJob } from './sandbox-clock.js';
import type { SandboxHost } from './sandbox-host.js';
import { storeCallback } from './webhook-queue.js';

/** The part of a sandbox that actions use: the accounts with their own state. */
export interface AccountsSandbox {
  /** In the order in which they were first seen. */
  accounts(): Promise<readonly string[]>;
  contextFor(caller: Pick<Caller, 'account'>): Promise<HandlerContext>;
}

interface ViewParts {
  readonly name: string;
  readonly host: SandboxHost;
  readonly store: Store;
  readonly random: HandlerContext['random'];
  readonly memory: Map<string, object>;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly now: () => number;
  readonly distrust: (urls: readonly string[]) => void;
}

/** A sandbox as one request or one connection uses it. Everything that it changes is a write to its store. */
export class SandboxView implements Sandbox, AccountsSandbox {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly random: Sandbox['random'];
  readonly distrust: Sandbox['distrust'];
  readonly #parts: ViewParts;
  readonly #contexts: AccountContexts;

  constructor(parts: ViewParts) {
    const { name, store, faults, journal, distrust, random } = parts;
    this.#parts = parts;
    this.name = name;
    this.store = store;
    this.faults = faults;
    this.journal = journal;
    this.random = random;
    this.distrust = distrust;
    this.clock = createClock(parts);
    this.#contexts = new AccountContexts({
      store,
      seed: parts.host.definition.seed,
      startData: parts.host.startData,
      make: (account) => this.#makeContext(account),
    });
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

  /** Forgets which accounts are seeded, because another state was loaded. */
  forgetContexts(): void {
    this.#contexts.clear();
  }

  #makeContext(account: string | undefined): HandlerContext {
    const { host, store, random, memory } = this.#parts;
    const { clock } = this;
    const sendCallback: HandlerContext['sendCallback'] = async (callback) => {
      try {
        await storeCallback(store, callback, clock.now());
      } catch (error) {
        const queue = splitCollection(callback.queue).name;
        reportError(this, `/__specmill/callbacks/${encodeURIComponent(queue)}`, error);
      }
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

/** Whether each account has its own state. */
export function isByAccount({ stateBy = 'sandbox' }: MockDefinition): boolean {
  return stateBy !== 'sandbox';
}

/** Returns the account whose state a caller sees; `undefined` if all callers share the state. */
function accountOf(definition: MockDefinition, { account }: Pick<Caller, 'account'>): string | undefined {
  const { stateBy } = definition;
  if (!isByAccount(definition)) return undefined;
  return typeof stateBy === 'function' ? stateBy(account) : account;
}

/** The most contexts that are kept; they are cheap to recreate. */
const KEPT_CONTEXTS = 1_000;

export interface ContextSource {
  readonly store: Store;
  readonly seed: MockDefinition['seed'];
  readonly startData?: StartData | undefined;
  /** Makes the context of an account; without one, that of the sandbox as a whole. */
  readonly make: (account: string | undefined) => HandlerContext;
}

/** The contexts of a sandbox by account. The first use of an account seeds it. */
export class AccountContexts {
  readonly #source: ContextSource;
  readonly #contexts = new Map<string, Promise<HandlerContext>>();

  constructor(source: ContextSource) {
    this.#source = source;
  }

  of(account: string | undefined): Promise<HandlerContext> {
    const key = account ?? '';
    const known = this.#contexts.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#contexts.keys();
    if (oldest !== undefined && this.#contexts.size >= KEPT_CONTEXTS) this.#contexts.delete(oldest);
    const opened = this.#open(account, key);
    this.#contexts.set(key, opened);
    // The next call tries again, for example when a full state has room again.
    opened.catch(() => {
      if (this.#contexts.get(key) === opened) this.#contexts.delete(key);
    });
    return opened;
  }

  clear(): void {
    this.#contexts.clear();
  }

  /** Returns the accounts that were seeded. */
  async accounts(): Promise<readonly string[]> {
    const { items } = await this.#source.store.query(SEEDED, {});
    return items.map(({ id }) => id);
  }

  async #open(account: string | undefined, key: string): Promise<HandlerContext> {
    const { store, make } = this.#source;
    const context = make(account);
    // The store records what is seeded, so that a restored state is not seeded again.
    if ((await store.get(SEEDED, key)) === undefined) await this.#seed(context, key);
    await this.#loadStartData(context, account);
    return context;
  }

  async #seed(context: HandlerContext, key: string): Promise<void> {
    const { store, seed } = this.#source;
    await store.put(SEEDED, key, true);
    try {
      await seed?.(context);
    } catch (error) {
      await store.delete(SEEDED, key);
      throw error;
    }
  }

  /** Loads the start data, unless the sandbox has had it: also that of files that have changed since. */
  async #loadStartData(context: HandlerContext, account: string | undefined): Promise<void> {
    const { store, startData } = this.#source;
    if (startData === undefined) return;
    const place = collectionOf(START_DATA, account);
    if ((await store.get(META, place))?.value === startData.hash) return;
    await startData.load(context);
    await store.put(META, place, startData.hash);
  }
}
