import type { Database, RootDatabase } from 'lmdb';

import { stringifyExactJson } from '../../../runtime/json-integers.js';
import type { CommittedChange, DeletedItem, ItemText } from './state-backend.js';

/** The most commits of a sandbox that are kept. A process that is further behind reads everything. */
const MOST_CHANGES = 1_000;
/** The most items of a commit that is kept. */
const MOST_ITEMS = 1_000;

/** A commit without the texts of its items, which are where they always are. */
type Kept = readonly [clear: boolean, puts: readonly number[], deletes: readonly DeletedItem[]];

/** The last commits of each sandbox, so that other processes read only what has changed. */
export class ChangeLog {
  readonly #log: Database<string, [sandbox: string, count: number]>;
  readonly #items: Database<string, [sandbox: string, part: number | string]>;

  constructor(root: RootDatabase<string>, items: Database<string, [sandbox: string, part: number | string]>) {
    this.#log = root.openDB('changes', { encoding: 'string' });
    this.#items = items;
  }

  /** Notes the commit that made a version, in its transaction. */
  add(sandbox: string, version: string, { clear, puts, deletes }: CommittedChange): void {
    const { epoch, count } = readVersion(version);
    this.#log.removeSync([sandbox, count - MOST_CHANGES]);
    // A missing commit is like one that is too far behind.
    if (puts.length + deletes.length > MOST_ITEMS) this.#log.removeSync([sandbox, count]);
    else {
      const kept: Kept = [clear, puts.map(([sequence]) => sequence), deletes];
      this.#log.putSync([sandbox, count], `${epoch} ${stringifyExactJson(kept)}`);
    }
  }

  /** Returns the commits after one version until another; `undefined` if they are not known any more. */
  read(sandbox: string, since: string, until: string): readonly CommittedChange[] | undefined {
    const [first, last] = [readVersion(since), readVersion(until)];
    if (since === '' || first.epoch !== last.epoch || last.count - first.count > MOST_CHANGES) return undefined;
    const kept: Kept[] = [];
    for (let count = first.count + 1; count <= last.count; count += 1) {
      const text = this.#log.get([sandbox, count]) ?? '';
      const start = text.indexOf(' ');
      if (start === -1 || text.slice(0, start) !== first.epoch) return undefined;
      const change = readKept(text.slice(start + 1));
      if (change === undefined) return undefined;
      kept.push(change);
    }
    return kept.map(([clear, puts, deletes]) => ({
      clear,
      deletes,
      puts: puts.flatMap((one) => this.#find(sandbox, one)),
    }));
  }

  drop(sandbox: string): void {
    for (const key of [...this.#log.getKeys({ start: [sandbox, 0], end: [sandbox, Number.MAX_SAFE_INTEGER] })])
      this.#log.removeSync(key);
  }

  /** The present text of an item; nothing if a later commit has deleted it. */
  #find(sandbox: string, sequence: number): readonly ItemText[] {
    const text = this.#items.get([sandbox, sequence]);
    return text === undefined ? [] : [[sequence, text]];
  }
}

/** Returns nothing for a damaged text: all items are read then. */
function readKept(text: string): Kept | undefined {
  try {
    const [clear, puts, deletes] = JSON.parse(text) as readonly unknown[];
    const isKept =
      typeof clear === 'boolean' && isListOf(puts, Number.isSafeInteger) && isListOf(deletes, Array.isArray);
    return isKept ? [clear, puts as Kept[1], deletes as Kept[2]] : undefined;
  } catch {
    return undefined;
  }
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => is(item));
}

function readVersion(version: string): { readonly epoch: string; readonly count: number } {
  const [epoch = '', count = '0'] = version.split('.');
  return { epoch, count: Number(count) };
}
