import type { Operation } from '../model/api.js';
import type { ContractRun, Outcome } from './contract-run.js';
import type { Claim } from './recipes/claim.js';
import { makeRecipe } from './recipes/make-recipe.js';
import type { Recipe } from './recipes/recipe.js';
import { shrinkRecipe } from './recipes/repeat-recipe.js';
import type { Script } from './recipes/show-session.js';
import { toCurl } from './recipes/show-curl.js';
import { toTest } from './recipes/show-test.js';
import { RunStopped } from './requests/send.js';
import type { Case, Exchange, Finding, Problem } from './types.js';

/** How many requests may be spent on making all recipes of a run smaller. */
const MAX_REQUESTS = 2_000;

/** Where a problem was seen. */
export interface Sighting extends Pick<Case, 'call' | 'phase'> {
  /** What the server owes to several requests; absent: a good answer to the last one. */
  readonly claim?: Claim;
  /** Exchanges that are needed beside those of the claim. */
  readonly others?: readonly Exchange[];
  /** How to show it, where requests over HTTP do not. */
  readonly script?: Script;
  /** Exchanges that may matter. */
  readonly spare?: readonly Exchange[];
}

interface KeptFinding {
  readonly problem: Problem;
  readonly sighting: Sighting;
  readonly status: number;
  recipe: Recipe;
  count: number;
}

/** What a run has found, each cause once. */
export class Findings {
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
    const isShownBy = ({ problems, exchange: { status } }: Outcome): boolean =>
      problems.some((one) => keyOf(one, operation, status) === key);
    const { claim = { owes: 'answer', isShownBy }, others = [], spare = [] } = sighting;
    const recipe = makeRecipe(this.#run, { exchange, claim, others, spare, pointer: problem.pointer });
    this.#kept.set(key, { problem, sighting, status: exchange.status, recipe, count: 1 });
  }

  /** Makes the recipes of what was found smaller, as long as there is time. */
  async shrink(): Promise<void> {
    const budget = { left: MAX_REQUESTS };
    for (const kept of this.#kept.values()) {
      try {
        kept.recipe = await shrinkRecipe(this.#run, kept.recipe, budget);
      } catch (error) {
        // The recipe stays as long as it is: whoever sends next is told the same.
        if (!(error instanceof RunStopped)) throw error;
        return;
      }
    }
  }

  report(): Finding[] {
    return [...this.#kept.values()].map((kept) => this.#show(kept));
  }

  #show({ problem, sighting, status, recipe, count }: KeptFinding): Finding {
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
        curl: toCurl(recipe, context),
        test: toTest(recipe, texts, { ...context, source }),
      }),
      count,
    };
  }
}

/** What makes a problem the same as another one. */
export function keyOf({ check, cause }: Problem, operation: Operation, status: number): string {
  return [check, operation.id, check === 'invalid input refused' ? '' : status, cause].join('\n');
}
