import type { MockDefinition } from '../mock-definition.js';
import type { Changed } from '../stores/replicated/replica-copy.js';
import { StateUnavailableError } from '../stores/replicated/state-backend.js';
import type { Job } from './clock-types.js';
import { type AccountJob, reportError } from './handler-context.js';
import { CALLBACKS, CLOCK, JOBS, META } from './reserved-collections.js';
import { type ClockTime, SandboxClock } from './sandbox-clock.js';
import type { SandboxHost } from './sandbox-host.js';
import type { SandboxState } from './sandbox-state.js';
import type { SandboxView } from './sandbox-view.js';
import type { PostResult } from './webhook-post.js';
import { CallbackQueues, RETRY_JOB, type WaitingCallback } from './webhook-queue.js';

interface WorkOwner {
  readonly name: string;
  readonly state: SandboxState;
  /** Changes with a reload. */
  readonly host: () => SandboxHost;
}

/** What a sandbox does outside of requests: its clock, jobs, and deliveries of callbacks, each done by one process. */
export class BackgroundWork {
  readonly clock: SandboxClock;
  readonly callbacks: CallbackQueues;
  readonly #owner: WorkOwner;

  constructor(owner: WorkOwner) {
    const { store, leases } = owner.state;
    this.#owner = owner;
    this.clock = new SandboxClock({
      store,
      run: (job) => this.#runJob(job),
      settle: () => this.callbacks.settle(),
      save: (time) => this.#saveTime(time),
      alone: (work) => leases.holdWhenFree(CLOCK, work),
    });
    this.callbacks = new CallbackQueues({
      store,
      clock: this.clock,
      policy: owner.host().callbacks,
      onAttempt: (...attempt) => this.#reportAttempt(...attempt),
      onLost: ({ url }, { reason }) => this.report(url, reason),
      alone: async (queue, work) => {
        const until = await leases.holdIfFree(`${CALLBACKS} ${queue}`, work);
        if (until !== undefined) setTimeout(() => this.callbacks.wake(queue), until - Date.now()).unref();
      },
      isForeign: (url) => owner.state.isForeign(url),
    });
  }

  /** Follows the changes of this and other processes; `undefined` means that everything may have changed. */
  follow(changed: Changed): void {
    if (changed === undefined || changed.get(META)?.has(CLOCK) === true) this.clock.adoptTime(this.#owner.state.time);
    const jobs = changed?.get(JOBS);
    if (changed === undefined || jobs !== undefined) this.clock.adoptJobs(this.#jobs(jobs), jobs);
    const callbacks = changed?.get(CALLBACKS);
    if (changed !== undefined && callbacks === undefined) return;
    const waiting = this.#valuesOf(CALLBACKS, callbacks) as readonly WaitingCallback[];
    for (const queue of new Set(waiting.map((callback) => callback.queue))) this.callbacks.wake(queue);
  }

  /** Does what became due while no process was running. */
  async catchUp(): Promise<void> {
    this.clock.adoptJobs(this.#jobs());
    await this.clock.catchUp();
    await this.callbacks.resume();
    // Any write to META computes the next due time again: the noted job may have been cancelled.
    await this.#owner.state.transact(({ store }) => store.put(META, 'looked', Date.now()));
  }

  async close(): Promise<void> {
    this.clock.close();
    await this.callbacks.stop();
  }

  /** Writes a problem outside of any call to the journal. */
  report(path: string, error: unknown): void {
    const { state } = this.#owner;
    reportError({ journal: state.journal, clock: this.clock }, path, error);
  }

  // Safe cast: jobs are written by the mock itself or checked by a restore.
  #jobs(ids?: ReadonlySet<string>): readonly Job[] {
    return this.#valuesOf(JOBS, ids) as readonly Job[];
  }

  #valuesOf(collection: string, ids?: ReadonlySet<string>): readonly unknown[] {
    const items = this.#owner.state.itemsOf(collection);
    if (items === undefined) return [];
    return [...(ids ?? items.keys())].flatMap((id) => items.get(id)?.value ?? []);
  }

  /** Removes and runs a job in one transaction, so that only one process runs it. */
  async #runJob(planned: Job): Promise<void> {
    const { name, state, host } = this.#owner;
    try {
      const isDone = await state.transact(async ({ view, store }) => {
        const job = (await store.get(JOBS, planned.id))?.value as AccountJob | undefined;
        if (job === undefined) return false;
        if (job.dueAt > this.clock.now()) {
          this.clock.adoptJobs([job], [job.id]);
          return false;
        }
        await store.delete(JOBS, job.id);
        return this.#doJob(view, job);
      });
      if (isDone) host().onWork?.({ sandbox: name, kind: 'job', name: planned.name, outcome: 'done' });
    } catch (error) {
      // The job is still in the store; the next search for due jobs finds it.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }

  /** Runs a job. Returns whether it was a job of the definition that succeeded. */
  async #doJob(view: SandboxView, { name, payload, account }: AccountJob): Promise<boolean> {
    try {
      if (name === RETRY_JOB) this.callbacks.wake((payload as { readonly queue: string }).queue);
      else {
        await findJob(this.#owner.host().definition, name)(await view.contextOf(account), payload as never);
        return true;
      }
    } catch (error) {
      if (error instanceof StateUnavailableError) throw error;
      reportError(view, `/__specmill/jobs/${encodeURIComponent(name)}`, error);
    }
    return false;
  }

  async #saveTime(time: ClockTime): Promise<void> {
    const { state } = this.#owner;
    try {
      await state.transact(async ({ setTime }) => setTime(time));
    } catch (error) {
      this.clock.adoptTime(state.time);
      throw error;
    }
  }

  /** @param retryAfter - milliseconds until the next attempt, if this one has failed. */
  #reportAttempt({ url }: WaitingCallback, { outcome, reason }: PostResult, retryAfter?: number): void {
    const { onWork, redact } = this.#owner.host();
    onWork?.({
      sandbox: this.#owner.name,
      kind: 'callback',
      name: redact.target(url),
      outcome:
        retryAfter === undefined ? outcome : `failed: ${reason} The next attempt follows in ${retryAfter / 1_000} s.`,
    });
  }
}

/** @throws Error if the behaviour has no job of that name. */
function findJob({ jobs = {} }: MockDefinition, name: string): NonNullable<MockDefinition['jobs']>[string] {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (job === undefined) throw new Error(`The job ${name} is due, but the behaviour of the API does not define it.`);
  return job;
}
