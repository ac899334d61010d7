import { connectRedis, type RedisConnection, type RedisLocation } from './redis-connection.js';
import { ADD_CALLS, PULL, PUSH, READ_CALLS } from './redis-scripts.js';
import { isRecord } from '../../../model/document/records.js';
import {
  type Commit,
  type CommittedChange,
  DamagedStateError,
  type ItemText,
  type JournalBackend,
  type Pulled,
  type StateBackend,
  nextVersion,
} from './state-backend.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** The longest change in the log, in characters. After a longer one, other processes read everything. */
const LONGEST_CHANGE = 262_144;
/** How often the use of a sandbox is recorded. Milliseconds. */
const NOTE_USE_EVERY = 60_000;

/**
 * Stores state in Redis, for any number of processes. All keys of a sandbox contain its name in braces, so that they
 * are in one slot.
 *
 * @throws InputError if there is no Redis.
 */
export async function openRedisBackend(location: RedisLocation, api: string): Promise<StateBackend> {
  return new RedisBackend(await connectRedis(location), `${location.prefix}${api}:`);
}

interface SandboxKeys {
  readonly head: string;
  readonly log: string;
  readonly items: string;
  readonly chunks: string;
  readonly journal: string;
  readonly journalCount: string;
}

class RedisBackend implements StateBackend {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  /** The key of the sandboxes by their next due time. */
  readonly #due: string;
  /** The key of the sandboxes by their last use. */
  readonly #used: string;
  readonly #noted = new Map<string, number>();

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#due = `${prefix}due`;
    this.#used = `${prefix}used`;
  }

  readonly pull = async (sandbox: string, since: string): Promise<Pulled | undefined> => {
    const { head, log, items } = this.#keysOf(sandbox);
    const response = await this.#redis.run(PULL, [head, log, items], [since]);
    this.#noteUse(sandbox);
    if (response === null) return undefined;
    const [version, kind, texts] = response as readonly [string, Pulled['kind'], readonly string[]];
    if (kind === 'changes') return { kind, version, changes: texts.map(readChange) };
    return { kind, version, items: toPairs(texts) };
  };

  readonly push = async (sandbox: string, since: string, commit: Commit): Promise<string | undefined> => {
    const { clear, puts, deletes, chunks, droppedChunks, journal, dueAt } = commit;
    const change = stringifyExactJson({ clear, puts, deletes } satisfies CommittedChange);
    const version = nextVersion(since);
    const { head, log, items, chunks: chunksKey, journal: journalKey, journalCount } = this.#keysOf(sandbox);
    const isCommitted = await this.#redis.run(
      PUSH,
      [head, log, items, chunksKey, journalKey, journalCount, this.#due, this.#used],
      [
        ...[since, version, sandbox, String(Date.now())],
        dueAt === undefined ? '' : String(dueAt ?? 'never'),
        clear ? '1' : '0',
        change.length > LONGEST_CHANGE ? '' : change,
        ...[String(puts.length), ...puts.flatMap(([sequence, text]) => [String(sequence), text])],
        ...[String(deletes.length), ...deletes.map(([sequence]) => String(sequence))],
        ...[String(chunks.length), ...chunks.flatMap(([name, bytes]) => [name, Buffer.from(bytes)])],
        ...[String(droppedChunks.length), ...droppedChunks],
        ...[String(journal.length), ...journal],
      ],
    );
    return isCommitted === 1 ? version : undefined;
  };

  readonly readChunks = async (
    sandbox: string,
    names: readonly string[],
  ): Promise<readonly (Uint8Array | undefined)[]> => {
    if (names.length === 0) return [];
    const chunks = await this.#redis.sendForBytes('HMGET', this.#keysOf(sandbox).chunks, ...names);
    return (chunks as readonly (Buffer | null)[]).map((chunk) => chunk ?? undefined);
  };

  readonly list = async (): ReturnType<StateBackend['list']> => {
    const response = (await this.#redis.send('ZRANGE', this.#used, '0', '-1', 'WITHSCORES')) as readonly string[];
    return toPairs(response, String).map(([name, usedAt]) => ({ name, usedAt: Number(usedAt) }));
  };

  readonly drop = async (sandbox: string): Promise<boolean> => {
    const count = await this.#redis.send('DEL', ...Object.values<string>({ ...this.#keysOf(sandbox) }));
    await this.#redis.send('ZREM', this.#due, sandbox);
    await this.#redis.send('ZREM', this.#used, sandbox);
    return Number(count) > 0;
  };

  readonly dropUnused = async (before: number, except: string): Promise<void> => {
    const names = (await this.#redis.send('ZRANGEBYSCORE', this.#used, '-inf', `(${before}`)) as readonly string[];
    for (const name of names) if (name !== except) await this.drop(name);
  };

  readonly findDue = async (now: number): Promise<readonly string[]> =>
    (await this.#redis.send('ZRANGEBYSCORE', this.#due, '-inf', String(now))) as readonly string[];

  readonly journals: JournalBackend = {
    append: async (sandbox, entries) => {
      const { journal, journalCount } = this.#keysOf(sandbox);
      await this.#redis.run(ADD_CALLS, [journal, journalCount], entries);
    },
    read: async (sandbox, after = 0) => {
      const { journal, journalCount } = this.#keysOf(sandbox);
      const response = await this.#redis.run(READ_CALLS, [journal, journalCount], [String(after)]);
      const [count, entries] = response as readonly [string, readonly string[]];
      return { first: Number(count) - entries.length + 1, entries };
    },
    clear: async (sandbox) => {
      await this.#redis.send('DEL', this.#keysOf(sandbox).journal);
    },
    restart: async (sandbox) => {
      const { journal, journalCount } = this.#keysOf(sandbox);
      await this.#redis.send('DEL', journal, journalCount);
    },
  };

  readonly close = (): Promise<void> => this.#redis.close();

  #keysOf(sandbox: string): SandboxKeys {
    const start = `${this.#prefix}{${sandbox}}:`;
    return {
      head: `${start}head`,
      log: `${start}log`,
      items: `${start}items`,
      chunks: `${start}chunks`,
      journal: `${start}journal`,
      journalCount: `${start}journal-count`,
    };
  }

  #noteUse(sandbox: string): void {
    const now = Date.now();
    if (now - (this.#noted.get(sandbox) ?? now) < NOTE_USE_EVERY) {
      if (!this.#noted.has(sandbox)) this.#noted.set(sandbox, now);
      return;
    }
    this.#noted.set(sandbox, now);
    // XX: updates existing sandboxes only; writes add them to the list.
    this.#redis.send('ZADD', this.#used, 'XX', String(now), sandbox).catch(() => {});
  }
}

/** @throws DamagedStateError if the text is not a change that a mock has written. */
function readChange(text: string): CommittedChange {
  const change = parseOrNothing(text);
  if (!isRecord(change)) throw new DamagedStateError('a change is no JSON object.');
  const { clear, puts, deletes } = change;
  const isChange = typeof clear === 'boolean' && isListOfLists(puts) && isListOfLists(deletes);
  if (!isChange) throw new DamagedStateError('a change has other members than clear, puts and deletes.');
  return { clear, puts: puts as CommittedChange['puts'], deletes: deletes as CommittedChange['deletes'] };
}

function isListOfLists(value: unknown): value is readonly (readonly unknown[])[] {
  return Array.isArray(value) && value.every((item) => Array.isArray(item) && typeof item[1] === 'string');
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toPairs(flat: readonly string[]): readonly ItemText[];
function toPairs<Key>(flat: readonly string[], read: (text: string) => Key): readonly (readonly [Key, string])[];
function toPairs(
  flat: readonly string[],
  read: (text: string) => unknown = Number,
): readonly (readonly [unknown, string])[] {
  return flat.flatMap((text, index) => (index % 2 === 0 ? [[read(text), flat[index + 1] ?? ''] as const] : []));
}
