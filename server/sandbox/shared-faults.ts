import type { Transaction } from '../stores/replicated/transaction.js';
import { countDown, findFault } from './fault-list.js';
import { META } from './reserved-collections.js';
import type { Fault, Faults } from './sandbox.js';

/** The key of the faults in `META`. */
export const FAULTS = 'faults';

/** Returns the fault for an operation and counts it down for all processes. */
export type TakeFault = (operationId: string | undefined) => Promise<Fault | undefined>;

export interface FaultSource {
  /** The faults, as far as this process knows. */
  readonly list: () => readonly Fault[];
  readonly replace: (faults: readonly Fault[]) => void;
  readonly take: TakeFault;
}

/** The faults of a shared sandbox for one request, which takes one fault once, however often it is retried. */
export class SharedFaults implements Faults {
  readonly #source: FaultSource;
  #taken: Promise<Fault | undefined> | undefined;

  constructor(source: FaultSource) {
    this.#source = source;
  }

  list(): readonly Fault[] {
    return this.#source.list();
  }

  replace(faults: readonly Fault[]): void {
    this.#source.replace(faults);
  }

  take(operationId: string | undefined): Fault | undefined | Promise<Fault | undefined> {
    if (this.#taken !== undefined) return this.#taken;
    const found = findFault(this.list(), operationId);
    if (found === undefined || found.times === undefined) return found;
    this.#taken = this.#source.take(operationId);
    return this.#taken;
  }
}

/** Finds the fault for an operation and counts it down. Removes a fault that is used up. */
export function takeFault(transaction: Transaction, operationId: string | undefined): Fault | undefined {
  const faults = (transaction.read(META, FAULTS)?.value ?? []) as readonly Fault[];
  const fault = findFault(faults, operationId);
  if (fault?.times !== undefined) transaction.write(META, FAULTS, countDown(faults, fault));
  return fault;
}
