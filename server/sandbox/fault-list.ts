import type { Fault, Faults } from './sandbox.js';

/** The faults of a sandbox; each with what is left of its `times`. */
export class FaultList implements Faults {
  readonly #onChange: () => void;
  #faults: Fault[] = [];

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  list(): readonly Fault[] {
    return [...this.#faults];
  }

  replace(faults: readonly Fault[]): void {
    this.#faults = [...faults];
    this.#onChange();
  }

  take(operationId: string | undefined): Fault | undefined {
    const place = this.#faults.findIndex(
      (fault) => fault.operationId === undefined || fault.operationId === operationId,
    );
    const fault = this.#faults[place];
    if (fault?.times === undefined) return fault;
    // A fault that is used up is gone: what `list` shows is what can still happen.
    if (fault.times > 1) this.#faults[place] = { ...fault, times: fault.times - 1 };
    else this.#faults.splice(place, 1);
    this.#onChange();
    return fault;
  }
}
