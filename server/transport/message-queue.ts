import { Fifo } from '../../runtime/fifo.js';

/** A WebSocket message: text or bytes. */
export type Message = string | Uint8Array;

/** The most bytes of a message. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;
/** A queue with more messages or bytes is full. */
const [MOST_MESSAGES, MOST_BYTES] = [1_000, MAX_MESSAGE_BYTES];

/** A queue of messages that have not been read. */
export class MessageQueue {
  readonly #waiting = new Fifo<Message>();
  readonly #onTaken: () => void;
  #bytes = 0;
  #wake: (() => void) | undefined;
  #isEnded = false;

  /** @param onTaken - called after each message is read. */
  constructor(onTaken: () => void = () => undefined) {
    this.#onTaken = onTaken;
  }

  /** Whether more than this share of what may wait is waiting. */
  holds(share: number): boolean {
    return this.#waiting.length > MOST_MESSAGES * share || this.#bytes > MOST_BYTES * share;
  }

  push(message: Message): void {
    this.#waiting.push(message);
    this.#bytes += message.length;
    this.#wake?.();
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
        this.#bytes -= message.length;
        this.#onTaken();
        yield message;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
