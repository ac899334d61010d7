import type { Condition } from './store.js';
import { compareValues } from './predicates.js';
import { type MemberReader, createMemberReader } from './member-path.js';
import type { StoredItem } from './ordered-items.js';

/**
 * Watches whether a member grows from each item to the next: then the order of creation is the order by that member, and
 * items between two bounds are adjacent.
 */
export class RisingMember {
  readonly #read: MemberReader;
  #last: unknown;
  #isRising = true;

  constructor(path: string) {
    this.#read = createMemberReader(path);
  }

  get isRising(): boolean {
    return this.#isRising;
  }

  /** A new item, at the end. */
  add(value: unknown): void {
    const [member, ...others] = this.#read(value);
    if (others.length > 0 || compareValues(member, this.#last) <= 0) this.#isRising = false;
    this.#last = member;
  }

  /** An item changes where it is. */
  change(before: unknown, after: unknown): void {
    const [member, ...others] = this.#read(after);
    if (others.length > 0 || compareValues(this.#read(before)[0], member) !== 0) this.#isRising = false;
  }

  /** The items that a bound of this member leaves, of some that are in the order of creation. */
  narrow(items: readonly StoredItem[], { test, value }: Pick<Condition, 'test' | 'value'>): readonly StoredItem[] {
    if (!this.#isRising) return items;
    if (test === 'from') return items.slice(this.#placeIn(items, (member) => compareValues(member, value) >= 0));
    if (test === 'to')
      return items.slice(
        0,
        this.#placeIn(items, (member) => compareValues(member, value) > 0),
      );
    return items;
  }

  /** The first place from which on all members are beyond. */
  #placeIn(items: readonly StoredItem[], isBeyond: (member: unknown) => boolean): number {
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBeyond(this.#read(items[middle]?.value)[0])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
