import cluster from 'node:cluster';
import { statfsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type * as Lmdb from 'lmdb';
import type { Database, RootDatabase, TransactionFlags } from 'lmdb';

import { InputError, systemReason } from '../../../model/diagnostics/input-error.js';
import { checkDirectory, markClosed, markOpen } from './lmdb-directory.js';
import { LmdbJournals } from './lmdb-journals.js';
import { ChangeLog } from './lmdb-change-log.js';
import {
  type Commit,
  type ItemText,
  type JournalBackend,
  type Pulled,
  type StateBackend,
  StateFullError,
  nextVersion,
} from './state-backend.js';

/** How soon after a write the data is flushed to the disk, in case of a power failure. Milliseconds. */
const FLUSH_AFTER = 1_000;

/** The metadata of a sandbox. */
interface Head {
  readonly version: string;
  /** Epoch milliseconds of real time. */
  readonly dueAt: number | null;
  readonly usedAt: number;
}

interface OpenedDirectory {
  readonly directory: string;
  readonly root: RootDatabase<string>;
  readonly commit: TransactionFlags;
}

type SandboxKey = [sandbox: string, part: number | string];

/**
 * Stores state in a directory with LMDB. A commit survives a crash of the process, because the operating system already
 * has it. A power failure can lose at most the commits of the last second.
 *
 * @throws InputError if the directory cannot be used or is damaged; it is unchanged then.
 */
export async function openLmdbBackend(directory: string): Promise<StateBackend> {
  try {
    await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
    await chmod(directory, PRIVATE_FOLDER);
  } catch (error) {
    throw new InputError(
      `The state directory ${directory} cannot be created: ${systemReason(error)}.`,
      {},
      { cause: error },
    );
  }
  await checkDirectory(directory);
  const { open, TransactionFlags: flags } = await loadLmdb();
  try {
    const root = open({
      path: path.join(directory, 'state.mdb'),
      encoding: 'string',
      overlappingSync: false,
      maxDbs: 6,
    });
    for (const file of FILES) await chmod(path.join(directory, file), PRIVATE_FILE).catch(() => {});
    await markOpen(directory);
    // A commit is visible to other processes before it returns, but does not wait for the disk.
    const commit = flags.ABORTABLE | flags.SYNCHRONOUS_COMMIT | flags.NO_SYNC_FLUSH;
    return new LmdbBackend({ directory, root, commit });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`The state directory ${directory} cannot be opened: ${reason}.`, {}, { cause: error });
  }
}

/** State contains issued credentials and uploaded files, which other users of the machine must not read. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const FILES = ['state.mdb', 'state.mdb-lock'];

/** @throws InputError if the package, which only this option needs, or its binary for this platform is missing. */
async function loadLmdb(): Promise<typeof Lmdb> {
  try {
    return await import('lmdb');
  } catch (error) {
    const isMissing = /Cannot find package 'lmdb'/.test(error instanceof Error ? error.message : '');
    const name = isMissing ? 'lmdb' : `@lmdb/lmdb-${process.platform}-${process.arch}`;
    throw new InputError(
      `The option --state needs the package ${name}, which is not installed: npm install ${name}.`,
      {},
      { cause: error },
    );
  }
}

/** Runs a write. @throws StateFullError if the disk is full; then nothing was written. */
function orFull<T>(directory: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!isFull(message, directory)) throw error;
    throw new StateFullError('the disk with the state has no space left.', { cause: error });
  }
}

/** The free bytes below which a failed write means a full disk: some file systems say no more than that it failed. */
const LITTLE = 1_048_576;

function isFull(message: string, directory: string): boolean {
  if (/No space left|MDB_MAP_FULL|Disk quota|File too large/i.test(message)) return true;
  if (!message.includes('Input/output error')) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < LITTLE;
}

class LmdbBackend implements StateBackend {
  readonly #directory: string;
  readonly #root: RootDatabase<string>;
  readonly #commit: TransactionFlags;
  readonly #heads: Database<string, string>;
  readonly #items: Database<string, SandboxKey>;
  readonly #chunks: Database<Buffer, SandboxKey>;
  readonly #log: ChangeLog;
  readonly #journals: LmdbJournals | undefined;
  /** Shared by the processes of one command. Others have their own: a call that reads would have to write. */
  readonly journals: JournalBackend | undefined;
  #flushing: NodeJS.Timeout | undefined;

  constructor({ directory, root, commit }: OpenedDirectory) {
    this.#directory = directory;
    this.#root = root;
    this.#commit = commit;
    this.#heads = root.openDB('heads', { encoding: 'string' });
    this.#items = root.openDB('items', { encoding: 'string' });
    this.#chunks = root.openDB('chunks', { encoding: 'binary' });
    this.#log = new ChangeLog(root, this.#items);
    this.#journals = cluster.isWorker ? new LmdbJournals(root, commit) : undefined;
    this.journals = this.#journals;
  }

