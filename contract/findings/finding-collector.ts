import type { Operation } from '../../model/api.js';
import { withoutUndefined } from '../../model/document/records.js';
import { isSafeMethod } from '../../model/http-method.js';
import { rankOf } from '../../reports/contract/contract-report.js';
import { type Told, expectThat } from '../expect.js';
import type { Assertion } from '../expectations/assertion.js';
import type { ContractRun, Findings } from '../execute/contract-run.js';
import { isTakenElsewhere } from '../execute/is-taken-elsewhere.js';
import { describeAllowed, describeRequest } from './describe-cause.js';
import { type FoundCause, foldCauses, withoutEffects } from './fold-causes.js';
import { findRule } from './find-rule.js';
import { RulePlaces } from './rule-places.js';
import { severityOf } from './severity.js';
import { meansTheSame, shrinkRequest } from './shrink-request.js';
import {
  type AcceptedFinding,
  type Case,
  CHECKS,
  type CheckName,
  type ContractReport,
  type Exchange,
  type Finding,
  type WireRequest,
} from '../types.js';
import { buildReproduction } from '../reproduction/build-reproduction.js';
import { type FindingSource, type Reproduction, stateProblem } from '../reproduction/reproduction.js';
import { withReadings } from '../reproduction/job-readings.js';
import { minimizeReproduction } from '../reproduction/minimize-reproduction.js';
import { exchangesOf } from '../expectations/kinds.js';
import { toCurl } from '../reproduction/print-curl.js';
import { toTest } from '../reproduction/print-vitest.js';
import { RunStopped } from '../execute/http/request-sender.js';
import type { Outcome, Problem } from '../checks/problem.js';

/** The most requests spent on shrinking the request of one finding. */
const MAX_SHRINKS = 25;
/** The most requests spent on shrinking all reproductions of a run. */
const MAX_REQUESTS = 2_000;
/** Available even if the run has used up its own budget. */
const MIN_REQUESTS = 80;

/** The cause of findings about requests that ended the server. */
export const SERVER_ENDED = 'server ended';

interface KeptFinding {
  readonly problem: Problem;
  readonly source: FindingSource;
  readonly status: number;
  reproduction: Reproduction;
  count: number;
}

/** The findings of a run, each cause once. */
export class FindingCollector implements Findings {
  readonly #run: ContractRun;
  readonly notes: Map<string, string> = new Map();
  readonly #kept = new Map<string, KeptFinding>();
  /** Problems that were no findings, as another item showed. */
  readonly #ofItems = new Set<string>();

  constructor(run: ContractRun) {
    this.#run = run;
  }

  get count(): number {
    return this.#kept.size;
  }

  isKnown(problem: Problem, operation: Operation, status: number): boolean {
    return this.#kept.has(keyOf(problem, operation, status));
  }

  note(key: string, sentence: string): void {
    if (!this.notes.has(key)) this.notes.set(key, sentence);
  }

