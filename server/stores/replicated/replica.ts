import { setTimeout as wait } from 'node:timers/promises';

import { copyFrozen } from '../copy-json.js';
import { type Store, forwardStore } from '../store.js';
import { StoredCollection } from '../stored-collection.js';
import { chunkNames, decodeStoredItem, encodeStoredItem } from './encode-item.js';
import { SerialQueue } from './serial-queue.js';
import {
  type Commit,
  type CommittedChange,
  DamagedStateError,
  type DeletedItem,
  type ItemText,
  type NamedChunk,
  type Pulled,
  type StateBackend,
  StateUnavailableError,
} from './state-backend.js';
import { type ItemWrite, Transaction, type TransactionBase } from './transaction.js';

/** The parts of a commit besides the writes of its transaction. */
export type CommitExtras = Partial<Pick<Commit, 'dueAt' | 'journal'>>;

export type ChangedIds = ReadonlyMap<string, ReadonlySet<string>>;

export interface ReplicaOptions {
  readonly sandbox: string;
  readonly backend: StateBackend;
  /** Called with the items that this or another process has changed; `undefined` means all of them. */
  readonly onChange: (changed: ChangedIds | undefined) => void;
}

/** Work of a transaction. It may run again, so its effects outside of the store must be repeatable. */
export type TransactionWork<T> = (transaction: Transaction) => Promise<T>;

/** How long a transaction is retried while others commit first. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
/** How often a state is read again that other processes change meanwhile. */
const PULLS = 10;
/** The longest random pause before a retry, so that conflicting processes retry at different times. Milliseconds. */
const LONGEST_PAUSE = 5;

/**
 * The copy of a sandbox in this process, which serves all reads. Each transaction first applies the commits of other
 * processes. Its writes are committed atomically by the engine before they are visible here.
 */
export class Replica implements TransactionBase {
  readonly #options: ReplicaOptions;
  #collections = new Map<string, StoredCollection>();
  #version = '';
  #nextSequence = 1;
  #tick = 1;
  /** The tick at which all collections were last replaced. */
  #replacedAt = 1;
  readonly #ticks = new Map<string, number>();
  /** The end of the queue of engine calls. */
  #calls: Promise<unknown> = Promise.resolve();
  #nextPull: Promise<void> | undefined;
  readonly #conflicts = new SerialQueue();

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  get collections(): ReadonlyMap<string, StoredCollection> {
    return this.#collections;
  }

  get tick(): number {
    return this.#tick;
  }

