interface WaitingWrite {
  readonly stream: { readonly destroy: () => unknown };
  readonly write: () => void;
}

/** Messages that wait for the end of this turn of the event loop. */
let waiting: WaitingWrite[] = [];

/**
 * Writes a message at the end of this turn of the event loop: the messages of all that came in one turn go out one after
 * another. Each alone would wake its reader up, while the next waits for it: that is a quarter of a whole call of a mock.
 *
 * @param write - where it throws, the stream is destroyed: this message cannot go out any more, others must not fail with it.
 */
export function atEndOfTurn(stream: WaitingWrite['stream'], write: () => void): void {
  waiting.push({ stream, write });
  if (waiting.length === 1) setImmediate(writeAll);
}

function writeAll(): void {
  const all = waiting;
  waiting = [];
  for (const { stream, write } of all) {
    try {
      write();
    } catch {
      stream.destroy();
    }
  }
}
