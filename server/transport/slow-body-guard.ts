import { HttpError } from '../../http/http-error.js';

export interface BodyPace {
  /** The longest time without a byte, in milliseconds. */
  readonly idle: number;
  /** The least average rate after {@link BodyPace.grace}, in bytes per second. */
  readonly least: number;
  /** How long a body may be slower than `least`, in milliseconds. */
  readonly grace: number;
}

export interface ReadingBody {
  /** Reports received bytes. */
  add(bytes: number): void;
  /** Reports whether a reader waits for more. Only that time counts. */
  wait(isWaiting: boolean): void;
  end(): void;
}

/** The progress of one body. */
class Reading implements ReadingBody {
  received = 0;
  /** The number of bytes at the last check. */
  seen = 0;
  /** Milliseconds spent waiting: in total, and (`silent`) since the last byte. */
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
 * Checks all bodies that are being read at an interval. Refuses clients that send nothing or only single bytes, but not
 * those that are slow and steady. A timer for each body would slow down every call.
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

  /** @param giveUp - called at most once, if the body comes too slowly. */
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