  tickOf(collection: string): number {
    return Math.max(this.#replacedAt, this.#ticks.get(collection) ?? 0);
  }

  /** Applies the commits of other processes. */
  sync(): Promise<void> {
    // Shared by all callers until it begins.
    this.#nextPull ??= this.#call(() => {
      this.#nextPull = undefined;
      return this.#pull();
    });
    return this.#nextPull;
  }

  /**
   * Runs work atomically. Runs it again if another transaction has changed what it read.
   *
   * @throws StateUnavailableError if the engine does not respond, or if other transactions always commit first.
   */
  async transact<T>(
    work: TransactionWork<T>,
    extras: (transaction: Transaction) => CommitExtras = () => ({}),
  ): Promise<T> {
    if (!this.#conflicts.isBusy) {
      const first = await this.#attempt(work, extras);
      if (first.isCommitted) return first.result;
    }
    const until = Date.now() + GIVE_UP_AFTER;
    while (Date.now() < until) {
      const next = await this.#conflicts.run(() => this.#attempt(work, extras));
      if (next.isCommitted) return next.result;
      await wait(Math.random() * LONGEST_PAUSE);
    }
    throw new StateUnavailableError('Other requests have changed the same data for too long.');
  }

  async #attempt<T>(
    work: TransactionWork<T>,
    extras: (transaction: Transaction) => CommitExtras,
  ): Promise<{ readonly isCommitted: boolean; readonly result: T }> {
    await this.sync();
    const transaction = new Transaction(this);
    const result = await work(transaction);
    return { isCommitted: await this.#commit(transaction, extras), result };
  }

  /** Commits a transaction. Returns `false` if something that it read has changed. */
  async #commit(transaction: Transaction, extras: (transaction: Transaction) => CommitExtras): Promise<boolean> {
    if (transaction.isDiscarded && !transaction.isCurrent()) return false;
    if (!transaction.hasWrites) return this.#appendJournal(extras(transaction).journal);
    for (;;) {
      const isPushed = await this.#call(async () =>
        transaction.isCurrent() ? this.#push(transaction, extras(transaction)) : undefined,
      );
      if (isPushed === undefined) return false;
      if (isPushed) return true;
      await this.sync();
    }
  }

  async #appendJournal(entries: readonly string[] = []): Promise<true> {
    const { backend, sandbox } = this.#options;
    // A read is more than the note of it: an engine without room still serves what it has.
    if (entries.length > 0) await backend.journals?.append(sandbox, entries).catch(() => {});
    return true;
  }

  #call<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#calls.then(work);
    this.#calls = result.catch(() => {});
    return result;
  }

  async #push(transaction: Transaction, extras: CommitExtras): Promise<boolean> {
    const { backend, sandbox } = this.#options;
    const plan = planCommit(transaction, this.#nextSequence);
    const commit: Commit = { journal: [], ...plan.commit, ...extras };
    const version = await backend.push(sandbox, this.#version, commit);
    if (version === undefined) return false;
    this.#version = version;
    this.#nextSequence = plan.nextSequence;
    this.#applyOwn(transaction, plan.sequences);
    return true;
  }

  async #pull(): Promise<void> {
    const { backend, sandbox } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const pulled = await backend.pull(sandbox, this.#version);
      if (pulled === undefined) return;
      try {
        await this.#apply(pulled);
        return;
      } catch (error) {
        if (attempt === PULLS || !(await this.#wasOvertaken(pulled, error))) throw toDamage(error);
      }
    }
  }

  /** Whether other processes have committed since, and may have dropped bytes that the older items need. */
  async #wasOvertaken({ version }: Pulled, error: unknown): Promise<boolean> {
    const { backend, sandbox } = this.#options;
    return error instanceof DamagedStateError && (await backend.pull(sandbox, version)) !== undefined;
  }

  async #apply(pulled: Pulled): Promise<void> {
    if (pulled.kind === 'all') {
      await this.#replace(pulled.items);
      this.#options.onChange(undefined);
    } else for (const change of withoutOvertaken(pulled.changes)) await this.#follow(change);
    this.#version = pulled.version;
  }

  /** Empties the sandbox in the engine, whatever it has. */
  async restart(): Promise<void> {
    const { backend, sandbox, onChange } = this.#options;
    await this.#call(async () => {
      await backend.drop(sandbox);
      this.#version = '';
      this.#begin(true);
      onChange(undefined);
    });
  }

  async #replace(items: readonly ItemText[]): Promise<void> {
    const collections = new Map<string, StoredCollection>();
    const sorted = items.toSorted(([one], [other]) => one - other);
    for (const [sequence, text] of sorted) {
      const { collection, id, version, value } = await this.#decode(sequence, text);
      this.#open(collections, collection).write(id, copyFrozen(value), version, sequence);
      this.#nextSequence = Math.max(this.#nextSequence, sequence + 1);
    }
    this.#collections = collections;
    this.#tick += 1;
    this.#replacedAt = this.#tick;
  }

  /** Applies a commit of another process. */
  async #follow({ clear, puts, deletes }: CommittedChange): Promise<void> {
    const decoded = await Promise.all(
      puts.map(async ([sequence, text]) => ({ sequence, ...(await this.#decode(sequence, text)) })),
    );
    const changed = new Map<string, Set<string>>();
    this.#begin(clear);
    for (const [, collection, id] of deletes) this.#delete(collection, id, changed);
    for (const { collection, id, version, value, sequence } of decoded) {
      this.#write(collection, { id, version, value: copyFrozen(value), sequence }, changed);
      this.#nextSequence = Math.max(this.#nextSequence, sequence + 1);
    }
    this.#options.onChange(clear ? undefined : changed);
  }

  #applyOwn(transaction: Transaction, sequences: ReadonlyMap<ItemWrite, number>): void {
    const changed = new Map<string, Set<string>>();
    this.#begin(transaction.isCleared);
    for (const [collection, writes] of transaction.writes) {
      for (const write of writes.values()) {
        if (write.isDeleted || write.order !== undefined) this.#delete(collection, write.id, changed);
        const sequence = sequences.get(write);
        if (sequence !== undefined) this.#write(collection, { ...write, sequence }, changed);
      }
    }
    this.#options.onChange(transaction.isCleared ? undefined : changed);
  }

  #begin(clear: boolean): void {
    this.#tick += 1;
    if (!clear) return;
    this.#collections = new Map();
    this.#replacedAt = this.#tick;
  }

  #write(
    collection: string,
    { id, value, version, sequence }: Pick<ItemWrite, 'id' | 'value' | 'version'> & { readonly sequence: number },
    changed: Map<string, Set<string>>,
  ): void {
    this.#open(this.#collections, collection).write(id, value, version, sequence);
    this.#ticks.set(collection, this.#tick);
    addChanged(changed, collection, id);
  }

  #delete(collection: string, id: string, changed: Map<string, Set<string>>): void {
    const target = this.#collections.get(collection);
    if (target?.delete(id) !== true) return;
    if (target.items.size === 0) this.#collections.delete(collection);
    this.#ticks.set(collection, this.#tick);
    addChanged(changed, collection, id);
  }

  #open(collections: Map<string, StoredCollection>, collection: string): StoredCollection {
    const known = collections.get(collection);
    if (known !== undefined) return known;
    const opened = new StoredCollection();
    collections.set(collection, opened);
    return opened;
  }

  #decode(sequence: number, text: string): ReturnType<typeof decodeStoredItem> {
    const { backend, sandbox } = this.#options;
    return decodeStoredItem(sequence, text, (names) => backend.readChunks(sandbox, names));
  }
}

