/**
 * An engine that keeps sandboxes outside of the memory of a process: an embedded database or a server that several
 * processes share. It knows nothing of collections: it keeps items as texts by their sequence number, and the version of
 * each sandbox, so that of two commits for the same version one is refused.
 */
export interface StateBackend {
  /** Whether a version is the current one, for an engine that can tell at once. */
  readonly isCurrent?: (sandbox: string, version: string) => boolean;
  /** The commits of other processes since a version (`''`: all); `undefined` if nothing was committed. */
  readonly pull: (sandbox: string, since: string) => Promise<Pulled | undefined>;
  /** Commits in one step. Gives the new version, or `undefined` where the version is not `since` any more. */
  readonly push: (sandbox: string, since: string, commit: Commit) => Promise<string | undefined>;
  /** Parts of the bytes of items, by the names that the commit gave them; `undefined` for what is gone. */
  readonly readChunks: (sandbox: string, names: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** The sandboxes that are kept. */
  readonly list: () => Promise<readonly KeptSandbox[]>;
  /** Whether there was a sandbox of that name. */
  readonly drop: (sandbox: string) => Promise<boolean>;
  /** Drops the sandboxes but one that were not used since a real time, for an engine that does not keep them for ever. */
  readonly dropUnused?: (before: number, except: string) => Promise<void>;
  /** The sandboxes in which something is due at a real time in epoch milliseconds. */
  readonly findDue: (now: number) => Promise<readonly string[]>;
  /** The journals, for an engine that shares them. */
  readonly journals?: JournalBackend;
  readonly close: () => Promise<void>;
}

export interface KeptSandbox {
  readonly name: string;
  /** Real time in epoch milliseconds. */
  readonly usedAt: number;
}

/** The journals of sandboxes as lists of JSON texts. */
export interface JournalBackend {
  readonly append: (sandbox: string, entries: readonly string[]) => Promise<void>;
  /**
   * The oldest first, and the number of the first of them: the one that was ever added first has 1.
   *
   * @param after - only those with a higher number; all of them where the journal has begun anew.
   */
  readonly read: (
    sandbox: string,
    after?: number,
  ) => Promise<{ readonly first: number; readonly entries: readonly string[] }>;
  readonly clear: (sandbox: string) => Promise<void>;
  /** The same, and the next call is the first one again. */
  readonly restart: (sandbox: string) => Promise<void>;
}

export interface Commit extends CommittedChange {
  readonly chunks: readonly NamedChunk[];
  /** Names of chunks that no item has any more. With `clear` all others go too. */
  readonly droppedChunks: readonly string[];
  /** When something is due next, in real time: epoch milliseconds, `null` for never. Absent: as before. */
  readonly dueAt?: number | null;
  readonly journal: readonly string[];
}

/** The part of a commit that other processes follow. */
export interface CommittedChange {
  /** Everything that was there before is gone. */
  readonly clear: boolean;
  readonly puts: readonly ItemText[];
  readonly deletes: readonly DeletedItem[];
}

/** Sequence number and text of an item. The numbers are the order of creation. */
export type ItemText = readonly [sequence: number, text: string];
export type DeletedItem = readonly [sequence: number, collection: string, id: string];
export type NamedChunk = readonly [name: string, bytes: Uint8Array];

/** How a sandbox went on: by some changes, or as a whole where they are not known any more. */
export type Pulled =
  | { readonly kind: 'changes'; readonly version: string; readonly changes: readonly CommittedChange[] }
  | { readonly kind: 'all'; readonly version: string; readonly items: readonly ItemText[] };

/** The engine cannot be reached or does not respond in time. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError';
}

/** The public part of it. */
export function unreachable({ message }: StateUnavailableError): string {
  return `The state of the mock cannot be reached: ${message}`;
}

/** A version of a sandbox: what begins anew has another epoch, so that no two states have the same version. */
export function nextVersion(version: string): string {
  const [epoch = '', count = '0'] = version.split('.');
  if (epoch === '') return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}.1`;
  return `${epoch}.${Number(count) + 1}`;
}
