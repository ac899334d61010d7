import type { ServerResponse } from 'node:http';

/** Knows when a client goes away before it has its response. An `AbortSignal` for each call would cost more than its check. */
export class ClientGone {
  readonly #listeners: (() => void)[] = [];
  #isGone = false;

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.#isGone = true;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Calls back when the client goes away. Gives what ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      const index = this.#listeners.indexOf(listener);
      if (index !== -1) this.#listeners.splice(index, 1);
    };
  }

  toSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.#isGone) controller.abort();
    else this.listen(() => controller.abort());
    return controller.signal;
  }
}
