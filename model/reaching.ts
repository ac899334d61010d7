import { getOrInsert } from './maps.js';

/**
 * Tells of each name in a graph whether it has a property or leads to a name that has it. Visits only what is asked
 * for: a request needs a few dozen of the thousand schemas of a large API.
 */
export class Reaching {
  readonly #own = new Map<string, boolean>();
  readonly #known = new Map<string, boolean>();
  readonly #holds: (name: string) => boolean;
  readonly #next: (name: string) => Iterable<string>;

  /** @param next - returns the names that a name leads to. */
  constructor(holds: (name: string) => boolean, next: (name: string) => Iterable<string>) {
    this.#holds = holds;
    this.#next = next;
  }

  has(start: string): boolean {
    return getOrInsert(this.#known, start, () => this.#search(start));
  }

  #search(start: string): boolean {
    const found = new Set([start]);
    // The set grows during the loop.
    for (const name of found) {
      const known = this.#known.get(name);
      if (known === true || (known === undefined && getOrInsert(this.#own, name, () => this.#holds(name)))) return true;
      if (known === undefined) for (const next of this.#next(name)) found.add(next);
    }
    for (const name of found) this.#known.set(name, false);
    return false;
  }
}
