/** A message of a WebSocket: text, or bytes. */
export type Message = string | Uint8Array;

/** The greatest size of a message, in bytes. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/** Messages that wait for their reader. */
export class MessageQueue {
  readonly #waiting: Message[] = [];
  readonly #onTaken: (left: number) => void;
  #wake: (() => void) | undefined;
  #isEnded = false;

  /** @param onTaken - called for each message that was read, with how many are left. */
  constructor(onTaken: (left: number) => void = () => undefined) {
    this.#onTaken = onTaken;
  }

  /** Gives how many wait now. */
  push(message: Message): number {
    this.#waiting.push(message);
    this.#wake?.();
    return this.#waiting.length;
  }

  /** Ends the queue; waiting messages can still be read. */
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
