import type { Database, RootDatabase, TransactionFlags } from 'lmdb';

import type { JournalBackend } from './state-backend.js';

/** The most calls of a sandbox that are kept. */
const MOST_CALLS = 1_000;

interface Pending {
  readonly sandbox: string;
  readonly entries: readonly string[];
}

/** Journals that the processes of one command share. The calls of one turn of the event loop are written together. */
export class LmdbJournals implements JournalBackend {
  readonly #root: RootDatabase<string>;
  readonly #commit: TransactionFlags;
  readonly #calls: Database<string, [sandbox: string, count: number]>;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;

  constructor(root: RootDatabase<string>, commit: TransactionFlags) {
    this.#root = root;
    this.#commit = commit;
    this.#calls = root.openDB('journal', { encoding: 'string' });
  }

  readonly append: JournalBackend['append'] = (sandbox, entries) => {
    this.#pending.push({ sandbox, entries });
    this.#writing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(this.#write());
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#writing;
  };

  readonly read: JournalBackend['read'] = async (sandbox, after = 0) => {
    const found = [...this.#calls.getRange({ start: [sandbox, after + 1], end: [sandbox, Number.MAX_SAFE_INTEGER] })];
    // All of them if the journal was restarted: its numbers are lower than those that the caller knows.
    const last = this.#countOf(sandbox);
    if (found.length === 0 && after > last) return this.read(sandbox);
    return { first: last - found.length + 1, entries: found.map(({ value }) => value) };
  };

  readonly clear: JournalBackend['clear'] = async (sandbox) => {
    this.#root.transactionSync(() => this.#clear(sandbox), this.#commit);
  };

  readonly restart: JournalBackend['restart'] = async (sandbox) => {
    this.#root.transactionSync(() => this.dropNow(sandbox), this.#commit);
  };

  /** Adds calls in the transaction of a commit. */
  addNow(sandbox: string, entries: readonly string[]): void {
    if (entries.length === 0) return;
    let count = this.#countOf(sandbox);
    for (const entry of entries) {
      count += 1;
      this.#calls.putSync([sandbox, count], entry);
      this.#calls.removeSync([sandbox, count - MOST_CALLS]);
    }
    this.#calls.putSync([sandbox, 0], String(count));
  }

  /** Drops a journal and its numbers in a running transaction. */
  dropNow(sandbox: string): void {
    this.#clear(sandbox);
    this.#calls.removeSync([sandbox, 0]);
  }

  #clear(sandbox: string): void {
    const range = { start: [sandbox, 1], end: [sandbox, Number.MAX_SAFE_INTEGER] } satisfies {
      start: [string, number];
      end: [string, number];
    };
    for (const key of [...this.#calls.getKeys(range)]) this.#calls.removeSync(key);
  }

  #write(): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#writing = undefined;
    this.#root.transactionSync(() => {
      for (const { sandbox, entries } of pending) this.addNow(sandbox, entries);
    }, this.#commit);
  }

  /** The number of the last call. It is stored before the first one. */
  #countOf(sandbox: string): number {
    const count = Number(this.#calls.get([sandbox, 0]) ?? 0);
    return Number.isSafeInteger(count) ? count : 0;
  }
}
