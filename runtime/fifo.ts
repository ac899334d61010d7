/** A queue whose first item is taken in constant time. `Array.shift` moves all others of a long list. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#first];
    if (this.#first < this.#items.length) this.#items[this.#first++] = undefined;
    // Half of the list is used up: its places are freed, so that each item is moved once on average.
    if (this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
