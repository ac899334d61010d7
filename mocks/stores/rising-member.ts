import { compareValues } from './conditions.js';
import { type MemberReader, createMemberReader } from './member-path.js';

/** Watches whether a member grows from each item to the next: then the order of creation is the order by that member. */
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
    const [member] = this.#read(value);
    if (compareValues(member, this.#last) <= 0) this.#isRising = false;
    this.#last = member;
  }

  /** An item changes where it is. */
  change(before: unknown, after: unknown): void {
    if (compareValues(this.#read(before)[0], this.#read(after)[0]) !== 0) this.#isRising = false;
  }
}
