/** Returns the items of an iterator in order, and can create the next one ahead of time. */
export class Prefetcher<Item> {
  readonly #source: Iterator<Item>;
  #made: { readonly result: IteratorResult<Item> } | { readonly error: unknown } | undefined;

  constructor(source: Iterable<Item>) {
    this.#source = source[Symbol.iterator]();
  }

  /** Creates the next item unless it exists already. `take` throws its error. */
  fill(): void {
    if (this.#made !== undefined) return;
    try {
      this.#made = { result: this.#source.next() };
    } catch (error) {
      this.#made = { error };
    }
  }

  /** The next item, or `undefined`. */
  take(): Item | undefined {
    this.fill();
    const made = this.#made;
    if (made !== undefined && 'error' in made) throw made.error;
    if (made === undefined || made.result.done === true) return undefined;
    this.#made = undefined;
    return made.result.value;
  }
}
