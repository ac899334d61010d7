import { chunkNames, encodeStoredItem } from './encode-item.js';
import type { Commit, DeletedItem, ItemText, NamedChunk } from './state-backend.js';
import type { ItemWrite, Transaction } from './transaction.js';

/** The data of a transaction for the backend, and the sequence numbers of the items that it writes. */
export interface PlannedCommit {
  readonly commit: Omit<Commit, 'journal'>;
  readonly sequences: ReadonlyMap<ItemWrite, number>;
  readonly nextSequence: number;
}

export function planCommit(transaction: Transaction, firstSequence: number): PlannedCommit {
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

/** Makes one commit of several, in their order. */
export function mergeCommits(commits: readonly Commit[]): Commit {
  const [only] = commits;
  if (only !== undefined && commits.length === 1) return only;
  const puts = new Map<number, string>();
  const chunks = new Map<string, Uint8Array>();
  const deletes: DeletedItem[] = [];
  const droppedChunks: string[] = [];
  const lastClear = commits.findLastIndex(({ clear }) => clear);
  for (const commit of commits.slice(Math.max(0, lastClear))) {
    for (const [sequence] of commit.deletes) puts.delete(sequence);
    for (const name of commit.droppedChunks) chunks.delete(name);
    for (const [sequence, text] of commit.puts) puts.set(sequence, text);
    for (const [name, bytes] of commit.chunks) chunks.set(name, bytes);
    deletes.push(...commit.deletes);
    droppedChunks.push(...commit.droppedChunks);
  }
  const dueAt = earliest(commits.map((commit) => commit.dueAt));
  return {
    clear: lastClear !== -1,
    puts: [...puts],
    deletes,
    chunks: [...chunks],
    droppedChunks,
    journal: commits.flatMap(({ journal }) => journal),
    ...(dueAt === undefined ? {} : { dueAt }),
  };
}

/** A due time may be too early, but not too late. */
function earliest(times: readonly (number | null | undefined)[]): number | null | undefined {
  const known = times.filter((time) => time !== undefined);
  if (known.length === 0) return undefined;
  const first = Math.min(...known.map((time) => time ?? Infinity));
  return Number.isFinite(first) ? first : null;
}
