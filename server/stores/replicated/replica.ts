import { setTimeout as wait } from 'node:timers/promises';

import { type Store, forwardStore } from '../store.js';
import { decodeStoredItem } from './encode-item.js';
import { GroupCommits, type Outcome } from './group-commits.js';
import { type Changed, type PlacedItem, ReplicaCopy } from './replica-copy.js';
import { SerialQueue } from './serial-queue.js';
import {
  type Commit,
  type CommittedChange,
  DamagedStateError,
  type ItemText,
  type Pulled,
  type StateBackend,
  StateUnavailableError,
  isVersion,
} from './state-backend.js';
import { Transaction } from './transaction.js';

/** The parts of a commit besides the writes of its transaction. */
export type CommitExtras = Partial<Pick<Commit, 'dueAt' | 'journal'>>;

export interface ReplicaOptions {
  readonly sandbox: string;
  readonly backend: StateBackend;
  /** Returns what is wrong with an item that would break the mock. */
  readonly findProblem?: (collection: string, id: string, value: unknown) => Promise<string | undefined>;
  /** Called with the items that this or another process has changed; `undefined` means all of them. */
  readonly onChange: (changed: Changed) => void;
}

/** Work of a transaction. It may run again, so its effects outside of the store must be repeatable. */
export type TransactionWork<T> = (transaction: Transaction) => Promise<T>;

export interface TransactOptions {
  /** What the commit has besides the writes. */
  readonly extras?: (transaction: Transaction) => CommitExtras;
  /** Whether the work waits for other work in this process, if such work was in conflict before. */
  readonly inTurn?: boolean;
}

type CommitOptions = Required<Pick<TransactOptions, 'extras'>> & { readonly isAlone: boolean };

interface Attempt<T> {
  readonly result: T;
  readonly commit: Promise<Outcome>;
}

/** How long a transaction is retried while others commit first. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
/** How often a state is read again that other processes change meanwhile. */
const PULLS = 10;
/** The longest random pause before a retry, so that conflicting processes retry at different times. Milliseconds. */
const LONGEST_PAUSE = 5;

