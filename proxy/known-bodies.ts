import type { Violation } from '../http/messages.js';

/** A body that was checked. */
interface KnownBody {
  readonly type: unknown;
  readonly bytes: Uint8Array;
  readonly violations: readonly Violation[];
}

/** The most bytes that are kept, of all bodies together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Shorter bodies are checked in the time that it takes to keep them. */
const FEWEST_BYTES = 1024;

/**
 * The last body of each description of a response, with its violations: clients that poll get the same bytes again and
 * again, and to compare 100 kB takes some µs where parsing and checking takes a millisecond.
 */
export class KnownBodies {
  readonly #bodies = new Map<object, KnownBody>();
  #size = 0;

  /** The violations of a body. `type` is its media type with parameters, which says how bytes are read. */
  check(
    description: object,
    { bytes, type }: Pick<KnownBody, 'bytes' | 'type'>,
    find: () => readonly Violation[],
  ): readonly Violation[] {
    const known = this.#bodies.get(description);
    if (known !== undefined && known.type === type && Buffer.compare(known.bytes, bytes) === 0) return known.violations;
    const violations = find();
    this.#forget(description);
    if (bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES) {
      // A copy, because the bytes can be a part of a larger buffer.
      this.#bodies.set(description, { type, bytes: Uint8Array.from(bytes), violations });
      this.#size += bytes.length;
      for (const [oldest] of this.#bodies) {
        if (this.#size <= MOST_BYTES) break;
        this.#forget(oldest);
      }
    }
    return violations;
  }

  #forget(description: object): void {
    this.#size -= this.#bodies.get(description)?.bytes.length ?? 0;
    this.#bodies.delete(description);
  }
}
