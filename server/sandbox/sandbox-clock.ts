import type { Clock, Job } from './clock-types.js';
import type { Store } from '../stores/store.js';
import { Agenda } from './agenda.js';
import { LATEST, toShownTime } from '../http-dates.js';
import { type Duration, addDuration } from '../../model/duration.js';
import { JOBS } from './reserved-collections.js';

export interface ClockHost {
  readonly store: Store;
  /** Removes a due job from the store and runs it. Must not throw. */
  readonly run: (job: Job) => Promise<void>;
  /** Waits for other background work, such as deliveries of callbacks. */
  readonly settle: () => Promise<void>;
  /** Saves the time with the state. */
  readonly save: (time: ClockTime) => Promise<void>;
  /** Runs work while no other process moves the clock. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The state of a clock. Epoch milliseconds. */
export interface ClockTime {
  /** Added to real time while the clock is not frozen. */
  readonly offset: number;
  /** The time at which the clock is frozen; `null` if it is not. */
  readonly frozenAt: number | null;
}

/** The longest timeout of `setTimeout` in milliseconds; a longer one fires at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
/** The latest time of a `Date`. Epoch milliseconds. */
const END_OF_TIME = 8.64e15;
/** The most jobs in one move of the clock. More means that jobs plan one another endlessly. */
const MOST_JOBS = 1_000_000;
/** The number of jobs after which other work of the process gets a turn. */
const JOBS_IN_A_ROW = 500;

/**
 * The clock of a sandbox. Jobs run one after another in the order of their due times, started by a timer or by a move
 * of the clock. During a move, `now` is the due time of the running job.
 */
export class SandboxClock implements Clock {
  readonly #host: ClockHost;
  #agenda = new Agenda();
  #offset = 0;
  #stoppedAt: number | undefined;
  #isFrozen = false;
  #isMoving = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** The end of the queue of clock moves. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(host: ClockHost) {
    this.#host = host;
  }

  /** The time, which stays at the end of the year 9999. */
  now(): number {
    return Math.min(this.#stoppedAt ?? Date.now() + this.#offset, LATEST);
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  schedule(job: Job): Promise<void> {
    return storeJob(this.#host.store, job);
  }

  async cancel(id: string): Promise<void> {
    await this.#host.store.delete(JOBS, id);
  }

  /** Moves the clock forward. Resolves when everything that became due is done. */
  advance(duration: Duration): Promise<void> {
    return this.#change(() => this.#moveTo(addDuration(this.now(), duration)));
  }

  /** Sets the time. Forward works like {@link advance}; backward, no job runs. */
  set(time: number): Promise<void> {
    return this.#change(() => this.#moveTo(time));
  }

  /** Stops the clock at its current time, or starts it again from there. */
  freeze(isFrozen: boolean): Promise<void> {
    return this.#change(async () => {
      this.#isFrozen = isFrozen;
      this.#setTo(this.now());
      this.#setTimer();
      await this.#host.save(this.time);
    });
  }

  get time(): ClockTime {
    return { offset: this.#offset, frozenAt: this.#isFrozen ? this.now() : null };
  }

  /** Adopts the time of the state, unless this process is moving the clock. */
  adoptTime({ offset, frozenAt }: ClockTime): void {
    if (this.#isMoving) return;
    this.#offset = offset;
    this.#isFrozen = frozenAt !== null;
    this.#stoppedAt = frozenAt ?? undefined;
    this.#setTimer();
  }

  /** Adopts jobs that were changed in the store: those with the given ids, or all. */
  adoptJobs(jobs: readonly Job[], ids?: Iterable<string>): void {
    if (ids === undefined) this.#agenda = new Agenda();
    else for (const id of ids) this.#agenda.remove(id);
    for (const job of jobs) this.#agenda.add(job);
    this.#setTimer();
  }

  /** Runs the jobs that became due while no process was running, each at its due time. */
  catchUp(): Promise<void> {
    return this.exclusively(async () => {
      const [time, now, first] = [this.time, this.now(), this.nextDue];
      if (first === undefined || this.#isFrozen || first > now) return;
      this.#isMoving = true;
      this.#stoppedAt = first;
      try {
        await this.#runDue(now);
      } finally {
        this.#isMoving = false;
        this.adoptTime(time);
      }
    });
  }

  /** The due time of the next job, by this clock. */
  get nextDue(): number | undefined {
    return this.#agenda.peek()?.dueAt;
  }

  /** Runs work under the lock of the clock: meanwhile it does not move and no job runs. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => {});
    return result;
  }

  #change(work: () => Promise<void>): Promise<void> {
    return this.exclusively(() => this.#host.alone(work));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #setTo(time: number): void {
    this.#offset = time - Date.now();
    this.#stoppedAt = this.#isFrozen ? time : undefined;
  }

  async #moveTo(target: number): Promise<void> {
    if (!(Math.abs(target) <= END_OF_TIME)) throw new RangeError('The time is out of range.');
    this.#isMoving = true;
    this.#stoppedAt = this.now();
    try {
      await this.#host.settle();
      if (target >= this.#stoppedAt) await this.#runDue(target);
    } finally {
      this.#isMoving = false;
      this.#setTo(toShownTime(target));
      this.#setTimer();
    }
    if (!this.#isClosed) await this.#host.save(this.time);
  }

  /** Runs due jobs. With `target`, advances the clock from job to job up to it. */
  async #runDue(target?: number): Promise<void> {
    for (let done = 0; done < MOST_JOBS; done += 1) {
      const job = this.#agenda.peek();
      if (job === undefined || this.#isClosed || job.dueAt > (target ?? this.now())) return;
      if (target !== undefined) this.#stoppedAt = Math.max(this.now(), job.dueAt);
      this.#agenda.remove(job.id);
      await this.#host.run(job);
      if (target !== undefined) await this.#host.settle();
      if (done % JOBS_IN_A_ROW === JOBS_IN_A_ROW - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    throw new RangeError(
      `More than ${MOST_JOBS} jobs became due in one move of the clock; jobs may not schedule one another endlessly.`,
    );
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isMoving || this.#isClosed) return;
    const next = this.#agenda.peek();
    if (next === undefined || next.dueAt > LATEST) return;
    const wait = next.dueAt - this.now();
    if (wait > 0 && this.#isFrozen) return;
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(wait, 0), LONGEST_TIMEOUT)).unref();
  }

  #tick(): void {
    void this.exclusively(async () => {
      try {
        await this.#runDue();
      } finally {
        this.#setTimer();
      }
    }).catch(() => {});
  }
}

/** @throws RangeError if the job is never due. */
export async function storeJob(store: Store, job: Job): Promise<void> {
  if (!Number.isFinite(job.dueAt))
    throw new RangeError(`The job ${job.name} has no valid dueAt: expected epoch milliseconds.`);
  await store.put(JOBS, job.id, job);
}
