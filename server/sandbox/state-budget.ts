import { HttpError } from '../../http/http-error.js';
import type { MemoryLimit } from '../stores/memory-store.js';

const MEGABYTE = 1_024 * 1_024;

/** The most bytes (estimated) of state in memory. */
export interface StateLimits {
  readonly perSandbox: number;
  /** For all sandboxes of a process. */
  readonly together: number;
  /** Called once with a sentence when a limit is nearly reached, and again after the state was much smaller. */
  readonly warn?: (sentence: string) => void;
}

const LIMITS: StateLimits = { perSandbox: 512 * MEGABYTE, together: 768 * MEGABYTE };
/** The shares of a limit at which a warning is due, and below which the next one is. */
const WARNED_AT = 0.8;
const FORGOTTEN_AT = 0.6;

/** Limits the state of several sandboxes together. Refuses writes, because state is never dropped, unlike journals. */
export class StateBudget {
  readonly #total = new Watch('all sandboxes of this process');
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the share of a sandbox. */
  open(limits: StateLimits = LIMITS): BudgetShare {
    return new BudgetShare(limits, (more) => this.#grow(more, limits));
  }

  /** @throws HttpError 507 */
  #grow(more: number, { together, warn }: StateLimits): void {
    const bytes = this.#bytes + more;
    if (more > 0 && bytes > together)
      throw tooMuch(`The state of all sandboxes may take ${inMegabytes(together)} of memory.`);
    this.#bytes = bytes;
    this.#total.look(bytes, together, warn);
  }
}

/** The share of one sandbox in a budget. */
export class BudgetShare implements MemoryLimit {
  readonly #limits: StateLimits;
  readonly #grow: (more: number) => void;
  readonly #watch = new Watch('a sandbox');
  #own = 0;
  #isOpen = true;

  constructor(limits: StateLimits, grow: (more: number) => void) {
    this.#limits = limits;
    this.#grow = grow;
  }

  grow(bytes: number): void {
    if (!this.#isOpen) return;
    const { perSandbox, warn } = this.#limits;
    const own = this.#own + bytes;
    if (bytes > 0 && own > perSandbox)
      throw tooMuch(`The state of a sandbox may take ${inMegabytes(perSandbox)} of memory.`);
    this.#grow(bytes);
    this.#own = own;
    this.#watch.look(own, perSandbox, warn);
  }

  set(bytes: number): void {
    this.grow(bytes - this.#own);
  }

  /** Returns the share to the budget. Writes after that, such as those of a call that still runs, are not counted. */
  close(): void {
    this.set(0);
    this.#isOpen = false;
  }
}

/** Warns once when a limit is nearly reached. */
class Watch {
  readonly #whose: string;
  #isWarned = false;

  constructor(whose: string) {
    this.#whose = whose;
  }

  look(bytes: number, limit: number, warn: StateLimits['warn']): void {
    if (bytes < limit * FORGOTTEN_AT) this.#isWarned = false;
    if (this.#isWarned || bytes < limit * WARNED_AT || warn === undefined) return;
    this.#isWarned = true;
    const share = Math.floor((100 * bytes) / limit);
    warn(
      `The state of ${this.#whose} takes ${share} % of the ${inMegabytes(limit)} that it may take; beyond that, writes get 507. The option max-state raises the limit.`,
    );
  }
}

/** The budget of this process. */
export const PROCESS_STATE: StateBudget = new StateBudget();

function tooMuch(limit: string): HttpError {
  return new HttpError(
    507,
    `${limit} Reset the sandbox, delete some of its items, or raise the limit with the option max-state.`,
  );
}

function inMegabytes(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.floor(bytes / 1_024)} kB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}
