import type { Random } from './random.js';

/**
 * Chooses between branches. Attempts count through the combinations like an odometer, so that no branch is tried twice
 * before all others were tried.
 */
export class Choices {
  readonly #random: Random;
  readonly #attempt: number;
  #stride = 1;

  constructor(random: Random, attempt: number) {
    this.#random = random;
    this.#attempt = attempt;
  }

  /** How many combinations were available. */
  get combinations(): number {
    return this.#stride;
  }

  /** Returns one of `items`: a random one first, or with `rank`, the lowest-ranked one first. */
  take<Item>(items: readonly Item[], rank?: (item: Item) => number): Item | undefined {
    const { length } = items;
    if (length === 0) return undefined;
    const digit = Math.floor(this.#attempt / this.#stride) % length;
    this.#stride = Math.min(this.#stride * length, 1_000_000);
    const start = this.#random.int(0, length - 1);
    if (digit === 0) return takeFirst(items, start, rank);
    const rotated = [...items.slice(start), ...items.slice(0, start)];
    const ordered = rank === undefined ? rotated : rotated.toSorted((a, b) => compareRanks(rank(a), rank(b)));
    return ordered[digit];
  }
}

/** The first item from `start` on, wrapping around; with `rank`, the first item of the lowest rank. */
function takeFirst<Item>(
  items: readonly Item[],
  start: number,
  rank: ((item: Item) => number) | undefined,
): Item | undefined {
  let found = items[start];
  if (rank === undefined || items.length === 1) return found;
  let lowest: number | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[(start + index) % items.length];
    const own = item === undefined ? Infinity : rank(item);
    if (lowest !== undefined && compareRanks(own, lowest) >= 0) continue;
    lowest = own;
    found = item;
  }
  return found;
}

/** Compares without subtraction, because `Infinity - Infinity` is not a number. */
function compareRanks(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
