import type { Operation } from '../../../model/api.js';

/** Which operations were accepted, and how often the run has tried to make that possible. */
export class Attempts {
  /** How often steps to an operation were taken since it was last accepted. */
  readonly #failed = new Map<Operation, number>();
  readonly #worked = new Set<Operation>();
  readonly #givenUp = new Set<Operation>();

  /** The steps to an operation were taken. */
  noteStep(operation: Operation): void {
    this.#failed.set(operation, this.failedAttempts(operation) + 1);
  }

  noteSuccess(operation: Operation): void {
    this.#failed.delete(operation);
    this.#worked.add(operation);
  }

  /** How often steps to an operation were taken since it was last accepted. */
  failedAttempts(operation: Operation): number {
    return this.#failed.get(operation) ?? 0;
  }

  /** No step leads to an operation. */
  giveUp(operation: Operation): void {
    this.#givenUp.add(operation);
  }

  isGivenUp(operation: Operation): boolean {
    return this.#givenUp.has(operation);
  }

  /** Whether an operation was ever accepted. */
  hasWorked(operation: Operation): boolean {
    return this.#worked.has(operation);
  }
}
