import { type FoundItems, findItems } from './find-items.js';
import { PROCESS_INDEXES } from './index-budget.js';
import { ENTRY_BYTES, type IndexShape, ItemIndex, type StoredItem } from './item-index.js';
import { SortedList } from './sorted-list.js';
import type { StoreQuery } from './store.js';

/** The most indexes of a collection. */
const MOST_INDEXES = 16;

/** A collection: its items by id and in the order of creation, and the indexes that queries have needed. */
export class StoredCollection {
  readonly items: Map<string, StoredItem> = new Map();
  readonly ordered: SortedList<StoredItem> = new SortedList((one, other) => one.sequence - other.sequence);
  /** By the names of their shapes, the least recently used one first. */
  readonly #indexes = new Map<string, ItemIndex>();
  #sequence = 0;

  /** Writes a frozen value and returns its new version. A new item is placed by its sequence number, or else last. */
  write(id: string, value: unknown, version?: number, sequence?: number): number {
    const known = this.items.get(id);
    if (known === undefined) {
      this.#sequence = Math.max(this.#sequence + 1, sequence ?? 0);
      const item = { id, sequence: sequence ?? this.#sequence, value, version: version ?? 1 };
      this.items.set(id, item);
      this.ordered.add(item);
      this.#followWrite(item, undefined, value);
      return item.version;
    }
    this.#followWrite(known, known.value, value);
    known.value = value;
    known.version = version ?? known.version + 1;
    return known.version;
  }

  delete(id: string): boolean {
    const known = this.items.get(id);
    if (known === undefined) return false;
    this.#followWrite(known, known.value, undefined);
    this.ordered.delete(known);
    return this.items.delete(id);
  }

  find(query: StoreQuery): FoundItems {
    return findItems(this, query);
  }

  /** Returns the index of a shape, which is made on first use. `undefined` if it cannot be, or takes too much memory. */
  indexOf(shape: IndexShape): ItemIndex | undefined {
    let index = this.#indexes.get(shape.name);
    if (index?.isRefused === true) return undefined;
    if (index === undefined || index.isDropped) {
      if (!PROCESS_INDEXES.allows(this.items.size * ENTRY_BYTES)) return undefined;
      index = new ItemIndex(shape, this.items.values());
    }
    this.#indexes.delete(shape.name);
    this.#indexes.set(shape.name, index);
    this.#dropOldest();
    return index.isDropped ? undefined : index;
  }

  #dropOldest(): void {
    const [oldest] = this.#indexes;
    if (oldest === undefined || this.#indexes.size <= MOST_INDEXES) return;
    this.#indexes.delete(oldest[0]);
    oldest[1].close();
  }

  #followWrite(item: StoredItem, before: unknown, after: unknown): void {
    if (this.#indexes.size > 0) for (const index of this.#indexes.values()) index.change(item, before, after);
  }
}