/**
 * The copy of a sandbox in this process, which serves all reads. Each transaction first applies the commits of other
 * processes. Its writes are then in the copy, so that the next transaction can begin, and it waits until the engine has
 * committed them. If the engine does not, the writes and all later ones are undone and their work runs again.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #copy = new ReplicaCopy();
  readonly #commits: GroupCommits;
  #version = '';
  /** The end of the queue of engine calls. */
  #calls: Promise<unknown> = Promise.resolve();
  #nextPull: Promise<void> | undefined;
  /** Settled when the copy has the changes that are being read. It never rejects. */
  #pulling: Promise<void> | undefined;
  /** Whether work of this process was in conflict, so that waiting takes less time than running again. */
  #isContended = false;
  readonly #turns = new SerialQueue(() => (this.#isContended = false));

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { onChange } = options;
    this.#commits = new GroupCommits({ onChange, push: (commit) => this.#call(() => this.#push(commit)) });
  }

  get collections(): ReplicaCopy['collections'] {
    return this.#copy.collections;
  }

  /**
   * Applies the commits of other processes. Reads nothing while own commits wait: if another process has committed since,
   * the engine refuses them, and their work runs again.
   */
  sync(): Promise<void> {
    if (this.#commits.isWaiting) return Promise.resolve();
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
    { extras = () => ({}), inTurn = false }: TransactOptions = {},
  ): Promise<T> {
    let isAlone = false;
    const attempt = (): Promise<Attempt<T>> => this.#attempt(work, { extras, isAlone });
    const until = Date.now() + GIVE_UP_AFTER;
    for (let isWaiting = inTurn && this.#isContended; Date.now() < until; isWaiting = true) {
      const { result, commit } = await (isWaiting ? this.#turns.run(attempt) : attempt());
      const outcome = await commit;
      if (outcome === 'committed') return result;
      this.#isContended = true;
      isAlone ||= outcome === 'alone';
      if (isWaiting) await wait(Math.random() * LONGEST_PAUSE);
    }
    throw new StateUnavailableError('Other requests have changed the same data for too long.');
  }

  async #attempt<T>(work: TransactionWork<T>, options: CommitOptions): Promise<Attempt<T>> {
    await this.sync();
    const { undone } = this.#commits;
    const transaction = new Transaction(this.#copy);
    const result = await work(transaction);
    while (this.#pulling !== undefined) await this.#pulling;
    return { result, commit: this.#commit(transaction, undone, options) };
  }

  /** Commits a transaction, unless something that it read has changed. */
  async #commit(transaction: Transaction, undone: number, { extras, isAlone }: CommitOptions): Promise<Outcome> {
    const isCurrent = (): boolean => this.#commits.undone === undone;
    if (!transaction.hasWrites) {
      if (transaction.isDiscarded && !transaction.isCurrent()) return 'conflict';
      // It may have read what other requests have not committed yet.
      await this.#commits.settled();
      if (!isCurrent()) return 'conflict';
      return this.#appendJournal(extras(transaction).journal);
    }
    if (!isCurrent() || !transaction.isCurrent()) return 'conflict';
    const described = extras(transaction);
    const applied = this.#copy.apply(transaction);
    return this.#commits.add({ commit: { journal: [], ...applied.commit, ...described }, applied, isAlone });
  }

  async #appendJournal(entries: readonly string[] = []): Promise<'committed'> {
    const { backend, sandbox } = this.#options;
    // A read is more than the note of it: an engine without room still serves what it has.
    if (entries.length > 0) await backend.journals?.append(sandbox, entries).catch(() => {});
    return 'committed';
  }

  #call<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#calls.then(work);
    this.#calls = result.catch(() => {});
    return result;
  }

  async #push(commit: Commit): Promise<boolean> {
    const { backend, sandbox } = this.#options;
    const version = await backend.push(sandbox, this.#version, commit);
    if (version === undefined) return false;
    this.#version = version;
    return true;
  }

  async #pull(): Promise<void> {
    if (this.#commits.isWaiting) return undefined;
    const pulled = this.#pullAll();
    this.#pulling = pulled.catch(() => {}).then(() => (this.#pulling = undefined));
    return pulled;
  }

  async #pullAll(): Promise<void> {
    const { backend, sandbox } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const pulled = await backend.pull(sandbox, this.#version);
      if (pulled === undefined) return;
      if (!isVersion(pulled.version)) throw new DamagedStateError('its version is damaged.');
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
    const { onChange } = this.#options;
    if (pulled.kind === 'all') {
      this.#copy.replace(await this.#decodeAll(pulled.items));
      onChange(undefined);
    } else {
      for (const { clear, deletes, puts } of withoutOvertaken(pulled.changes))
        onChange(this.#copy.follow(clear, deletes, await this.#decodeAll(puts)));
    }
    this.#version = pulled.version;
  }

  /** Empties the sandbox in the engine, whatever it has. */
  async restart(): Promise<void> {
    const { backend, sandbox, onChange } = this.#options;
    await this.#call(async () => {
      for (const { settle } of this.#commits.undo()) settle('conflict');
      await backend.drop(sandbox);
      this.#version = '';
      this.#copy.clear();
      onChange(undefined);
    });
  }

  #decodeAll(items: readonly ItemText[]): Promise<readonly PlacedItem[]> {
    return Promise.all(items.map((item) => this.#decode(item)));
  }

  async #decode([sequence, text]: ItemText): Promise<PlacedItem> {
    const { backend, sandbox, findProblem } = this.#options;
    const item = await decodeStoredItem(sequence, text, (names) => backend.readChunks(sandbox, names));
    const problem = await findProblem?.(item.collection, item.id, item.value);
    if (problem !== undefined)
      throw new DamagedStateError(`the value with the number ${sequence} is wrong. ${problem}`);
    return { sequence, ...item };
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

/** Creates a store that runs each call as its own transaction. */
export function storeOf(replica: Replica): Store {
  return forwardStore((call) => replica.transact(call));
}
