/** Messages that came and were not read yet. */
export class Inbox<Message> {
  readonly #messages: Message[] = [];
  readonly #waiting: (() => void)[] = [];
  #end: { readonly error: Error | undefined } | undefined;

  push(message: Message): void {
    if (this.#end !== undefined) return;
    this.#messages.push(message);
    this.#wake();
  }

  /** No more messages come; with an error, whoever asks for one is told. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** The next message; those that came before the end are given first. */
  async next(): Promise<IteratorResult<Message, undefined>> {
    for (;;) {
      if (this.#messages.length > 0) return { done: false, value: this.#messages.shift() as Message };
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
