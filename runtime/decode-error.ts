import { BudgetError } from './parse-budget.js';

/** A part of a request cannot be read. Reported as a violation at `pointer`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** JSON pointer into the part. */
  readonly pointer: string;
  /** Overrides the status of a violation. */
  readonly status: number | undefined;

  constructor(message: string, pointer = '', status?: number) {
    super(message);
    this.pointer = pointer;
    this.status = status;
  }
}

/** @throws DecodeError instead of BudgetError */
export function withinBudget<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BudgetError) throw new DecodeError(error.message);
    throw error;
  }
}
