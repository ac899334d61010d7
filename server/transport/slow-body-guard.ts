import { HttpError } from '../../http/http-error.js';

export interface BodyPace {
  /** Longest time without a byte, in milliseconds. */
  readonly idle: number;
  /** From {@link BodyPace.grace} on, how much must have come by then, in bytes for each second. */
  readonly least: number;
  /** How long a body may come as it likes, as long as it comes, in milliseconds. */
  readonly grace: number;
}

export interface ReadingBody {
  /** Tells of bytes that have come. */
  add(bytes: number): void;
  /** Whether a reader waits for more: only then is the client silent. */
  wait(isWaiting: boolean): void;
  end(): void;
}

/** A class: one is made for each body. */
class Reading implements ReadingBody {
  received = 0;
  /** The number of bytes at the last check. */
  seen = 0;
  /** Milliseconds that were spent waiting, in all and since the last byte. */
  waited = 0;
  silent = 0;
  isWaiting = true;
  readonly giveUp: (refusal: HttpError) => void;
  readonly #all: Set<Reading>;

  constructor(giveUp: (refusal: HttpError) => void, all: Set<Reading>) {
    this.giveUp = giveUp;
    this.#all = all;
    all.add(this);
  }

  add(bytes: number): void {
    this.received += bytes;
  }

  wait(isWaiting: boolean): void {
    this.isWaiting = isWaiting;
  }

  end(): void {
    this.#all.delete(this);
  }
}

/**
 * Checks all bodies that are being read, from time to time: a client that sends nothing, or single bytes, is refused; one that
 * is slow and steady is not. A timer for each body would cost every call.
 */
export class SlowBodyGuard {
  readonly #pace: BodyPace;
  readonly #readings = new Set<Reading>();
  readonly #timer: NodeJS.Timeout;

  constructor(pace: BodyPace) {
    this.#pace = pace;
    const every = Math.max(20, Math.min(1_000, pace.idle / 4));
    this.#timer = setInterval(() => this.#look(every), every).unref();
  }

  /** @param giveUp - called once at most, where the body comes too slowly. */
  begin(giveUp: (refusal: HttpError) => void): ReadingBody {
    return new Reading(giveUp, this.#readings);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(passed: number): void {
    for (const reading of this.#readings) {
      if (!reading.isWaiting) continue;
      reading.waited += passed;
      reading.silent = reading.received === reading.seen ? reading.silent + passed : 0;
      reading.seen = reading.received;
      const problem = this.#findProblem(reading);
      if (problem === undefined) continue;
      this.#readings.delete(reading);
      reading.giveUp(new HttpError(408, problem, { headers: { connection: 'close' } }));
    }
  }

  #findProblem({ silent, waited, received }: Reading): string | undefined {
    const { idle, grace, least } = this.#pace;
    if (silent >= idle) return `Nothing of the body has come for ${idle / 1_000} seconds.`;
    if (waited < grace || received >= (waited / 1_000) * least) return undefined;
    return `The body comes at less than ${least} bytes a second.`;
  }
}
