interface WaitingWrite {
  readonly stream: { readonly destroy: () => unknown };
  readonly write: () => void;
}

/** Writes that wait for the end of this turn of the event loop. */
let waiting: WaitingWrite[] = [];

/**
 * Writes a message at the end of this turn of the event loop, together with all others of the turn. Written separately,
 * each message would wake its reader while the next one waits, which takes a quarter of the time of a whole call.
 *
 * @param write - if it throws, only its stream is destroyed, so that other messages are not affected.
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
