import type { HandlerContext } from '../handler-api.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import { type Store, forwardStore } from '../stores/store.js';
import { META, RANDOM } from './reserved-collections.js';
import type { JournalDraft } from './sandbox.js';
import type { SandboxRandom } from './sandbox-state.js';
import { type RandomState, SeededRandom } from './seeded-random.js';

/** The store of a request: its transaction, and after the commit the store itself, for streams that continue. */
export interface RequestStore extends Store {
  /** Makes each further call its own transaction. */
  readonly continueWith: (store: Store) => void;
  /** Makes further calls fail, because they belong to a failed attempt. */
  readonly drop: () => void;
}

export function createRequestStore(transaction: Store): RequestStore {
  let current: Store | undefined = transaction;
  const forwarding = forwardStore(async (call) => {
    if (current === undefined) throw new Error('The request was started again; this attempt does not count.');
    return call(current);
  });
  const replace = (store: Store | undefined): void => {
    current = store;
  };
  return { ...forwarding, continueWith: replace, drop: () => replace(undefined) };
}

/** The side effects of one attempt of a request. */
export class ReplicatedRequest {
  readonly store: RequestStore;
  readonly random: TransactionRandom;
  readonly #transaction: Transaction;
  readonly #drafts: JournalDraft[] = [];
  #addLater: ((draft: JournalDraft) => void) | undefined;

  constructor(transaction: Transaction, seed: number) {
    this.#transaction = transaction;
    this.store = createRequestStore(transaction);
    this.random = new TransactionRandom(transaction, seed);
  }

  get drafts(): readonly JournalDraft[] {
    return this.#drafts;
  }

  readonly addCall = (draft: JournalDraft): void => {
    if (this.#addLater === undefined) this.#drafts.push(draft);
    else this.#addLater(draft);
  };

  /** Called before the commit. Discards the writes of a failed request. */
  finish(): void {
    if (this.#drafts.some(({ failure }) => failure !== undefined)) this.#transaction.discard();
    else this.random.save();
  }

  /** Called after the commit. A response that is still being sent continues with the store itself. */
  settle(store: Store, addLater: (draft: JournalDraft) => void): void {
    this.#addLater = addLater;
    this.store.continueWith(store);
  }
}

/** The random numbers of a sandbox in a transaction. No two commits use the same numbers. */
class TransactionRandom implements SandboxRandom {
  readonly #transaction: Transaction;
  readonly #seed: number;
  #random: SeededRandom | undefined;

  constructor(transaction: Transaction, seed: number) {
    this.#transaction = transaction;
    this.#seed = seed;
  }

  get state(): RandomState {
    return this.#open().state;
  }

  readonly number: HandlerContext['random']['number'] = () => this.#open().number();
  readonly uuid: HandlerContext['random']['uuid'] = () => this.#open().uuid();
  readonly bytes: HandlerContext['random']['bytes'] = (length) => this.#open().bytes(length);
  readonly integer: HandlerContext['random']['integer'] = (min, max) => this.#open().integer(min, max);

  restore(state: RandomState): void {
    this.#open().restore(state);
  }

  /** Writes the random state if it was used. */
  save(): void {
    if (this.#random !== undefined) this.#transaction.write(META, RANDOM, this.#random.state);
  }

  #open(): SeededRandom {
    if (this.#random !== undefined) return this.#random;
    this.#random = new SeededRandom(this.#seed);
    const known = this.#transaction.read(META, RANDOM)?.value;
    if (known !== undefined) this.#random.restore(known as RandomState);
    return this.#random;
  }
}
