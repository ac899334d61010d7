import type { Exchange, ResponseHeaders } from '../../types.js';

/** A shorter wait is not worth putting an operation aside. Milliseconds. */
const SHORT_MS = 2_000;
/** If so many operations in a row meet a limit with the same reset, the limit is that of the server as a whole. */
const MOST_IN_A_ROW = 3;
/** Resets within this time are the same. Milliseconds. */
const SAME_MS = 1_500;

interface Limited {
  /** When the limit ends. Milliseconds since 1970. */
  readonly until: number;
  /** The number of requests that the server allows, as it says. */
  readonly allowed: string | undefined;
  readonly seconds: number;
}

/** The operations that a server limits. They are put aside until their time, and others go on. */
export class Limits {
  readonly #limited = new Map<string, Limited>();
  /** The operations that were limited since the last response without a limit. */
  #inARow = new Set<string>();
  #reset = 0;

  /** When an operation may be sent again (milliseconds since 1970); `undefined` if it may be sent now. */
  resetOf(operationId: string): number | undefined {
    const until = this.#limited.get(operationId)?.until;
    return until !== undefined && until > Date.now() ? until : undefined;
  }

  /** Notes a response that no limit refused. */
  noteOther(): void {
    this.#inARow = new Set();
  }

  /**
   * Notes that the server limits an operation.
   *
   * @param delay - how long, in milliseconds.
   * @returns whether the operation is put aside. If not, the whole run waits.
   */
  putAside(operationId: string, delay: number, { headers }: Exchange): boolean {
    if (delay <= SHORT_MS) return false;
    const until = Date.now() + delay;
    if (Math.abs(until - this.#reset) > SAME_MS) this.#inARow = new Set();
    this.#reset = until;
    this.#inARow.add(operationId);
    const allowed = allowedRequests(headers);
    this.#limited.set(operationId, { until, allowed, seconds: Math.ceil(delay / 1_000) });
    return this.#inARow.size < MOST_IN_A_ROW;
  }

  /** Describes the limit of an operation. */
  describe(operationId: string): string | undefined {
    const limited = this.#limited.get(operationId);
    if (limited === undefined) return undefined;
    const { allowed, seconds } = limited;
    return `${allowed === undefined ? '' : `${allowed} requests, `}reset after ${seconds} s`;
  }
}

/** Reads `RateLimit-Limit` and its variants, such as `10` or `10, 10;w=60`. */
function allowedRequests(headers: ResponseHeaders): string | undefined {
  const names = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit'];
  return names.flatMap((name) => /^\d+/.exec(headers.get(name)?.trim() ?? '')?.[0] ?? [])[0];
}
