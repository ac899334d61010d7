/** A stored item. Its value is frozen; a change replaces it. */
export interface StoredItem {
  readonly id: string;
  /** The position in the order of creation. */
  readonly sequence: number;
  value: unknown;
  version: number;
}

/**
 * Items in the order of creation. New items are appended; others are found by a binary search for their sequence.
 * Deleted items are removed together at the next read, because removing one takes time proportional to the length of
 * the list.
 */
export class OrderedItems {
  #items: StoredItem[] = [];
  readonly #deleted = new Set<StoredItem>();

  get items(): readonly StoredItem[] {
    if (this.#deleted.size > 0) {
      this.#items = this.#items.filter((item) => !this.#deleted.has(item));
      this.#deleted.clear();
    }
    return this.#items;
  }

  get size(): number {
    return this.#items.length - this.#deleted.size;
  }

  add(item: StoredItem): void {
    if (this.#deleted.delete(item)) return;
    const last = this.#items.at(-1);
    if (last === undefined || last.sequence < item.sequence) this.#items.push(item);
    else this.#items.splice(this.#placeOf(item), 0, item);
  }

  delete(item: StoredItem): void {
    if (this.#items[this.#placeOf(item)] === item) this.#deleted.add(item);
    if (this.size === 0) {
      this.#items = [];
      this.#deleted.clear();
    }
  }

  /** Returns the first index whose item is not before this one. */
  #placeOf({ sequence }: StoredItem): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.sequence ?? Infinity) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
