import type { Violation } from '../../http/messages.js';
import type { AnswerCheck } from './response-check.js';
import { EventSplitter } from './event-splitter.js';

/** More violations of one call are not kept. */
const MOST_VIOLATIONS = 100;

/** What became of a chunk: the events that may go on, and whether the one after them breaks the spec. */
export interface WatchedChunk {
  readonly passed: readonly Uint8Array[];
  readonly isBroken: boolean;
}

/** The events of a stream, checked as they go by. */
export class EventWatch {
  readonly violations: Violation[] = [];
  readonly #check: AnswerCheck;
  readonly #splitter: EventSplitter;

  /** @param limit - the most bytes of an event that is checked. */
  constructor(check: AnswerCheck, limit: number) {
    this.#check = check;
    this.#splitter = new EventSplitter(limit);
  }

  /** An event was longer than the limit, so nothing after it is checked. */
  get hasGivenUp(): boolean {
    return this.#splitter.hasGivenUp;
  }

  /** Looks at what goes by anyway. */
  add(chunk: Uint8Array): void {
    if (this.hasGivenUp) return;
    for (const { data } of this.#splitter.add(chunk)) this.#findViolations(data);
    if (this.hasGivenUp) this.#splitter.rest();
  }

  /** Says what may go on: nothing after the first event that breaks the spec. Bytes of an event wait for its end. */
  admit(chunk: Uint8Array): WatchedChunk {
    if (this.hasGivenUp) return { passed: [chunk], isBroken: false };
    const passed: Uint8Array[] = [];
    for (const { bytes, data } of this.#splitter.add(chunk)) {
      if (this.#findViolations(data)) return { passed, isBroken: true };
      passed.push(bytes);
    }
    return { passed: this.hasGivenUp ? [...passed, this.#splitter.rest()] : passed, isBroken: false };
  }

  /** The bytes that wait for the end of their event. */
  rest(): Uint8Array {
    return this.#splitter.rest();
  }

  #findViolations(data: string | undefined): boolean {
    const found = data === undefined ? [] : this.#check.checkEvent(data);
    this.violations.push(...found.slice(0, MOST_VIOLATIONS - this.violations.length));
    return found.length > 0;
  }
}
