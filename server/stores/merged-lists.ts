import type { SortedList } from './sorted-list.js';

/** How many items a walk takes from the lists at once. */
const CHUNK = 512;

/**
 * Sorted lists read as one. No item is in two of them. A slice costs its length for each list, and the square of the
 * logarithm, wherever it starts.
 */
export class MergedLists<T> {
  readonly #lists: readonly SortedList<T>[];
  readonly #compare: (one: T, other: T) => number;
  readonly size: number;

  constructor(lists: readonly SortedList<T>[], compare: (one: T, other: T) => number) {
    this.#lists = lists;
    this.#compare = compare;
    this.size = lists.reduce((sum, { size }) => sum + size, 0);
  }

  /** The number of items before this one, which may be absent. */
  positionOf(item: T): number {
    return this.#lists.reduce((sum, list) => sum + list.positionOf(item), 0);
  }

  slice(start: number, end: number): readonly T[] {
    const count = Math.min(end, this.size) - start;
    if (count <= 0) return [];
    const parts = this.#lists.flatMap((list) => {
      const first = this.#countBefore(list, start);
      return list.slice(first, first + count);
    });
    return parts.toSorted(this.#compare).slice(0, count);
  }

  /** Calls `visit` with each item, until it returns `false`. */
  walk(visit: (item: T) => boolean): void {
    for (let start = 0; start < this.size; start += CHUNK)
      for (const item of this.slice(start, start + CHUNK)) if (!visit(item)) return;
  }

  /** How many of the first items of all lists are in this one. */
  #countBefore(list: SortedList<T>, count: number): number {
    let [low, high] = [0, count === 0 ? 0 : list.size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [item] = list.slice(middle, middle + 1);
      if (item === undefined || this.positionOf(item) >= count) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
