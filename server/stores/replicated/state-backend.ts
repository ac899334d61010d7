/**
 * Stores sandboxes outside of a process, in an embedded database or on a server that several processes share. It does
 * not know collections: it stores items as texts by sequence number, and a version for each sandbox. Of two commits for
 * the same version, one is refused.
 */
export interface StateBackend {
  /** Returns the commits since a version (`''`: all); `undefined` if there are none. */
  readonly pull: (sandbox: string, since: string) => Promise<Pulled | undefined>;
  /** Commits atomically. Returns the new version, or `undefined` if the version is no longer `since`. */
  readonly push: (sandbox: string, since: string, commit: Commit) => Promise<string | undefined>;
  /** Returns chunks by the names in their commit; `undefined` for deleted ones. */
  readonly readChunks: (sandbox: string, names: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** Returns the stored sandboxes. */
  readonly list: () => Promise<readonly StoredSandbox[]>;
  /** Drops a sandbox and returns whether it existed. */
  readonly drop: (sandbox: string) => Promise<boolean>;
  /** Drops all sandboxes but one that were not used since `before` (real time), unless the engine keeps them for ever. */
  readonly dropUnused: (before: number, except: string) => Promise<void>;
  /** Returns the sandboxes with something due at `now` (real time, epoch milliseconds). */
  readonly findDue: (now: number) => Promise<readonly string[]>;
  /** The journals that processes share; `undefined` if each process keeps its own. */
  readonly journals: JournalBackend | undefined;
  readonly close: () => Promise<void>;
}

export interface StoredSandbox {
  readonly name: string;
  /** Real time in epoch milliseconds. */
  readonly usedAt: number;
}

/** The journals of sandboxes as lists of JSON texts. */
export interface JournalBackend {
  readonly append: (sandbox: string, entries: readonly string[]) => Promise<void>;
  /**
   * Returns entries, oldest first, and the number of the first one. The first entry ever added has the number 1.
   *
   * @param after - returns only entries with a higher number, or all of them if the journal was restarted.
   */
  readonly read: (
    sandbox: string,
    after?: number,
  ) => Promise<{ readonly first: number; readonly entries: readonly string[] }>;
  readonly clear: (sandbox: string) => Promise<void>;
  /** Clears the journal and restarts its numbers. */
  readonly restart: (sandbox: string) => Promise<void>;
}

export interface Commit extends CommittedChange {
  readonly chunks: readonly NamedChunk[];
  /** Names of chunks that no item uses any longer. `clear` drops all others too. */
  readonly droppedChunks: readonly string[];
  /** When something is due next: epoch milliseconds of real time, `null` for never. Absent: unchanged. */
  readonly dueAt?: number | null;
  readonly journal: readonly string[];
}

/** The part of a commit that other processes apply. */
export interface CommittedChange {
  /** Whether everything before is deleted. */
  readonly clear: boolean;
  readonly puts: readonly ItemText[];
  readonly deletes: readonly DeletedItem[];
}

/** Sequence number and text of an item. Sequence numbers give the order of creation. */
export type ItemText = readonly [sequence: number, text: string];
export type DeletedItem = readonly [sequence: number, collection: string, id: string];
export type NamedChunk = readonly [name: string, bytes: Uint8Array];

/** The changes of a sandbox, or all of its items if the changes are no longer known. */
export type Pulled =
  | { readonly kind: 'changes'; readonly version: string; readonly changes: readonly CommittedChange[] }
  | { readonly kind: 'all'; readonly version: string; readonly items: readonly ItemText[] };

/** The engine is unreachable or does not respond in time, or it does not have what it should. */
export class StateUnavailableError extends Error {
  override readonly name: string = 'StateUnavailableError';
  /** The status of the response to a client. */
  readonly status: 503 | 507 = 503;
}

/** What the engine has for a sandbox is not what a mock writes. Other sandboxes are served. */
export class DamagedStateError extends StateUnavailableError {
  override readonly name = 'DamagedStateError';
}

/** The engine has no room. Nothing was written. */
export class StateFullError extends StateUnavailableError {
  override readonly name = 'StateFullError';
  override readonly status = 507;
}

/** Returns the message for clients. */
export function unreachable(error: StateUnavailableError): string {
  if (error instanceof DamagedStateError)
    return `The state of this sandbox is damaged: ${error.message} A reset of the sandbox (POST /__specmill/reset) empties it.`;
  if (error instanceof StateFullError) return `The state of the mock cannot be written: ${error.message}`;
  return `The state of the mock cannot be reached: ${error.message}`;
}

/** Whether a text is a version of a sandbox; `''` is that of an empty one. */
export function isVersion(text: string): boolean {
  return text === '' || /^[^.]+\.\d{1,15}$/.test(text);
}

/**
 * Returns the next version of a sandbox. A new sandbox gets a new epoch, so that no two states have the same version.
 */
export function nextVersion(version: string): string {
  const [epoch = '', count = '0'] = version.split('.');
  if (epoch === '') return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}.1`;
  return `${epoch}.${Number(count) + 1}`;
}
