/** Something that a journal keeps, and how to drop it. */
export interface KeptCall {
  /** Bytes, roughly. */
  readonly size: number;
  readonly drop: () => void;
}

/** How much all journals of a process keep together, in bytes. */
const JOURNAL_BYTES: number = 64 * 1_024 * 1_024;

/** The share that is kept when the oldest calls are dropped; less than all, so that not every call drops some. */
const LEFT_AFTER = 0.9;

/** One limit for several journals: beyond it the oldest calls go, of whichever journal they are. */
export class JournalBudget {
  readonly #limit: number;
  /** In the order in which they came. */
  readonly #calls = new Set<KeptCall>();
  #bytes = 0;

  constructor(limit: number = JOURNAL_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: KeptCall): void {
    this.#calls.add(call);
    this.#bytes += call.size;
    if (this.#bytes <= this.#limit) return;
    for (const oldest of this.#calls) {
      if (this.#bytes <= this.#limit * LEFT_AFTER) return;
      this.remove(oldest);
      oldest.drop();
    }
  }

  /** A journal has dropped a call itself. */
  remove(call: KeptCall): void {
    if (this.#calls.delete(call)) this.#bytes -= call.size;
  }
}

/** That of this process. */
export const PROCESS_BUDGET: JournalBudget = new JournalBudget();
