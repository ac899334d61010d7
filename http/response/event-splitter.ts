import { EventParser } from '../../runtime/event-stream.js';

/** One event of a `text/event-stream` as bytes, or a comment between events. */
export interface SplitEvent {
  /** As it came, with the blank line that ends it. */
  readonly bytes: Uint8Array;
  /** The lines of `data`, joined; absent where there are none. */
  readonly data: string | undefined;
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13] as const;

/**
 * Splits a `text/event-stream` at the ends of its events as its bytes come. Nothing is lost: the bytes of all events and
 * of {@link rest} are those that came.
 */
export class EventSplitter {
  readonly #limit: number;
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #isLineStart = true;
  #wasReturn = false;
  #hasGivenUp = false;

  /** @param limit - the most bytes that an event may have; the splitter gives up at a longer one. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** An event has more bytes than the limit: nothing more is to be split. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** The events that this chunk completes. */
  add(chunk: Uint8Array): readonly SplitEvent[] {
    const events: SplitEvent[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (!this.#endsEvent(chunk[index])) continue;
      events.push(this.#take(chunk.subarray(start, index + 1)));
      start = index + 1;
    }
    this.#keep(chunk.subarray(start));
    if (this.#pendingSize > this.#limit) this.#hasGivenUp = true;
    return events;
  }

  /** What came after the last event: no event by the standard, at the end of a stream. It is forgotten then. */
  rest(): Buffer {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingSize = 0;
    return bytes;
  }

  #endsEvent(byte: number | undefined): boolean {
    const isSecondHalf = byte === LINE_FEED && this.#wasReturn;
    this.#wasReturn = byte === CARRIAGE_RETURN;
    // The line has ended at the CR before it.
    if (isSecondHalf) return false;
    const endsLine = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const isBlank = endsLine && this.#isLineStart;
    this.#isLineStart = endsLine;
    return isBlank;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingSize += bytes.length;
  }

  #take(last: Uint8Array): SplitEvent {
    this.#keep(last);
    const bytes = this.rest();
    const [event] = new EventParser().push(new TextDecoder().decode(bytes));
    return { bytes, data: event?.data };
  }
}
