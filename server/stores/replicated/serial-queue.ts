/** After this time, the next work starts even if the current one is not done. Milliseconds. */
const PATIENCE = 50;

/** Runs work one after another. */
export class SerialQueue {
  readonly #onSlow: () => void;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  /** The work that the others wait for. */
  #current: object | undefined;

  /** @param onSlow - called when work has taken too long, and the next one starts. */
  constructor(onSlow: () => void) {
    this.#onSlow = onSlow;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Runs work when the previous work is done or has taken too long. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): Promise<unknown> => work().then(resolve, reject);
      if (this.isBusy) this.#waiting.push(start);
      else this.#start(start);
    });
  }

  #start(work: () => Promise<unknown>): void {
    const current = {};
    this.#current = current;
    const patience = setTimeout(() => {
      this.#onSlow();
      this.#proceed(current);
    }, PATIENCE).unref();
    void work().finally(() => {
      clearTimeout(patience);
      this.#proceed(current);
    });
  }

  #proceed(done: object): void {
    if (this.#current !== done) return;
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#start(next);
  }
}
