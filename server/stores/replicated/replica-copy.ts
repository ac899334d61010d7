import { getOrInsert } from '../../../model/maps.js';
import { copyFrozen } from '../copy-json.js';
import type { StoredItem } from '../item-index.js';
import { StoredCollection } from '../stored-collection.js';
import type { DecodedItem } from './encode-item.js';
import { type PlannedCommit, planCommit } from './plan-commit.js';
import type { DeletedItem } from './state-backend.js';
import type { Transaction, TransactionBase } from './transaction.js';

/** The changed items by collection; `undefined` means all items. */
export type Changed = ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** An item of the engine with its place in the order of creation. */
export type PlacedItem = DecodedItem & Pick<StoredItem, 'sequence'>;

/** A commit of this process that the copy has and the engine may still refuse. */
export interface AppliedCommit {
  readonly commit: PlannedCommit['commit'];
  readonly changed: Changed;
  /** Puts back what the commit has replaced. Later commits must be undone first. */
  readonly undo: () => void;
}

type ItemBefore = readonly [collection: string, id: string, item: StoredItem | undefined];

/** The items of a sandbox in this process, with their indexes. */
export class ReplicaCopy implements TransactionBase {
  #collections = new Map<string, StoredCollection>();
  #nextSequence = 1;
  #tick = 1;
  /** The tick at which all collections were last replaced. */
  #replacedAt = 1;
  readonly #ticks = new Map<string, number>();

  get collections(): ReadonlyMap<string, StoredCollection> {
    return this.#collections;
  }

  get tick(): number {
    return this.#tick;
  }

  tickOf(collection: string): number {
    return Math.max(this.#replacedAt, this.#ticks.get(collection) ?? 0);
  }

  /** Replaces everything. */
  replace(items: readonly PlacedItem[]): void {
    this.clear();
    const changed = new Map<string, Set<string>>();
    for (const item of items.toSorted((one, other) => one.sequence - other.sequence))
      this.#write(item.collection, { ...item, value: copyFrozen(item.value) }, changed);
  }

  /** Applies a commit of another process. */
  follow(clear: boolean, deletes: readonly DeletedItem[], puts: readonly PlacedItem[]): Changed {
    const changed = new Map<string, Set<string>>();
    if (clear) this.clear();
    else this.#tick += 1;
    for (const [, collection, id] of deletes) this.#delete(collection, id, changed);
    for (const item of puts) this.#write(item.collection, { ...item, value: copyFrozen(item.value) }, changed);
    return clear ? undefined : changed;
  }

  /** Applies a transaction of this process. */
  apply(transaction: Transaction): AppliedCommit {
    const { commit, sequences, nextSequence } = planCommit(transaction, this.#nextSequence);
    this.#nextSequence = nextSequence;
    const changed = new Map<string, Set<string>>();
    const [collections, replaced] = [this.#collections, this.#itemsBefore(transaction)];
    if (transaction.isCleared) this.clear();
    else this.#tick += 1;
    for (const [collection, writes] of transaction.writes) {
      for (const write of writes.values()) {
        if (write.isDeleted || write.order !== undefined) this.#delete(collection, write.id, changed);
        const sequence = sequences.get(write);
        if (sequence !== undefined) this.#write(collection, { ...write, sequence }, changed);
      }
    }
    const undo = (): void => (transaction.isCleared ? this.#putBack(collections) : this.#restore(replaced));
    return { commit, changed: transaction.isCleared ? undefined : changed, undo };
  }

  clear(): void {
    this.#putBack(new Map());
  }

  #putBack(collections: Map<string, StoredCollection>): void {
    this.#tick += 1;
    this.#collections = collections;
    this.#replacedAt = this.#tick;
  }

  #itemsBefore({ isCleared, writes }: Transaction): readonly ItemBefore[] {
    if (isCleared) return [];
    return [...writes].flatMap(([collection, byId]) =>
      [...byId.keys()].map((id) => {
        const item = this.#collections.get(collection)?.items.get(id);
        return [collection, id, item && { ...item }] as const;
      }),
    );
  }

  #restore(replaced: readonly ItemBefore[]): void {
    this.#tick += 1;
    const changed = new Map<string, Set<string>>();
    for (const [collection, id, item] of replaced) {
      this.#delete(collection, id, changed);
      if (item !== undefined) this.#write(collection, item, changed);
    }
  }

  #write(collection: string, { id, value, version, sequence }: StoredItem, changed: Map<string, Set<string>>): void {
    getOrInsert(this.#collections, collection, () => new StoredCollection()).write(id, value, version, sequence);
    this.#nextSequence = Math.max(this.#nextSequence, sequence + 1);
    this.#ticks.set(collection, this.#tick);
    getOrInsert(changed, collection, () => new Set()).add(id);
  }

  #delete(collection: string, id: string, changed: Map<string, Set<string>>): void {
    const target = this.#collections.get(collection);
    if (target?.delete(id) !== true) return;
    if (target.items.size === 0) this.#collections.delete(collection);
    this.#ticks.set(collection, this.#tick);
    getOrInsert(changed, collection, () => new Set()).add(id);
  }
}
