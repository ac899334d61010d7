/** An item as the store keeps it. Its value is frozen, so a change makes a new one in the same place. */
export interface StoredItem {
  readonly id: string;
  /** Grows with each creation: the order of items. */
  readonly sequence: number;
  value: unknown;
  version: number;
}

/**
 * Items in the order of creation. New ones come at the end; what is elsewhere is found by its sequence. Deleted items leave
 * the list when it is read next, all at once: to close the gap of each takes time in the length of the list.
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

  /** The first place whose item is not before this one. */
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
