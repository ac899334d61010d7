/** A job that runs at a given time. It is stored, so it survives restarts and is part of snapshots. */
export interface Job {
  readonly id: string;
  /** A key of {@link MockDefinition.jobs}. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  readonly payload: unknown;
}

/** The time of one sandbox: real time plus an offset, or frozen. Every expiry uses it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Plans a job. Replaces a job with the same id. */
  schedule(job: Job): Promise<void>;
  cancel(id: string): Promise<void>;
}
