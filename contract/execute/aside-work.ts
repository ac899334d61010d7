import type { Aside, ContractRun } from './contract-run.js';

interface AsideWork {
  readonly work: () => Promise<void>;
  /** When it can go on. Milliseconds since 1970. */
  readonly due: number;
}

/** Work that stopped at the limit of an operation. It goes on when the limit ends, and other work goes on meanwhile. */
export class AsideQueue implements Aside {
  readonly #run: ContractRun;
  #waiting: AsideWork[] = [];

  constructor(run: ContractRun) {
    this.#run = run;
  }

  async attempt(work: () => Promise<void>): Promise<void> {
    for (let due = this.#takeDue(); due !== undefined; due = this.#takeDue()) await this.#do(due.work);
    await this.#do(work);
  }

  async #do(work: () => Promise<void>): Promise<void> {
    const { client } = this.#run;
    client.takeReset();
    await work();
    const due = client.takeReset();
    if (due !== undefined && due < client.deadline) this.#waiting.push({ work, due });
  }

  #takeDue(): AsideWork | undefined {
    const found = this.#waiting.find(({ due }) => due <= Date.now());
    this.#waiting = this.#waiting.filter((one) => one !== found);
    return found;
  }

  async finish(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#run.client.waitUntil(Math.min(...this.#waiting.map(({ due }) => due)));
      const next = this.#takeDue();
      if (next !== undefined) await this.#do(next.work);
    }
  }
}
