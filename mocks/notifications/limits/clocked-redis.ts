import type { Clock } from '../../../server/sandbox/clock.js';

interface Counter {
  value: number;
  /** Epoch milliseconds, by the clock of the sandbox. */
  endsAt: number;
}

/** What rate-limiter-flexible reads a counter with: `multi().get(key).pttl(key).exec()`. */
interface Transaction {
  get(key: string): Transaction;
  pttl(key: string): Transaction;
  exec(): Promise<readonly (readonly [null, number | string | null])[]>;
}

/** After so many writes, counters whose window is over are thrown away. */
const WRITES_BETWEEN_CLEANINGS = 10_000;

/**
 * The commands of Redis that rate-limiter-flexible sends, over a map, with the sandbox's clock in the place of Redis'
 * own: its limiter in memory only knows real time (docs/adr/0005-rate-limits.md).
 */
export class ClockedRedis {
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();
  #writes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds to a counter, which begins its window if there is none: in one step, as the script of the library does. */
  async rlflxIncr([key = '', points = '0', seconds = '0']: readonly string[]): Promise<readonly [number, number]> {
    this.#clean();
    const now = this.#clock.now();
    const length = Number(seconds) * 1_000;
    const known = this.#find(key);
    // Where the clock was set back, the window begins anew: none is longer than it may be.
    const counter = known === undefined || known.endsAt - now > length ? { value: 0, endsAt: now + length } : known;
    counter.value += Number(points);
    this.#counters.set(key, counter);
    return [counter.value, counter.endsAt - now];
  }

  multi(): Transaction {
    const answers: [null, number | string | null][] = [];
    const add = (answer: number | string | null): Transaction => {
      answers.push([null, answer]);
      return transaction;
    };
    const transaction: Transaction = {
      get: (key) => add(this.#find(key)?.value.toString() ?? null),
      pttl: (key) => add((this.#find(key)?.endsAt ?? this.#clock.now() - 2) - this.#clock.now()),
      exec: async () => answers,
    };
    return transaction;
  }

  #find(key: string): Counter | undefined {
    const counter = this.#counters.get(key);
    return counter !== undefined && counter.endsAt > this.#clock.now() ? counter : undefined;
  }

  #clean(): void {
    this.#writes += 1;
    if (this.#writes % WRITES_BETWEEN_CLEANINGS !== 0) return;
    const now = this.#clock.now();
    for (const [key, { endsAt }] of this.#counters) if (endsAt <= now) this.#counters.delete(key);
  }
}
