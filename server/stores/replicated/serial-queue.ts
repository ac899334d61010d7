/** After this time, the next work starts even if the current one is not done. Milliseconds. */
const PATIENCE = 50;

/** Runs work one after another. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Runs work when the previous work is done or has taken too long. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(work).finally(() => (this.#waiting -= 1));
    const isDone = result.then(ignore, ignore);
    this.#last = this.#last.then(() => Promise.race([isDone, patience()]));
    return result;
  }
}

function ignore(): void {
  // The caller of `run` gets the result.
}

function patience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, PATIENCE).unref());
}
