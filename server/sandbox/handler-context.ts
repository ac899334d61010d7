import { getOrInsert } from '../../model/maps.js';
import { OWN_METHOD } from '../../http/journal/journal-entry.js';
import type { HandlerContext, Collection } from '../handler-api.js';
import type { Clock, Job } from './clock-types.js';
import { type Store, type QueryResult, type StoreQuery, type VersionedItem, collectionOf } from '../stores/store.js';
import { COUNTERS } from './reserved-collections.js';
import type { Journal } from './sandbox.js';
import type { SandboxHost } from './sandbox-host.js';
import { openSchema } from '../schema-handle.js';

/** A job in the store, with the account on whose behalf it was planned. */
export interface AccountJob extends Job {
  readonly account?: string;
}

interface ContextParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: HandlerContext['random'];
  readonly memory: Map<string, object>;
  readonly sendCallback: HandlerContext['sendCallback'];
}

/** Creates the context for an account, or without one, for all callers. A plain object, so that it can be spread. */
export function createContext(
  { store, random, memory, clock, sendCallback }: ContextParts,
  host: SandboxHost,
  account: string | undefined,
): HandlerContext {
  return {
    api: host.api,
    options: host.options,
    config: host.config,
    get baseUrl() {
      const { url } = host.options;
      return typeof url === 'string' ? url : 'http://localhost';
    },
    schema: (schema) => openSchema(host.api, schema),
    realName: host.realName,
    clock: accountClock(clock, account),
    collection: <T>(name: string) =>
      new StateCollection<T>(store, account === undefined ? name : collectionOf(name, account)),
    next: (counter) => countUp(store, collectionOf(COUNTERS, account), counter),
    memory: <T extends object>(key: string, make: () => T) => {
      const known = getOrInsert(memory, key, () => make());
      // Safe cast if each key is always used with the same type.
      return known as T;
    },
    random: {
      uuid: () => random.uuid(),
      number: () => random.number(),
      integer: (min, max) => random.integer(min, max),
      bytes: (length) => random.bytes(length),
    },
    sendCallback: (callback) => sendCallback({ ...callback, queue: collectionOf(callback.queue, account) }),
  };
}

/** Increments a counter and returns it, from 1. */
export function countUp(store: Store, collection: string, counter: string): Promise<number> {
  return store.update(collection, counter, (count) => Number(count ?? 0) + 1).then(Number);
}

/** Writes an error outside of any call to the journal. */
export function reportError(
  { journal, clock }: { readonly journal: Pick<Journal, 'add'>; readonly clock: Pick<Clock, 'now'> },
  path: string,
  error: unknown,
): void {
  const message = error instanceof Error ? error.message : String(error);
  journal.add({
    at: new Date(clock.now()).toISOString(),
    method: OWN_METHOD,
    path,
    status: 500,
    request: { headers: {} },
    response: { headers: {} },
    violations: [{ in: 'response', pointer: '', message }],
  });
}

/** Gives each account its own ids of jobs. */
function accountClock(clock: Clock, account: string | undefined): Clock {
  if (account === undefined) return clock;
  return {
    now: () => clock.now(),
    cancel: (id) => clock.cancel(collectionOf(id, account)),
    schedule: (job) => {
      const planned: AccountJob = { ...job, id: collectionOf(job.id, account), account };
      return clock.schedule(planned);
    },
  };
}

/**
 * A collection as handlers see it. Values are not checked against `T`: only handlers write them. It is a class because
 * most calls open two collections and use one method of each.
 */
class StateCollection<T> implements Collection<T> {
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get(id: string): Promise<T | undefined> {
    return this.#store.get(this.#name, id).then(valueOf) as Promise<T | undefined>;
  }

  getVersioned(id: string): Promise<VersionedItem<T> | undefined> {
    return this.#store.get(this.#name, id) as Promise<VersionedItem<T> | undefined>;
  }

  put(id: string, value: T): Promise<void> {
    return this.#store.put(this.#name, id, value).then(ignore);
  }

  delete(id: string): Promise<boolean> {
    return this.#store.delete(this.#name, id);
  }

  update(id: string, change: (value: T | undefined) => T | undefined): Promise<T | undefined> {
    return this.#store.update(this.#name, id, (value) => change(value as T | undefined)) as Promise<T | undefined>;
  }

  query(query: StoreQuery = {}): Promise<QueryResult<T>> {
    return this.#store.query(this.#name, query) as Promise<QueryResult<T>>;
  }
}

function valueOf(item: VersionedItem | undefined): unknown {
  return item?.value;
}

function ignore(): void {
  // Drops the version, which only conditional requests need.
}
