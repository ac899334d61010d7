import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

import { isRunning } from '../../model/is-running.js';
import type { Replica } from '../stores/replicated/replica.js';
import { StateUnavailableError } from '../stores/replicated/state-backend.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import { LEASES } from './reserved-collections.js';

/** Lets only one process at a time do some work. */
export interface Leases {
  /** Runs work once no other process holds the lease. @throws StateUnavailableError if that takes too long */
  holdWhenFree<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work unless another process holds the lease. In that case, returns when its lease ends, in epoch milliseconds.
   */
  holdIfFree(name: string, work: () => Promise<void>): Promise<number | undefined>;
}

/** For a state that no other process can reach. */
export const NO_RIVALS: Leases = {
  holdWhenFree: (_name, work) => work(),
  holdIfFree: async (_name, work) => {
    await work();
    return undefined;
  },
};

/** The term of a lease, and how often its holder renews it. Milliseconds of real time. */
const TERM = 8_000;
const RENEW_EVERY = 2_500;
const ASK_AGAIN_AFTER = 50;
const GIVE_UP_AFTER = 30_000;

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** A unique id, because pids are reused, for example in a restarted container. */
  readonly process: string;
}

interface Lease {
  readonly holder: Holder;
  /** Identifies one of the holder's concurrent tasks. */
  readonly key: string;
  readonly until: number;
}

const SELF: Holder = { host: hostname(), pid: process.pid, process: randomUUID() };

/** Leases as records of a shared state. A process that dies loses its leases. */
export class ReplicatedLeases implements Leases {
  readonly #replica: () => Replica;

  constructor(replica: () => Replica) {
    this.#replica = replica;
  }

  async holdWhenFree<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = randomUUID();
    for (const until = Date.now() + GIVE_UP_AFTER; Date.now() < until;) {
      if ((await this.#take(name, key)) === undefined) return this.#work(name, key, work);
      await wait(ASK_AGAIN_AFTER);
    }
    throw new StateUnavailableError('Another process has held the same lease for too long.');
  }

  async holdIfFree(name: string, work: () => Promise<void>): Promise<number | undefined> {
    const key = randomUUID();
    const until = await this.#take(name, key);
    if (until === undefined) await this.#work(name, key, work);
    return until;
  }

  async #work<T>(name: string, key: string, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.#take(name, key).catch(() => {}), RENEW_EVERY).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.#release(name, key);
    }
  }

  /** Takes or renews a lease and returns `undefined`, or returns when the lease of another holder ends. */
  #take(name: string, key: string): Promise<number | undefined> {
    return this.#replica().transact(async (transaction) => {
      const now = Date.now();
      const held = leaseOf(transaction, name);
      if (held !== undefined && held.key !== key && held.until > now && !isGone(held.holder)) return held.until;
      const lease: Lease = { holder: SELF, key, until: now + TERM };
      transaction.write(LEASES, name, lease);
      return undefined;
    });
  }

  async #release(name: string, key: string): Promise<void> {
    await this.#replica().transact(async (transaction) => {
      if (leaseOf(transaction, name)?.key === key) transaction.remove(LEASES, name);
    });
  }
}

function leaseOf(transaction: Transaction, name: string): Lease | undefined {
  return transaction.read(LEASES, name)?.value as Lease | undefined;
}

/** Whether the holder was a process of this machine that has ended. */
function isGone({ host, pid, process: id }: Holder): boolean {
  if (host !== SELF.host) return false;
  if (pid === SELF.pid) return id !== SELF.process;
  return !isRunning(pid);
}
