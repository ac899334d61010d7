import { type MemberReader, createMemberReader } from './member-path.js';

/** An item as the store keeps it. Its value is frozen, so a change makes a new one in the same place. */
export interface StoredItem {
  readonly id: string;
  /** Grows with each creation: the order of items. */
  readonly sequence: number;
  value: unknown;
  version: number;
}

/** The items that have one value at the path of an index. */
interface Posting {
  items: Set<StoredItem>;
  /** The greatest sequence so far: items that come in order need no sorting. */
  last: number;
  isSorted: boolean;
}

/** Which items have which value at a path, so that `equals` need not look at every item. */
export class PostingIndex {
  readonly #read: MemberReader;
  readonly #postings = new Map<string, Posting>();

  constructor(path: string) {
    this.#read = createMemberReader(path);
  }

  /** The value of an item changes; `undefined`: the item is not there before, or not after. */
  change(item: StoredItem, before: unknown, after: unknown): void {
    const [left, entered] = [this.#keys(before), this.#keys(after)];
    for (const key of left) if (!entered.has(key)) this.#remove(item, key);
    for (const key of entered) if (!left.has(key)) this.#add(item, key);
  }

  #remove(item: StoredItem, key: string): void {
    const posting = this.#postings.get(key);
    posting?.items.delete(item);
    if (posting?.items.size === 0) this.#postings.delete(key);
  }

  #add(item: StoredItem, key: string): void {
    const posting = this.#postings.get(key) ?? { items: new Set(), last: -1, isSorted: true };
    this.#postings.set(key, posting);
    posting.items.add(item);
    if (item.sequence < posting.last) posting.isSorted = false;
    else posting.last = item.sequence;
  }

  /** The items with this value, in the order of creation. There may be too many (other values with the same key), never too few. */
  find(value: unknown): ReadonlySet<StoredItem> {
    const posting = this.#postings.get(indexKey(value));
    if (posting === undefined) return new Set();
    if (!posting.isSorted) {
      posting.items = new Set([...posting.items].sort((one, other) => one.sequence - other.sequence));
      posting.isSorted = true;
    }
    return posting.items;
  }

  #keys(value: unknown): ReadonlySet<string> {
    return new Set(value === undefined ? [] : this.#read(value).map((one) => indexKey(one)));
  }
}

/** Objects and lists share one key each: they are rarely asked for, and the condition is tested anyway. */
function indexKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'list' : 'object';
  // A zero has one key, whatever its sign.
  return `${typeof value}${value === 0 ? '0' : String(value)}`;
}
