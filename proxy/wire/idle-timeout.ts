/** Calls back once when nothing has moved for a while. */
export class IdleTimeout {
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  /** @param patience - milliseconds. */
  constructor(patience: number, onIdle: () => void) {
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      onIdle();
    }, patience);
  }

  /** Something moved. */
  touch(): void {
    if (!this.#isOver) this.#timer.refresh();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
