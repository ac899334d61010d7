/** The most bytes (estimated) of the indexes of a process. */
const MOST_BYTES: number = 96 * 1_024 * 1_024;

/** What an index takes of a budget. */
export interface IndexShare {
  /** Notes memory that the index takes, or returns. */
  grow(bytes: number): void;
  /** Notes that the index was used. */
  touch(): void;
  /** Notes that the index is empty and not used any more. */
  close(): void;
}

interface Known {
  /** A collection may be gone with its indexes, so the budget does not keep them. */
  readonly index: WeakRef<{ drop(): void }>;
  bytes: number;
}

/** Bounds the memory of all indexes together. The least recently used ones are dropped; the next query makes them again. */
export class IndexBudget {
  readonly #most: number;
  /** The least recently used one comes first. */
  readonly #known = new Set<Known>();
  #bytes = 0;

  constructor(most: number = MOST_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether an index of this size may be made at all. */
  allows(bytes: number): boolean {
    return bytes <= this.#most / 2;
  }

  open(index: { drop(): void }): IndexShare {
    const known: Known = { index: new WeakRef(index), bytes: 0 };
    this.#known.add(known);
    return {
      grow: (bytes) => this.#grow(known, bytes),
      touch: () => {
        if (this.#known.delete(known)) this.#known.add(known);
      },
      close: () => {
        if (this.#known.has(known)) this.#forget(known);
      },
    };
  }

  #grow(known: Known, bytes: number): void {
    if (!this.#known.has(known)) return;
    known.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > this.#most) this.#shrink();
  }

  #shrink(): void {
    for (const known of this.#known) if (known.index.deref() === undefined) this.#forget(known);
    for (const known of this.#known) {
      if (this.#bytes <= this.#most) return;
      this.#forget(known);
      known.index.deref()?.drop();
    }
  }

  #forget(known: Known): void {
    this.#known.delete(known);
    this.#bytes -= known.bytes;
  }
}

/** The budget of this process. */
export const PROCESS_INDEXES: IndexBudget = new IndexBudget();
