import { HttpError } from '../../http/http-error.js';
import type { Store, StoreContents } from '../stores/store.js';

const MEGABYTE = 1_024 * 1_024;
/** The most bytes (estimated) of state in memory for one sandbox, and for all sandboxes of a process together. */
const SANDBOX_BYTES: number = 256 * MEGABYTE;
const PROCESS_BYTES: number = 768 * MEGABYTE;

/** A store that refuses writes beyond its budget; `release` returns its share. */
export interface BudgetedStore {
  readonly store: Store;
  readonly release: () => void;
}

/** Limits the state of several sandboxes together. Refuses writes, because state is never dropped, unlike journals. */
export class StateBudget {
  readonly #perSandbox: number;
  readonly #together: number;
  #bytes = 0;

  constructor(perSandbox: number = SANDBOX_BYTES, together: number = PROCESS_BYTES) {
    this.#perSandbox = perSandbox;
    this.#together = together;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Wraps a store to count its writes. */
  open(store: Store): BudgetedStore {
    const sizes = new Map<string, Map<string, number>>();
    let own = 0;
    const grow: Counting['grow'] = (collection, id, size) => {
      const items = sizes.get(collection) ?? new Map<string, number>();
      const change = size - (items.get(id) ?? 0);
      if (change > 0) this.#check(own + change, change);
      own += change;
      this.#bytes += change;
      if (size === 0) items.delete(id);
      else items.set(id, size);
      if (items.size === 0) sizes.delete(collection);
      else sizes.set(collection, items);
    };
    const release = (): void => {
      this.#bytes -= own;
      own = 0;
      sizes.clear();
    };
    return { store: this.#watch(store, { grow, release, own: () => own }), release };
  }

  #watch(store: Store, { grow, release, own }: Counting): Store {
    return {
      get: (collection, id) => store.get(collection, id),
      query: (collection, query) => store.query(collection, query),
      collections: () => store.collections(),
      dump: () => store.dump(),
      put: async (collection, id, value, expected) => {
        const size = sizeOf(value) + ITEM;
        this.#check(own() + size, size);
        const version = await store.put(collection, id, value, expected);
        grow(collection, id, size);
        return version;
      },
      update: async (collection, id, change) => {
        let size = 0;
        const changed = await store.update(collection, id, (known) => {
          const next = change(known);
          size = next === undefined ? 0 : sizeOf(next) + ITEM;
          if (size > 0) this.#check(own() + size, size);
          return next;
        });
        grow(collection, id, size);
        return changed;
      },
      delete: async (collection, id) => {
        const wasThere = await store.delete(collection, id);
        grow(collection, id, 0);
        return wasThere;
      },
      clear: async () => {
        await store.clear();
        release();
      },
      load: async (contents) => {
        const sizes = sizesOf(contents);
        const total = sizes.reduce((sum, [, , size]) => sum + size, 0);
        this.#check(total, total - own());
        await store.load(contents);
        release();
        for (const [collection, id, size] of sizes) grow(collection, id, size);
      },
    };
  }

  /** @throws HttpError 507 */
  #check(own: number, more: number): void {
    if (own > this.#perSandbox)
      throw tooMuch(`The state of a sandbox may take ${inMegabytes(this.#perSandbox)} of memory.`);
    if (this.#bytes + more > this.#together)
      throw tooMuch(`The state of all sandboxes may take ${inMegabytes(this.#together)} of memory.`);
  }
}

interface Counting {
  readonly grow: (collection: string, id: string, size: number) => void;
  readonly release: () => void;
  readonly own: () => number;
}

/** The budget of this process. */
export const PROCESS_STATE: StateBudget = new StateBudget();

function tooMuch(limit: string): HttpError {
  return new HttpError(507, `${limit} Reset the sandbox, or delete some of its items.`);
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE)} MB`;
}

/** The estimated bytes of an item without its value. */
const ITEM = 100;

function sizesOf(contents: StoreContents): (readonly [string, string, number])[] {
  return contents.flatMap(({ collection, items }) =>
    items.map(({ id, value }) => [collection, id, sizeOf(value) + ITEM] as const),
  );
}

/** Estimates the bytes of a value: two for each character, and a few for each part. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 16;
  if (typeof value !== 'object' || value === null) return 16;
  if (value instanceof Uint8Array) return value.byteLength + 100;
  let size = 32;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const name of Object.keys(value)) size += 16 + sizeOf((value as Readonly<Record<string, unknown>>)[name]);
  return size;
}
