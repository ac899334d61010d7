/**
 * A small seeded source of random numbers. `fork` gives an independent source for a member or an item, so that the
 * draws of one part of a value never affect another part.
 */
export class Random {
  #state: number;
  readonly #origin: number;

  constructor(seed: number) {
    this.#origin = mix(seed | 0);
    this.#state = this.#origin;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number {
    return max <= min ? min : min + Math.floor(this.next() * (max - min + 1));
  }

  /** Whether an event of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new RangeError('Nothing to pick from.');
    return item as Item;
  }

  /** Returns an independent source for a part, the same for the same key regardless of earlier draws. */
  fork(key: string | number): Random {
    return new Random(
      typeof key === 'number' ? Math.imul(this.#origin ^ (key + 0x9e37), 0x85ebca6b) : hashText(key, this.#origin),
    );
  }
}

/** FNV-1a over UTF-16 code units, as a signed 32-bit integer. */
export function hashText(text: string, start = 0): number {
  let hash = start ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16);
}
