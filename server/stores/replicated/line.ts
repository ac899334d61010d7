/** A holder that is not done after this time does not keep the others waiting. Milliseconds. */
const PATIENCE = 50;

/** Lets work be done one after another. */
export class Line {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Begins when the work before is done, or has taken too long. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(work).finally(() => (this.#waiting -= 1));
    const isDone = result.then(ignore, ignore);
    this.#last = this.#last.then(() => Promise.race([isDone, patience()]));
    return result;
  }
}

function ignore(): void {
  // The caller of the work gets its result.
}

function patience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, PATIENCE).unref());
}
