import type { Fault, Faults } from './sandbox.js';

/** The faults of a sandbox, each with its remaining `times`. */
export class FaultList implements Faults {
  readonly #onChange: () => void;
  #faults: readonly Fault[] = [];

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  replace(faults: readonly Fault[]): void {
    this.#faults = [...faults];
    this.#onChange();
  }

  take(operationId: string | undefined): Fault | undefined {
    const fault = findFault(this.#faults, operationId);
    if (fault?.times !== undefined) this.replace(countDown(this.#faults, fault));
    return fault;
  }
}

export function findFault(faults: readonly Fault[], operationId: string | undefined): Fault | undefined {
  return faults.find((fault) => fault.operationId === undefined || fault.operationId === operationId);
}

/** Returns the faults after one has happened, without those that are used up. */
export function countDown(faults: readonly Fault[], happened: Fault): readonly Fault[] {
  const { times = Infinity } = happened;
  const left = times > 1 ? [{ ...happened, times: times - 1 }] : [];
  return faults.flatMap((fault) => (fault === happened ? left : [fault]));
}
