/** A call that a journal keeps. */
export interface KeptCall {
  /** Estimated bytes. */
  readonly size: number;
  readonly drop: () => void;
}

/** The most bytes that all journals of a process keep together. */
const JOURNAL_BYTES: number = 64 * 1_024 * 1_024;

/** The share that remains when the oldest calls are dropped; below 1, so that not every call drops some. */
const LEFT_AFTER = 0.9;

/** Limits several journals together: beyond the limit, the oldest calls of all journals are dropped. */
export class JournalBudget {
  readonly #limit: number;
  /** Oldest first. */
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

  /** Notes that a journal has dropped a call itself. */
  remove(call: KeptCall): void {
    if (this.#calls.delete(call)) this.#bytes -= call.size;
  }
}

/** The budget of this process. */
export const PROCESS_BUDGET: JournalBudget = new JournalBudget();
