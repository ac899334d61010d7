import type { Operation } from '../../../model/api.js';

/** Counts accepted operations, and the attempts to make others possible. */
export class Attempts {
  /** How often the steps to an operation were taken since it was last accepted. */
  readonly #failed = new Map<Operation, number>();
  readonly #worked = new Set<Operation>();
  readonly #givenUp = new Set<Operation>();

  /** Notes that the steps to an operation were taken. */
  noteStep(operation: Operation): void {
    this.#failed.set(operation, this.failedAttempts(operation) + 1);
  }

  noteSuccess(operation: Operation): void {
    this.#failed.delete(operation);
    this.#worked.add(operation);
  }

  failedAttempts(operation: Operation): number {
    return this.#failed.get(operation) ?? 0;
  }

  /** Marks an operation as unreachable. */
  giveUp(operation: Operation): void {
    this.#givenUp.add(operation);
  }

  isGivenUp(operation: Operation): boolean {
    return this.#givenUp.has(operation);
  }

  hasWorked(operation: Operation): boolean {
    return this.#worked.has(operation);
  }
}
