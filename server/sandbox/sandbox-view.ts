import type { Caller, HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import { splitCollection } from '../stores/collection-names.js';
import type { Store } from '../stores/store.js';
import { AccountContexts } from './account-contexts.js';
import type { Clock } from './clock-types.js';
import { createContext, reportError } from './handler-context.js';
import { JOBS } from './reserved-collections.js';
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
  readonly distrust: Sandbox['distrust'];
  readonly #parts: ViewParts;
  readonly #contexts: AccountContexts;

  constructor(parts: ViewParts) {
    const { name, store, faults, journal, distrust } = parts;
    this.#parts = parts;
    this.name = name;
    this.store = store;
    this.faults = faults;
    this.journal = journal;
    this.distrust = distrust;
    this.clock = createClock(parts);
    this.#contexts = new AccountContexts({
      store,
      seed: parts.host.definition.seed,
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
