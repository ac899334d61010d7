import type { Transaction } from '../stores/replicated/transaction.js';
import { countDown, findFault } from './fault-list.js';
import { META } from './reserved-collections.js';
import type { Fault, Faults } from './sandbox.js';

/** Under `META`. */
export const FAULTS = 'faults';

/** The fault for an operation, with its count taken down for all processes. */
export type TakeFault = (operationId: string | undefined) => Promise<Fault | undefined>;

export interface FaultSource {
  /** The faults, as far as this process knows. */
  readonly list: () => readonly Fault[];
  readonly replace: (faults: readonly Fault[]) => void;
  readonly take: TakeFault;
}

/** The faults of a shared sandbox, for one request: however often that is begun again, it meets one fault once. */
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

/** Finds the fault and counts it down; one that is used up is gone. */
export function takeFault(transaction: Transaction, operationId: string | undefined): Fault | undefined {
  const faults = (transaction.read(META, FAULTS)?.value ?? []) as readonly Fault[];
  const fault = findFault(faults, operationId);
  if (fault?.times !== undefined) transaction.write(META, FAULTS, countDown(faults, fault));
  return fault;
}
