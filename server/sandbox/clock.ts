/** Something that is due at a time; kept in the store, so that it survives a restart and moves with a snapshot. */
export interface Job {
  readonly id: string;
  /** A key of {@link MockDefinition.jobs}. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  readonly payload: unknown;
}

/** The time of one sandbox: real time plus an offset, flowing on, or frozen. Every expiry follows it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Plans a job; one with the same id is replaced. */
  schedule(job: Job): Promise<void>;
  cancel(id: string): Promise<void>;
}
