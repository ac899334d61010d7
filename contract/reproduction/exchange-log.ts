import { isSafeMethod } from '../../model/http-method.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Case, Exchange, WireRequest } from '../types.js';

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
  /** The last response to each request since one that may have changed something. */
  readonly #reads = new Map<string, Exchange>();
  /** Total size of the kept responses, in characters. */
  #size = 0;
  #count = 0;

  add(sent: Case, exchange: Exchange): void {
    const entry = { number: this.#count++, sent, exchange };
    this.#numbers.set(exchange, entry);
    const { status, text, request } = exchange;
    if (!isSafeMethod(request.method.toLowerCase())) this.#reads.clear();
    else if (status > 0) this.#reads.set(keyOf(request), exchange);
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

  /** The last response to the same read, if the run has only read since. */
  unchangedRead(request: WireRequest): Exchange | undefined {
    return this.#reads.get(keyOf(request));
  }

  /** Accepted calls before another one, oldest first. */
  goodBefore({ number }: LogEntry): readonly LogEntry[] {
    return this.goodFrom(0, number - 1);
  }

  /** Accepted calls from one number to another, inclusive. */
  goodFrom(first: number, last: number): readonly LogEntry[] {
    return this.#good.slice(this.#placeOf(first), this.#placeOf(last + 1));
  }

  /** The index of the first accepted call with this number or a later one. */
  #placeOf(number: number): number {
    let [from, to] = [0, this.#good.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if ((this.#good[middle]?.number ?? Infinity) < number) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function keyOf({ method, url, headers }: WireRequest): string {
  return stringifyExactJson([method, url, headers]);
}
