/** The signal of one call: the caller's own, or the end of its time. */
export interface Deadline {
  readonly signal: AbortSignal | undefined;
  /** Whether it was the time that ended the call. */
  readonly expired: () => boolean;
  /** Stops the clock. */
  readonly clear: () => void;
}

/** Starts the clock of one call. Not `AbortSignal.timeout`, for that one cannot be stopped when the answer is there. */
export function startDeadline(milliseconds: number | undefined, signal: AbortSignal | undefined): Deadline {
  // A timer cannot hold more than 31 bits: it would ring at once.
  if (milliseconds === undefined || milliseconds > 0x7fffffff)
    return { signal, expired: () => false, clear: () => undefined };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    expired: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
