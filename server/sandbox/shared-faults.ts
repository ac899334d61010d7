import type { Transaction } from '../stores/replicated/transaction.js';
import { META } from './reserved-collections.js';
import type { Fault, Faults } from './sandbox.js';

const KEY = 'faults';

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

function readFaults(value: unknown): readonly Fault[] {
  return (value ?? []) as readonly Fault[];
}

function writeFaults(transaction: Transaction, faults: readonly Fault[]): void {
  transaction.write(META, KEY, faults);
}

/** Finds the fault and counts it down; one that is used up is gone. */
export function takeFault(transaction: Transaction, operationId: string | undefined): Fault | undefined {
  const faults = readFaults(transaction.read(META, KEY)?.value);
  const fault = findFault(faults, operationId);
  if (fault?.times === undefined) return fault;
  const left = fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
  writeFaults(
    transaction,
    faults.flatMap((one) => (one === fault ? left : [one])),
  );
  return fault;
}

function findFault(faults: readonly Fault[], operationId: string | undefined): Fault | undefined {
  return faults.find((fault) => fault.operationId === undefined || fault.operationId === operationId);
}
