import type { HandlerContext } from '../handler-api.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import type { Store } from '../stores/store.js';
import { type RequestStore, createRequestStore } from './request-store.js';
import { META } from './reserved-collections.js';
import type { JournalDraft } from './sandbox.js';
import { type RandomState, SeededRandom } from './seeded-random.js';

const RANDOM = 'random';

/** The side effects of one attempt of a request. */
export class SharedRequest {
  readonly store: RequestStore;
  readonly random: TransactionRandom;
  readonly #transaction: Transaction;
  readonly #drafts: JournalDraft[] = [];
  #isOver = false;
  #addLater: (draft: JournalDraft) => void = () => {};

  constructor(transaction: Transaction, seed: number) {
    this.#transaction = transaction;
    this.store = createRequestStore(transaction);
    this.random = new TransactionRandom(transaction, seed);
  }

  get drafts(): readonly JournalDraft[] {
    return this.#drafts;
  }

  readonly addCall = (draft: JournalDraft): void => {
    if (this.#isOver) this.#addLater(draft);
    else this.#drafts.push(draft);
  };

  /** Called before the commit. Discards the writes of a failed request. */
  finish(): void {
    if (this.#drafts.some(({ failure }) => failure !== undefined)) this.#transaction.discard();
    else this.random.keep();
  }

  /** Called after the commit. A response that is still being sent continues with the store itself. */
  settle(store: Store, addLater: (draft: JournalDraft) => void): void {
    this.#isOver = true;
    this.#addLater = addLater;
    this.store.continueWith(store);
  }
}

/** The random numbers of a sandbox in a transaction. No two commits use the same numbers. */
export class TransactionRandom {
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

  /** Writes the random state if it has changed. */
  keep(): void {
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