/**
 * The changes without items that later ones replace or delete: their bytes are dropped already, so that they cannot be
 * read any more.
 */
function withoutOvertaken(changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const last = new Map<number, number>();
  let cleared = 0;
  for (const [index, { clear, puts, deletes }] of changes.entries()) {
    if (clear) cleared = index;
    for (const [sequence] of [...puts, ...deletes]) last.set(sequence, index);
  }
  return changes.map((change, index) => ({
    ...change,
    puts: change.puts.filter(([sequence]) => index >= cleared && last.get(sequence) === index),
  }));
}

/** What goes wrong while values of the engine are read is their fault. */
function toDamage(error: unknown): StateUnavailableError {
  if (error instanceof StateUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DamagedStateError(`${reason.slice(0, 200).replace(/\.$/, '')}.`, { cause: error });
}

function addChanged(changed: Map<string, Set<string>>, collection: string, id: string): void {
  const known = changed.get(collection);
  if (known === undefined) changed.set(collection, new Set([id]));
  else known.add(id);
}

/** The data of a transaction for the backend, and the sequence numbers of the items that it writes. */
interface PlannedCommit {
  readonly commit: Omit<Commit, 'journal'>;
  readonly sequences: ReadonlyMap<ItemWrite, number>;
  readonly nextSequence: number;
}

function planCommit(transaction: Transaction, firstSequence: number): PlannedCommit {
  const all = [...transaction.writes].flatMap(([collection, writes]) =>
    [...writes.values()].map((write) => ({ collection, write })),
  );
  const created = all.filter(({ write }) => write.order !== undefined);
  created.sort((one, other) => (one.write.order ?? 0) - (other.write.order ?? 0));
  const sequences = new Map(created.map(({ write }, index) => [write, firstSequence + index]));
  const puts: ItemText[] = [];
  const deletes: DeletedItem[] = [];
  const chunks: NamedChunk[] = [];
  const droppedChunks: string[] = [];
  for (const { collection, write } of all) {
    const { id, base, value, version, isDeleted, order } = write;
    if (base !== undefined) {
      droppedChunks.push(...chunkNames(base));
      if (isDeleted || order !== undefined) deletes.push([base.sequence, collection, id]);
      else sequences.set(write, base.sequence);
    }
    const sequence = sequences.get(write);
    if (sequence === undefined) continue;
    const encoded = encodeStoredItem({ collection, id, version, sequence, value });
    puts.push([sequence, encoded.text]);
    chunks.push(...encoded.chunks);
  }
  return {
    commit: { clear: transaction.isCleared, puts, deletes, chunks, droppedChunks },
    sequences,
    nextSequence: firstSequence + created.length,
  };
}

/** Creates a store that runs each call as its own transaction. */
export function storeOf(replica: Replica): Store {
  return forwardStore((call) => replica.transact(call));
}
