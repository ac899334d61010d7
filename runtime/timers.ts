/** The clock, for tests: without them, that of the platform. */
export interface Timers {
  /** Waits, and ends with the signal's reason where the signal comes first. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Waits; ends with the signal's reason where the signal comes first. */
export async function wait(milliseconds: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (timers.sleep !== undefined) return timers.sleep(milliseconds, signal);
  // A timer cannot hold more than 31 bits: it would ring at once.
  for (let left = milliseconds; left > 0; left -= LONGEST) await sleep(Math.min(left, LONGEST), signal);
}

/** The time by the given clock, in milliseconds since 1970. */
export function timeOf(timers: Timers): number {
  return (timers.now ?? Date.now)();
}

const LONGEST = 0x7fffffff;

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
