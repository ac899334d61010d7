/** An item as the store keeps it. Its value is frozen, so a change makes a new one in the same place. */
export interface StoredItem {
  readonly id: string;
  /** Grows with each creation: the order of items. */
  readonly sequence: number;
  value: unknown;
  version: number;
}

/** Items in the order of creation. New ones come at the end; what is elsewhere is found by its sequence. */
export class OrderedItems {
  readonly #items: StoredItem[] = [];

  get items(): readonly StoredItem[] {
    return this.#items;
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: StoredItem): void {
    const last = this.#items.at(-1);
    if (last === undefined || last.sequence < item.sequence) this.#items.push(item);
    else this.#items.splice(this.#placeOf(item), 0, item);
  }

  delete(item: StoredItem): void {
    const place = this.#placeOf(item);
    if (this.#items[place] === item) this.#items.splice(place, 1);
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