  expect(check: CheckName, assertion: Assertion, told: Told): boolean {
    return expectThat(this.#run, check, assertion, told);
  }

  async recordProblems(tried: Case, { exchange, problems }: Outcome): Promise<void> {
    for (const problem of problems)
      if (!(await this.#isOfItem(problem, tried, exchange))) await this.#recordSmallest(problem, tried, exchange);
  }

  /** Whether a valid value is refused because of the item that the request is about: other items take it. */
  async #isOfItem(problem: Problem, tried: Case, { status }: Exchange): Promise<boolean> {
    const key = keyOf(problem, tried.call.operation, status);
    if (problem.check !== 'valid input accepted' || this.#kept.has(key)) return false;
    if (this.#ofItems.has(key)) return true;
    const isTaken = await isTakenElsewhere(this.#run, tried);
    if (isTaken) this.#ofItems.add(key);
    return isTaken;
  }

  /** Counts repetitions of a known problem. */
  report(problem: Problem, source: FindingSource, exchange: Exchange): void {
    const { operation } = source.call;
    if (this.#run.options.skip.hasCheck(problem.check, operation) || !this.#isTested(source, exchange)) return;
    const key = keyOf(problem, operation, exchange.status);
    const known = this.#kept.get(key);
    // A harmless value must not hide a worse one at the same place, such as null before a text for a number.
    if (known !== undefined && rankOf(severityOf(known.problem)) <= rankOf(severityOf(problem))) {
      known.count += 1;
      return;
    }
    const matches = ({ problems, exchange: { status } }: Outcome): boolean =>
      problems.some((one) => keyOf(one, operation, status) === key);
    const { assertion = { expects: 'response', matches }, others = [], spare = [] } = source;
    const { longestMs, fills, together } = source;
    const { pointer } = problem;
    const built = buildReproduction(this.#run, { exchange, assertion, others, spare, pointer, fills, together });
    const reproduction = longestMs === undefined ? built : withReadings(built, longestMs);
    this.#kept.set(key, { problem, source, status: exchange.status, reproduction, count: 1 + (known?.count ?? 0) });
  }

  /** Whether a finding is about an operation that the run tests, and not only about one that sets up items. */
  #isTested({ call, assertion, others = [] }: FindingSource, exchange: Exchange): boolean {
    const { shard } = this.#run.options;
    const looked = [exchange, ...others, ...(assertion === undefined ? [] : exchangesOf(assertion))];
    const sent = looked.flatMap((one) => this.#run.log.find(one)?.sent.call.operation ?? []);
    return [call.operation, ...sent].some((one) => shard.has(one));
  }

  /** Reports that a request ended the server. A later report of the same request replaces the first. */
  reportServerEnd(problem: Problem, source: Case, reproduction: Reproduction): void {
    const key = keyOf(problem, source.call.operation, 0);
    this.#kept.set(key, { problem, source, status: 0, reproduction, count: 1 });
  }

  /** Drops the findings about requests that had no response because an earlier one had ended the server. */
  dropUnanswered(requests: ReadonlySet<WireRequest>): void {
    for (const [key, { problem, reproduction }] of this.#kept) {
      const last = reproduction.steps.at(-1)?.exchange;
      if (problem.check === 'server responds' && last !== undefined && requests.has(last.request))
        this.#kept.delete(key);
    }
  }

  /** The first request that ended the server. */
  serverEnded(): ContractReport['serverEnded'] {
    const kept = [...this.#kept.values()].find(({ problem }) => problem.cause === SERVER_ENDED);
    if (kept === undefined) return undefined;
    const { message, curl } = this.#show(kept);
    const steps = kept.reproduction.steps.map(({ exchange: { request } }) => {
      const { pathname } = new URL(request.url);
      return this.#run.secrets.hide(`${request.method} ${pathname}`);
    });
    return { message, curl, steps };
  }

  async #recordSmallest(problem: Problem, tried: Case, exchange: Exchange): Promise<void> {
    const isKnown = this.isKnown(problem, tried.call.operation, exchange.status);
    if (isKnown || tried.expectation.kind === 'unsupported' || this.#isStep(tried)) {
      this.report(problem, tried, exchange);
      return;
    }
    const wanted = keyOf(problem, tried.call.operation, exchange.status);
    let smallest = { problem, exchange };
    await shrinkRequest(tried.call, MAX_SHRINKS, async (call) => {
      if (!meansTheSame(tried, call, this.#run.options.api)) return false;
      const outcome = await this.#run.client.probe({
        ...tried,
        call: await this.#run.items.refreshIds(call, tried.phase),
      });
      const same = outcome?.problems.find((one) => keyOf(one, call.operation, outcome.exchange.status) === wanted);
      if (same !== undefined && outcome !== undefined) smallest = { problem: same, exchange: outcome.exchange };
      return same !== undefined;
    });
    this.report(smallest.problem, tried, smallest.exchange);
  }

  /** Whether a case is a change whose effect a check examines next. Smaller changes in between would distort it. */
  #isStep({ phase, call }: Case): boolean {
    const { operation } = call;
    return (
      phase === 'stateful' && !isSafeMethod(operation.method) && !this.#run.context.pool.roles.isCreation(operation)
    );
  }

  /** Shrinks the reproductions as long as there is time. */
  async shrink(): Promise<void> {
    const { options, client } = this.#run;
    const budget = { left: Math.max(MIN_REQUESTS, Math.min(MAX_REQUESTS, options.requestBudget - client.count)) };
    for (const kept of this.#kept.values()) {
      // Only a restart may repeat a request that ends the server.
      if (kept.problem.cause === SERVER_ENDED) continue;
      try {
        kept.reproduction = await minimizeReproduction(this.#run, kept.reproduction, budget);
      } catch (error) {
        // Stops shrinking: the next request would be refused as well.
        if (!(error instanceof RunStopped)) throw error;
        return;
      }
    }
  }

  /** The findings, each cause once, the worst first. */
  list(): Finding[] {
    const { coverage, options } = this.#run;
    const places = new RulePlaces(options.api, options.given.cwd ?? process.cwd());
    const found = [...this.#kept.values()].map((kept) => this.#findCause(kept, places));
    const shown = withoutEffects(found).filter(
      ({ finding }) => !options.baseline.some((accepted) => isAccepted(finding, accepted)),
    );
    const sorted = withoutDuplicates(shown).toSorted((one, other) => byImportance(one.finding, other.finding));
    return foldCauses(sorted, (id, place) => coverage.hasRefused(id, place));
  }

  /** The finding with the rule of the spec that does not hold. */
  #findCause(kept: KeptFinding, places: RulePlaces): FoundCause {
    const { source, status } = kept;
    const { api } = this.#run.options;
    const { operation } = source.call;
    const problem = kept.reproduction.shown ?? kept.problem;
    const rule = findRule(problem, operation, status, api);
    const facts = {
      special: describeRequest(source),
      allowed: describeAllowed(rule.schema, problem.rule?.keyword),
      place: places.placeOf(rule),
    };
    const finding = { ...this.#show(kept), ...withoutUndefined(facts) };
    const operationPlace = places.placeOf({ at: operation.body?.source ?? operation.source });
    const isOfAccepted = source.expectation?.kind === 'invalid' && status < 300;
    return { finding, rule: problem.rule, operationPlace, isOfAccepted };
  }

  #show({ problem: first, source: from, status, reproduction, count }: KeptFinding): Finding {
    // The smaller requests may show other values.
    const problem = reproduction.shown ?? first;
    const { secrets, options } = this.#run;
    const { source } = options;
    const texts = {
      check: problem.check,
      operationId: from.call.operation.id,
      pointer: problem.pointer,
      expected: secrets.hide(problem.expected),
      actual: secrets.hide(problem.actual),
    };
    const context = { wire: options, secrets };
    return {
      ...texts,
      severity: severityOf(problem),
      phase: from.phase,
      status,
      message: secrets.hide(problem.message),
      ...(from.script ?? {
        curl: toCurl(reproduction, context),
        test: toTest(stateProblem(reproduction, problem), texts, { ...context, source }),
      }),
      count,
    };
  }
}

/** Problems with the same key are the same. */
function keyOf({ check, cause }: Problem, operation: Operation, status: number): string {
  return [check, operation.id, check === 'invalid input refused' ? '' : status, cause].join('\n');
}

/** A finding of a report stands for all its places. */
function isAccepted(finding: Finding, { check, alsoAt = [], ...own }: AcceptedFinding): boolean {
  if (finding.check !== check) return false;
  return [own, ...alsoAt].some(
    ({ operationId, pointer }) =>
      (operationId ?? finding.operationId) === finding.operationId && (pointer ?? finding.pointer) === finding.pointer,
  );
}

/** If a read shows a lost value that the response to the write showed already, both have the same cause. */
const READ_CHECKS: ReadonlySet<CheckName> = new Set(['read back equal', 'update is visible']);

function withoutDuplicates(found: readonly FoundCause[]): FoundCause[] {
  const read = found.map(({ finding }) => finding).filter(({ check }) => READ_CHECKS.has(check));
  return found.filter(
    ({ finding: { check, pointer } }) =>
      check !== 'written as sent' || !read.some((one) => one.pointer !== '' && one.pointer.endsWith(pointer)),
  );
}

/** Checks of the same severity in this order: failures, lost and leaked data, then the others. */
const SERIOUS: readonly CheckName[] = [
  'server responds',
  'no server error',
  'authentication required',
  'wrong credential refused',
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

function byImportance(one: Finding, other: Finding): number {
  return rankOf(one.severity) - rankOf(other.severity) || placeOf(one) - placeOf(other);
}

function placeOf({ check }: Finding): number {
  const place = SERIOUS.indexOf(check);
  return place === -1 ? SERIOUS.length + CHECKS.indexOf(check) : place;
}
