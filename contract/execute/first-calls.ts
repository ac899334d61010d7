import type { Operation } from '../../model/api.js';
import { isSafeMethod } from '../../model/http-method.js';
import { exampleCalls, makeCall } from '../plan/build-request-values.js';
import type { Outcome } from '../checks/problem.js';
import type { Case, Phase } from '../types.js';
import type { ContractRun } from './contract-run.js';
import { RunStopped } from './http/request-sender.js';

/**
 * Sends one valid call of each operation, so that a short run has tried all of them before it tries one of them
 * thoroughly. Creations come before the operations that need their items. Problems are recorded at the end, because the
 * search for their smallest requests takes time.
 */
export class FirstCalls {
  readonly #run: ContractRun;
  readonly #phase: Phase;
  readonly #called = new Set<Operation>();
  readonly #outcomes: { readonly tried: Case; readonly outcome: Outcome }[] = [];

  constructor(run: ContractRun, phase: Phase) {
    this.#run = run;
    this.#phase = phase;
  }

  /** Calls the operations that have not been called yet. */
  async send(operations: readonly Operation[]): Promise<void> {
    const ordered = operations.toSorted((one, other) => rankOf(one) - rankOf(other));
    const left = new Set(ordered);
    try {
      for (const operation of ordered) await this.#call(operation, left);
    } catch (error) {
      if (error instanceof RunStopped) this.#report();
      throw error;
    }
  }

  /** Calls an operation after those that provide its items. */
  async #call(operation: Operation, left: ReadonlySet<Operation>): Promise<void> {
    const { pool } = this.#run.context;
    if (this.#called.has(operation)) return;
    this.#called.add(operation);
    const steps = [...pool.references.missing(operation).map(({ step }) => step), ...pool.stepsTo(operation)];
    for (const step of steps) if (left.has(step)) await this.#call(step, left);
    await this.#run.aside.attempt(async () => this.#send(operation));
  }

  async #send(operation: Operation): Promise<void> {
    const { context, options, client } = this.#run;
    const call =
      makeCall(operation, { variant: 'typical', seed: options.seed }, context) ?? exampleCalls(operation, context)[0];
    if (call === undefined) return;
    const tried: Case = { phase: this.#phase, call, expectation: { kind: 'valid' } };
    const outcome = await client.probe(tried);
    if (outcome !== undefined && outcome.problems.length > 0) this.#outcomes.push({ tried, outcome });
  }

  /** Records the problems of the responses. */
  async recordProblems(): Promise<void> {
    const { findings } = this.#run;
    try {
      for (let next = this.#outcomes[0]; next !== undefined; next = this.#outcomes[0]) {
        await findings.recordProblems(next.tried, next.outcome);
        this.#outcomes.shift();
      }
    } catch (error) {
      if (error instanceof RunStopped) this.#report();
      throw error;
    }
  }

  /** Reports the problems that are left as they were seen: there is no time to make their requests smaller. */
  #report(): void {
    for (const { tried, outcome } of this.#outcomes.splice(0))
      for (const problem of outcome.problems) this.#run.findings.report(problem, tried, outcome.exchange);
  }
}

/** Whether an operation reads without an id: such operations show items, and change none. */
export function isPlainRead({ method, path }: Operation): boolean {
  return isSafeMethod(method) && !path.includes('{');
}

/** Reads without an id come first, then creations, other reads, other changes, and deletions. */
function rankOf(operation: Operation): number {
  const { method, path } = operation;
  if (isPlainRead(operation)) return 0;
  if (method === 'delete') return 4;
  if (isSafeMethod(method)) return 2;
  return method === 'post' && !path.endsWith('}') ? 1 : 3;
}
