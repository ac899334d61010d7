import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

import { isRunning } from '../../model/is-running.js';
import type { ChangedIds, Replica } from '../stores/replicated/replica.js';
import { StateUnavailableError } from '../stores/replicated/state-backend.js';
import type { Job } from './clock-types.js';
import { findJob } from './controlled-sandbox.js';
import { type AccountJob, countUp, reportError } from './handler-context.js';
import { type WorkReporter, createWorkReporter } from './report-work.js';
import { withoutUserInfo } from './mock-sandbox.js';
import { CALLBACKS, COUNTERS, FOREIGN, JOBS, META, LEASES } from './reserved-collections.js';
import { type ClockTime, SandboxClock } from './sandbox-clock.js';
import { CLOCK, type SharedState } from './shared-state.js';
import type { SharedView } from './shared-view.js';
import { CallbackQueues, RETRY_JOB, type WaitingCallback } from './webhook-queue.js';
import type { Transaction } from '../stores/replicated/transaction.js';

/** The background work of a shared sandbox: jobs and deliveries of callbacks, each done by one process. */
export class SharedAgenda {
  readonly clock: SandboxClock;
  readonly callbacks: CallbackQueues;
  readonly #state: SharedState;
  readonly #leases: Leases;
  readonly #work: WorkReporter;

  constructor(state: SharedState) {
    this.#state = state;
    this.#work = createWorkReporter(state.host, state.name);
    this.#leases = new Leases(() => state.replica);
    this.clock = new SandboxClock({
      store: state.store,
      run: (job) => this.#runJob(job),
      settle: () => this.callbacks.settle(),
      save: (time) => this.#saveTime(time),
      alone: (work) => this.#leases.holdWhenFree(CLOCK, work),
    });
    this.callbacks = this.#openCallbacks();
  }

  follow(changed: ChangedIds | undefined): void {
    if (changed === undefined || changed.get(META)?.has(CLOCK) === true) this.clock.adoptTime(this.#state.time);
    const jobs = changed?.get(JOBS);
    if (changed === undefined) this.clock.adoptJobs(this.#jobs());
    else if (jobs !== undefined) this.clock.adoptJobs(this.#jobs(jobs), jobs);
    const callbacks = changed === undefined ? undefined : (changed.get(CALLBACKS) ?? new Set<string>());
    const waiting = this.#valuesOf(CALLBACKS, callbacks) as readonly WaitingCallback[];
    for (const queue of new Set(waiting.map((callback) => callback.queue))) this.callbacks.wake(queue);
  }

  async wake(): Promise<void> {
    await this.#state.replica.sync();
    this.clock.adoptJobs(this.#jobs());
    await this.clock.catchUp();
    await this.callbacks.resume();
    // Any write to META computes the next due time again: the noted job may have been cancelled.
    await this.#state.change((transaction) => void transaction.write(META, 'looked', Date.now()));
  }

  async close(): Promise<void> {
    this.clock.close();
    await this.callbacks.stop();
  }

  // Safe cast: jobs are written by the mock itself or checked by a restore.
  #jobs(ids?: ReadonlySet<string>): readonly Job[] {
    return this.#valuesOf(JOBS, ids) as readonly Job[];
  }

  #valuesOf(collection: string, ids?: ReadonlySet<string>): readonly unknown[] {
    const items = this.#state.replica.collections.get(collection)?.items;
    if (items === undefined) return [];
    return [...(ids ?? items.keys())].flatMap((id) => items.get(id)?.value ?? []);
  }

  #openCallbacks(): CallbackQueues {
    const { store, host } = this.#state;
    return new CallbackQueues({
      store,
      clock: this.clock,
      policy: host.callbacks,
      nextId: async () => String(await countUp(store, COUNTERS, CALLBACKS)),
      onAttempt: this.#work.attempt,
      onLost: ({ url }, { reason }) => this.#report(withoutUserInfo(url), reason),
      alone: async (queue, work) => {
        const until = await this.#leases.holdIfFree(`${CALLBACKS} ${queue}`, work);
        if (until !== undefined) setTimeout(() => this.callbacks.wake(queue), until - Date.now()).unref();
      },
      isForeign: async (url) => (await store.get(FOREIGN, url)) !== undefined,
    });
  }

  async #saveTime(time: ClockTime): Promise<void> {
    try {
      await this.#state.change((transaction) => void transaction.write(META, CLOCK, time));
    } catch (error) {
      this.clock.adoptTime(this.#state.time);
      throw error;
    }
  }

  /** Removes and runs a job in one transaction, so that only one process runs it. */
  async #runJob(planned: Job): Promise<void> {
    try {
      const isDone = await this.#state.run(async (view, _step, transaction) => {
        const job = transaction.read(JOBS, planned.id)?.value as AccountJob | undefined;
        if (job === undefined) return false;
        if (job.dueAt > this.clock.now()) {
          this.clock.adoptJobs([job], [job.id]);
          return false;
        }
        transaction.remove(JOBS, job.id);
        return this.#doJob(view, job);
      });
      if (isDone) this.#work.job(planned.name);
    } catch (error) {
      // The job is still in the store; the next search for due jobs finds it.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }

  /** Runs a job. Returns whether it was a job of the definition that succeeded. */
  async #doJob(view: SharedView, { name, payload, account }: AccountJob): Promise<boolean> {
    try {
      if (name === RETRY_JOB) this.callbacks.wake((payload as { readonly queue: string }).queue);
      else {
        await findJob(this.#state.host.definition, name)(await view.contextOf(account), payload as never);
        return true;
      }
    } catch (error) {
      if (error instanceof StateUnavailableError) throw error;
      reportError(view, `/__specmill/jobs/${encodeURIComponent(name)}`, error);
    }
    return false;
  }

  #report(path: string, error: unknown): void {
    const journal = { add: this.#state.addCall.bind(this.#state), entries: () => [], clear: () => {} };
    reportError({ journal, clock: this.clock }, path, error);
  }
}

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

/** Lets only one process at a time do some work. A process that dies loses its leases. */
class Leases {
  readonly #replica: () => Replica;

  constructor(replica: () => Replica) {
    this.#replica = replica;
  }

  /** Runs work once no other process holds the lease. @throws StateUnavailableError if that takes too long */
  async holdWhenFree<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = randomUUID();
    for (const until = Date.now() + GIVE_UP_AFTER; Date.now() < until;) {
      if ((await this.#take(name, key)) === undefined) return this.#work(name, key, work);
      await wait(ASK_AGAIN_AFTER);
    }
    throw new StateUnavailableError('Another process is at work on the same for too long.');
  }

  /**
   * Runs work unless another process holds the lease. In that case, returns when its lease ends, in epoch milliseconds.
   */
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
