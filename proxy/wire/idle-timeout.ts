/** Calls `onIdle` once after a time without activity. */
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

  /** Notes activity. */
  touch(): void {
    if (!this.#isOver) this.#timer.refresh();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
