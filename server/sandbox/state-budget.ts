import { HttpError } from '../../http/http-error.js';
import type { MemoryLimit } from '../stores/memory-store.js';

const MEGABYTE = 1_024 * 1_024;
/** The most bytes (estimated) of state in memory for one sandbox, and for all sandboxes of a process together. */
const SANDBOX_BYTES: number = 256 * MEGABYTE;
const PROCESS_BYTES: number = 768 * MEGABYTE;

/** Limits the state of several sandboxes together. Refuses writes, because state is never dropped, unlike journals. */
export class StateBudget {
  readonly #perSandbox: number;
  readonly #together: number;
  #bytes = 0;

  constructor(perSandbox: number = SANDBOX_BYTES, together: number = PROCESS_BYTES) {
    this.#perSandbox = perSandbox;
    this.#together = together;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the share of a sandbox. */
  open(): BudgetShare {
    return new BudgetShare((own, more) => this.#grow(own, more));
  }

  /** @throws HttpError 507 */
  #grow(own: number, more: number): void {
    if (more > 0 && own > this.#perSandbox)
      throw tooMuch(`The state of a sandbox may take ${inMegabytes(this.#perSandbox)} of memory.`);
    if (more > 0 && this.#bytes + more > this.#together)
      throw tooMuch(`The state of all sandboxes may take ${inMegabytes(this.#together)} of memory.`);
    this.#bytes += more;
  }
}

/** The share of one sandbox in a budget. */
class BudgetShare implements MemoryLimit {
  readonly #grow: (own: number, more: number) => void;
  #own = 0;
  #isOpen = true;

  constructor(grow: (own: number, more: number) => void) {
    this.#grow = grow;
  }

  grow(bytes: number): void {
    if (!this.#isOpen) return;
    this.#grow(this.#own + bytes, bytes);
    this.#own += bytes;
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

/** The budget of this process. */
export const PROCESS_STATE: StateBudget = new StateBudget();

function tooMuch(limit: string): HttpError {
  return new HttpError(507, `${limit} Reset the sandbox, or delete some of its items.`);
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE)} MB`;
}
