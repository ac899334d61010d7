import { type MemberReader, createMemberReader } from './member-path.js';
import { OrderedItems, type StoredItem } from './ordered-items.js';

/** Which items have which value at a path, so that `equals` need not look at every item. */
export class PostingIndex {
  readonly #read: MemberReader;
  readonly #postings = new Map<string, OrderedItems>();

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
    posting?.delete(item);
    if (posting?.size === 0) this.#postings.delete(key);
  }

  #add(item: StoredItem, key: string): void {
    const posting = this.#postings.get(key) ?? new OrderedItems();
    this.#postings.set(key, posting);
    posting.add(item);
  }

  /** The items with this value, in the order of creation. There may be too many (other values with the same key), never too few. */
  find(value: unknown): readonly StoredItem[] {
    return this.#postings.get(indexKey(value))?.items ?? [];
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
