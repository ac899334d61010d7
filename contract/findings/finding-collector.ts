import type { Operation } from '../../model/api.js';
import type { ContractRun } from '../execute/contract-run.js';
import {
  type Outcome,
  type AcceptedFinding,
  CHECKS,
  type CheckName,
  type Exchange,
  type Finding,
  type Problem,
} from '../types.js';
import { buildReproduction } from '../reproduction/build-reproduction.js';
import type { Reproduction, Occurrence } from '../reproduction/reproduction.js';
import { minimizeReproduction } from '../reproduction/minimize-reproduction.js';
import { toCurl } from '../reproduction/print-curl.js';
import { toTest } from '../reproduction/print-vitest.js';
import { RunStopped } from '../execute/http/request-sender.js';

/** The most requests spent on shrinking all reproductions of a run. */
const MAX_REQUESTS = 2_000;
/** Available even if the run has used up its own budget. */
const MIN_REQUESTS = 80;

interface KeptFinding {
  readonly problem: Problem;
  readonly occurrence: Occurrence;
  readonly status: number;
  reproduction: Reproduction;
  count: number;
}

/** The findings of a run, each cause once. */
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

  /** Keeps a problem. Counts repetitions of a known problem. */
  add(problem: Problem, occurrence: Occurrence, exchange: Exchange): void {
    const { operation } = occurrence.call;
    const key = keyOf(problem, operation, exchange.status);
    const known = this.#kept.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const matches = ({ problems, exchange: { status } }: Outcome): boolean =>
      problems.some((one) => keyOf(one, operation, status) === key);
    const { assertion = { expects: 'response', matches }, others = [], spare = [] } = occurrence;
    const reproduction = buildReproduction(this.#run, { exchange, assertion, others, spare, pointer: problem.pointer });
    this.#kept.set(key, { problem, occurrence, status: exchange.status, reproduction, count: 1 });
  }

  /** Shrinks the reproductions as long as there is time. */
  async shrink(): Promise<void> {
    const { options, sender } = this.#run;
    const budget = { left: Math.max(MIN_REQUESTS, Math.min(MAX_REQUESTS, options.requestBudget - sender.count)) };
    for (const kept of this.#kept.values()) {
      try {
        kept.reproduction = await minimizeReproduction(this.#run, kept.reproduction, budget);
      } catch (error) {
        // Stops shrinking: the next request would be refused as well.
        if (!(error instanceof RunStopped)) throw error;
        return;
      }
    }
  }

  report(): Finding[] {
    const { baseline } = this.#run.options;
    const shown = [...this.#kept.values()]
      .map((kept) => this.#show(kept))
      .filter((finding) => !baseline.some((accepted) => isAccepted(finding, accepted)));
    return foldCauses(withoutDuplicates(shown)).toSorted((one, other) => severityOf(one) - severityOf(other));
  }

  #show({ problem: first, occurrence, status, reproduction, count }: KeptFinding): Finding {
    // The smaller requests may show other values.
    const problem = reproduction.shown ?? first;
    const { secrets, options } = this.#run;
    const { source } = options;
    const texts = {
      check: problem.check,
      operationId: occurrence.call.operation.id,
      pointer: problem.pointer,
      expected: secrets.hide(problem.expected),
      actual: secrets.hide(problem.actual),
    };
    const context = { wire: options, secrets };
    return {
      ...texts,
      phase: occurrence.phase,
      status,
      message: secrets.hide(problem.message),
      ...(occurrence.script ?? {
        curl: toCurl(reproduction, context),
        test: toTest(
          reproduction,
          { ...texts, ...(problem.order === undefined ? {} : { order: problem.order }) },
          { ...context, source },
        ),
      }),
      count,
    };
  }
}

/** Problems with the same key are the same. */
export function keyOf({ check, cause }: Problem, operation: Operation, status: number): string {
  return [check, operation.id, check === 'invalid input refused' ? '' : status, cause].join('\n');
}

function isAccepted(finding: Finding, { check, operationId, pointer }: AcceptedFinding): boolean {
  return (
    finding.check === check &&
    (operationId ?? finding.operationId) === finding.operationId &&
    (pointer ?? finding.pointer) === finding.pointer
  );
}

/** Checks that concern the server as a whole: the same message at several operations is one cause. */
const SHARED: ReadonlySet<CheckName> = new Set([
  'documented status',
  'content type',
  'response headers',
  'no echo in HTML',
  'unsupported method',
]);

/** If a read shows a lost value that the response to the write showed already, both have the same cause. */
const READ_CHECKS: ReadonlySet<CheckName> = new Set(['read back equal', 'update is visible']);

function withoutDuplicates(findings: readonly Finding[]): Finding[] {
  const read = findings.filter(({ check }) => READ_CHECKS.has(check));
  return findings.filter(
    ({ check, pointer }) =>
      check !== 'written as sent' || !read.some((one) => one.pointer !== '' && one.pointer.endsWith(pointer)),
  );
}

/** Merges findings with the same cause into one, with the names of the operations and the total count. */
function foldCauses(findings: readonly Finding[]): Finding[] {
  const folded = new Map<string, Finding>();
  for (const finding of findings) {
    const isShared = SHARED.has(finding.check);
    const key = isShared ? [finding.check, finding.status, finding.message].join('\n') : String(folded.size);
    const known = folded.get(key);
    if (known === undefined || !isShared) folded.set(isShared ? key : `${key} own`, finding);
    else
      folded.set(key, {
        ...known,
        count: known.count + finding.count,
        alsoIn: [...new Set([...(known.alsoIn ?? []), finding.operationId])].filter((id) => id !== known.operationId),
      });
  }
  return [...folded.values()];
}

/** Checks by severity: failures, lost and leaked data, then what is wrongly accepted or refused, then form. */
const SERIOUS: readonly CheckName[] = [
  'no server error',
  'server responds',
  'authentication required',
  'access of others refused',
  'gone after delete',
  'created is available',
  'others untouched',
  'update is visible',
  'read back equal',
  'replace replaces',
  'unique id',
  'written as sent',
];

function severityOf({ check }: Finding): number {
  const rank = SERIOUS.indexOf(check);
  return rank === -1 ? SERIOUS.length + CHECKS.indexOf(check) : rank;
}
