import type { Operation } from '../../model/api.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Outcome } from '../types.js';
import { buildReproduction } from '../reproduction/build-reproduction.js';
import type { Reproduction, Sighting } from '../reproduction/reproduction.js';
import { minimizeReproduction } from '../reproduction/minimize.js';
import { toCurl } from '../reproduction/print-curl.js';
import { toTest } from '../reproduction/print-vitest.js';
import { RunStopped } from '../execute/http/request-sender.js';
import type { Exchange, Finding, Problem } from '../types.js';

/** How many requests may be spent on making all recipes of a run smaller. */
const MAX_REQUESTS = 2_000;

interface KeptFinding {
  readonly problem: Problem;
  readonly sighting: Sighting;
  readonly status: number;
  reproduction: Reproduction;
  count: number;
}

/** What a run has found, each cause once. */
export class FindingCollector {
  readonly #run: ContractRun;
  readonly #kept = new Map<string, KeptFinding>();

  constructor(run: ContractRun) {
    this.#run = run;
  }

  get count(): number {
    return this.#kept.size;
  }

  has(problem: Problem, operation: Operation, status: number): boolean {
    return this.#kept.has(keyOf(problem, operation, status));
  }

  /** Keeps a problem; one that is known is counted. */
  add(problem: Problem, sighting: Sighting, exchange: Exchange): void {
    const { operation } = sighting.call;
    const key = keyOf(problem, operation, exchange.status);
    const known = this.#kept.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const matches = ({ problems, exchange: { status } }: Outcome): boolean =>
      problems.some((one) => keyOf(one, operation, status) === key);
    const { claim = { expects: 'answer', matches }, others = [], spare = [] } = sighting;
    const reproduction = buildReproduction(this.#run, { exchange, claim, others, spare, pointer: problem.pointer });
    this.#kept.set(key, { problem, sighting, status: exchange.status, reproduction, count: 1 });
  }

  /** Makes the recipes of what was found smaller, as long as there is time. */
  async shrink(): Promise<void> {
    const budget = { left: MAX_REQUESTS };
    for (const kept of this.#kept.values()) {
      try {
        kept.reproduction = await minimizeReproduction(this.#run, kept.reproduction, budget);
      } catch (error) {
        // The reproduction stays as long as it is: whoever sends next is told the same.
        if (!(error instanceof RunStopped)) throw error;
        return;
      }
    }
  }

  report(): Finding[] {
    return [...this.#kept.values()].map((kept) => this.#show(kept));
  }

  #show({ problem, sighting, status, reproduction, count }: KeptFinding): Finding {
    const { secrets, options } = this.#run;
    const { source } = options;
    const texts = {
      check: problem.check,
      operationId: sighting.call.operation.id,
      expected: secrets.hide(problem.expected),
      actual: secrets.hide(problem.actual),
    };
    const context = { wire: options, secrets };
    return {
      ...texts,
      phase: sighting.phase,
      status,
      pointer: problem.pointer,
      message: secrets.hide(problem.message),
      ...(sighting.script ?? {
        curl: toCurl(reproduction, context),
        test: toTest(reproduction, texts, { ...context, source }),
      }),
      count,
    };
  }
}

/** What makes a problem the same as another one. */
export function keyOf({ check, cause }: Problem, operation: Operation, status: number): string {
  return [check, operation.id, check === 'invalid input refused' ? '' : status, cause].join('\n');
}
