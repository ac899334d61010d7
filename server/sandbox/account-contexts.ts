import type { HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { Store } from '../stores/store.js';
import { SEEDED } from './reserved-collections.js';

/** The most contexts that are kept; they are cheap to recreate. */
const KEPT_CONTEXTS = 1_000;

export interface ContextSource {
  readonly store: Store;
  readonly seed: MockDefinition['seed'];
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
    const { store, make, seed } = this.#source;
    const context = make(account);
    // The store records what is seeded, so that a restored state is not seeded again.
    if ((await store.get(SEEDED, key)) !== undefined) return context;
    await store.put(SEEDED, key, true);
    try {
      await seed?.(context);
    } catch (error) {
      await store.delete(SEEDED, key);
      throw error;
    }
    return context;
  }
}
