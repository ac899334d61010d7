import { getOrInsert } from '../../../model/maps.js';
import { mergeCommits } from './plan-commit.js';
import type { AppliedCommit, Changed } from './replica-copy.js';
import { type Commit, StateFullError } from './state-backend.js';

/** `conflict`: the work must run again. `alone`: again, and its commit must not be together with others. */
export type Outcome = 'committed' | 'conflict' | 'alone';

/** A commit that the copy has already, and that the engine gets at the end of the turn. */
export interface WaitingCommit {
  readonly commit: Commit;
  readonly applied: Pick<AppliedCommit, 'changed' | 'undo'>;
  readonly isAlone: boolean;
}

interface Waiting extends WaitingCommit {
  readonly outcome: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

export interface GroupCommitsOptions {
  /** Commits to the engine. Returns `false` if another process has committed since. */
  readonly push: (commit: Commit) => Promise<boolean>;
  readonly onChange: (changed: Changed) => void;
}

/** The most characters and bytes of a group. A larger commit is on its own. */
const LARGEST_GROUP = 100_000;

/** Writes the commits of requests that arrive together as one commit of the engine. Each waits until it is written. */
export class GroupCommits {
  readonly #options: GroupCommitsOptions;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #undone = 0;

  constructor(options: GroupCommitsOptions) {
    this.#options = options;
  }

  /** Whether the copy has commits that the engine does not have. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** How often commits were undone. What was read before may never have been written. */
  get undone(): number {
    return this.#undone;
  }

  /** Adds a commit, and returns what became of it. @throws what the engine throws; then the commit is undone. */
  add(commit: WaitingCommit): Promise<Outcome> {
    let [settle, fail]: [Waiting['settle'], Waiting['fail']] = [() => {}, () => {}];
    const outcome = new Promise<Outcome>((resolve, reject) => ([settle, fail] = [resolve, reject]));
    this.#waiting.push({ ...commit, outcome, settle, fail });
    if (!this.#isWriting) setImmediate(() => void this.#write());
    this.#isWriting = true;
    return outcome;
  }

  /** Waits until all commits that were added so far are written or undone. */
  async settled(): Promise<void> {
    await this.#waiting.at(-1)?.outcome.catch(() => {});
  }

  /** Undoes all commits that are not written. */
  undo(): readonly Pick<Waiting, 'settle' | 'fail'>[] {
    const undone = this.#waiting;
    if (undone.length === 0) return undone;
    this.#waiting = [];
    this.#undone += 1;
    for (const { applied } of undone.toReversed()) applied.undo();
    this.#options.onChange(unite(undone));
    return undone;
  }

  async #write(): Promise<void> {
    while (this.isWaiting) await this.#writeGroup(this.#nextGroup());
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const isWritten = await this.#options.push(mergeCommits(group.map(({ commit }) => commit)));
      if (!isWritten) return this.#repeatAll();
    } catch (error) {
      for (const one of this.undo().slice(group.length)) one.settle('conflict');
      for (const one of group) {
        if (group.length > 1 && error instanceof StateFullError) one.settle('alone');
        else one.fail(error);
      }
      return undefined;
    }
    this.#waiting = this.#waiting.slice(group.length);
    this.#options.onChange(unite(group));
    for (const { settle } of group) settle('committed');
    return undefined;
  }

  #repeatAll(): void {
    for (const { settle } of this.undo()) settle('conflict');
  }

  #nextGroup(): readonly Waiting[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ commit, isAlone }, index) => {
      size += sizeOf(commit);
      return index > 0 && (isAlone || this.#waiting[0]?.isAlone === true || size > LARGEST_GROUP);
    });
    // A copy, because commits are added while the group is written.
    return this.#waiting.slice(0, end === -1 ? undefined : end);
  }
}

function sizeOf({ puts, chunks, journal }: Commit): number {
  let size = 0;
  for (const [, text] of puts) size += text.length;
  for (const [, bytes] of chunks) size += bytes.byteLength;
  for (const entry of journal) size += entry.length;
  return size;
}

/** Returns the changes of several commits. */
function unite(commits: readonly WaitingCommit[]): Changed {
  const [only] = commits;
  if (only !== undefined && commits.length === 1) return only.applied.changed;
  const all = new Map<string, Set<string>>();
  for (const { applied } of commits) {
    if (applied.changed === undefined) return undefined;
    for (const [collection, ids] of applied.changed) {
      const known = getOrInsert(all, collection, () => new Set());
      for (const id of ids) known.add(id);
    }
  }
  return all;
}
