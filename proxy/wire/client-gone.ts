import type { ServerResponse } from 'node:http';

import { HttpError } from '../../http/http-error.js';

/** Notices a client that goes away before it has its response. Cheaper than an `AbortSignal` for each call. */
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

  /** Calls the listener when the client goes away. Returns a function that removes it. */
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

/** The failure of a call whose client is gone, so that no response can be sent. */
export function clientGone(): HttpError {
  return new HttpError(0, 'The client closed the connection before the response.');
}
