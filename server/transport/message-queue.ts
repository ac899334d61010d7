import { Fifo } from '../../runtime/fifo.js';

/** A WebSocket message: text or bytes. */
export type Message = string | Uint8Array;

/** The most bytes of a message. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/** A queue of messages that have not been read. */
export class MessageQueue {
  readonly #waiting = new Fifo<Message>();
  readonly #onTaken: (left: number) => void;
  #wake: (() => void) | undefined;
  #isEnded = false;

  /** @param onTaken - called after each message is read, with the number that are left. */
  constructor(onTaken: (left: number) => void = () => undefined) {
    this.#onTaken = onTaken;
  }

  /** Adds a message and returns the number of waiting messages. */
  push(message: Message): number {
    this.#waiting.push(message);
    this.#wake?.();
    return this.#waiting.length;
  }

  /** Ends the queue. Waiting messages can still be read. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Message> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) {
        this.#onTaken(this.#waiting.length);
        yield message;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
