import type { Case, Exchange } from '../types.js';

/** A request and its response. */
export interface LogEntry {
  /** Counts from 0. */
  readonly number: number;
  readonly sent: Case;
  readonly exchange: Exchange;
}

const MAX_ENTRIES = 5_000;
/** Larger responses are not kept, so no ids are taken from them. */
const MAX_TEXT = 1_000_000;
/** Total size of the responses that are kept, in characters. */
const MAX_KEPT = 100_000_000;

/** The requests of a run, so that a finding can include earlier ones. */
export class ExchangeLog {
  readonly #numbers = new WeakMap<Exchange, LogEntry>();
  #good: LogEntry[] = [];
  /** Total size of the kept responses, in characters. */
  #size = 0;
  #count = 0;

  add(sent: Case, exchange: Exchange): void {
    const entry = { number: this.#count++, sent, exchange };
    this.#numbers.set(exchange, entry);
    const { status, text } = exchange;
    if (status < 200 || status > 299 || text.length > MAX_TEXT) return;
    this.#good.push(entry);
    this.#size += text.length;
    if (this.#good.length > 2 * MAX_ENTRIES || this.#size > MAX_KEPT) this.#forgetOlder();
  }

  /** Drops half of the entries at once, because copying the list is expensive. */
  #forgetOlder(): void {
    this.#good = this.#good.slice(Math.ceil(this.#good.length / 2));
    this.#size = this.#good.reduce((sum, { exchange }) => sum + exchange.text.length, 0);
  }

  /** The entry of an exchange; `undefined` if the run did not send it. */
  find(exchange: Exchange): LogEntry | undefined {
    return this.#numbers.get(exchange);
  }

  /** Accepted calls before another one, oldest first. */
  goodBefore({ number }: LogEntry): readonly LogEntry[] {
    return this.#good.filter((entry) => entry.number < number);
  }

  /** Accepted calls from one number to another, inclusive. */
  goodFrom(first: number, last: number): readonly LogEntry[] {
    return this.#good.filter(({ number }) => number >= first && number <= last);
  }
}