  readonly pull = async (sandbox: string, since: string): Promise<Pulled | undefined> => {
    if ((this.#readHead(sandbox)?.version ?? '') === since) return undefined;
    return this.#root.transactionSync((): Pulled => {
      const version = this.#readHead(sandbox)?.version ?? '';
      const changes = this.#log.read(sandbox, since, version);
      if (changes !== undefined) return { kind: 'changes', version, changes };
      return { kind: 'all', version, items: [...this.#readItems(sandbox)] };
    }, this.#commit);
  };

  readonly push = async (sandbox: string, since: string, commit: Commit): Promise<string | undefined> => {
    const version = orFull(this.#directory, () =>
      this.#root.transactionSync(() => {
        const head = this.#readHead(sandbox);
        if ((head?.version ?? '') !== since) return undefined;
        this.#write(sandbox, commit);
        const { dueAt = head?.dueAt ?? null } = commit;
        const next = nextVersion(since);
        this.#log.add(sandbox, next, commit);
        this.#journals?.addNow(sandbox, commit.journal);
        this.#writeHead(sandbox, { version: next, dueAt, usedAt: Date.now() });
        return next;
      }, this.#commit),
    );
    this.#flushLater();
    return version;
  };

  readonly readChunks = async (
    sandbox: string,
    names: readonly string[],
  ): Promise<readonly (Uint8Array | undefined)[]> => names.map((name) => this.#chunks.get([sandbox, name]));

  readonly list = async (): ReturnType<StateBackend['list']> =>
    this.#listHeads().map(([name, { usedAt }]) => ({ name, usedAt }));

  readonly drop = async (sandbox: string): Promise<boolean> => {
    const wasThere = this.#root.transactionSync(() => {
      this.#clear(sandbox);
      this.#log.drop(sandbox);
      this.#journals?.dropNow(sandbox);
      return this.#heads.doesExist(sandbox) && this.#heads.removeSync(sandbox);
    }, this.#commit);
    this.#flushLater();
    return wasThere;
  };

  /** Does nothing: a directory keeps its sandboxes. */
  readonly dropUnused = async (): Promise<void> => {};

  readonly findDue = async (now: number): Promise<readonly string[]> =>
    this.#listHeads().flatMap(([name, { dueAt }]) => (dueAt !== null && dueAt <= now ? [name] : []));

  readonly close = async (): Promise<void> => {
    clearTimeout(this.#flushing);
    await this.#flush();
    await this.#root.close();
    await markClosed(this.#directory);
  };

  #readHead(sandbox: string): Head | undefined {
    const text = this.#heads.get(sandbox);
    return text === undefined ? undefined : parseHead(text);
  }

  #writeHead(sandbox: string, { version, dueAt, usedAt }: Head): void {
    this.#heads.putSync(sandbox, `${version} ${dueAt ?? 'never'} ${usedAt}`);
  }

  #listHeads(): (readonly [string, Head])[] {
    return [...this.#heads.getRange()].map(({ key, value }) => [key, parseHead(value)] as const);
  }

  *#readItems(sandbox: string): Generator<ItemText> {
    for (const { key, value } of this.#items.getRange(rangeOf(sandbox))) yield [Number(key[1]), value];
  }

  #write(sandbox: string, { clear, puts, deletes, chunks, droppedChunks }: Commit): void {
    if (clear) this.#clear(sandbox);
    for (const [sequence] of deletes) this.#items.removeSync([sandbox, sequence]);
    for (const name of droppedChunks) this.#chunks.removeSync([sandbox, name]);
    for (const [sequence, text] of puts) this.#items.putSync([sandbox, sequence], text);
    for (const [name, bytes] of chunks) this.#chunks.putSync([sandbox, name], Buffer.from(bytes));
  }

  #clear(sandbox: string): void {
    for (const key of [...this.#items.getKeys(rangeOf(sandbox))]) this.#items.removeSync(key);
    for (const key of [...this.#chunks.getKeys(rangeOf(sandbox))]) this.#chunks.removeSync(key);
  }

  #flushLater(): void {
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined;
      void this.#flush().catch(() => {});
    }, FLUSH_AFTER).unref();
  }

  /** Commits in a thread of LMDB and waits for the disk, which also flushes all earlier commits. */
  async #flush(): Promise<void> {
    await this.#root.put('flushed', String(Date.now()));
    await this.#root.flushed;
  }
}

/** Keys are ordered by sandbox, then by part. Every part is between these bounds. */
function rangeOf(sandbox: string): { start: SandboxKey; end: SandboxKey } {
  return { start: [sandbox, 0], end: [sandbox, '\uFFFF'] };
}

/** A damaged head has a damaged version, which is not that of an empty sandbox. */
function parseHead(text: string): Head {
  const [version = '', dueAt = 'never', usedAt = '0'] = text.split(' ');
  return { version: version || 'none', dueAt: dueAt === 'never' ? null : Number(dueAt), usedAt: Number(usedAt) };
}
