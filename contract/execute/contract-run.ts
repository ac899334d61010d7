import type { Operation } from '../../model/api.js';
import type { Told } from '../expect.js';
import type { Assertion } from '../expectations/assertion.js';
import type { Coverage } from '../findings/coverage.js';
import type { RefusalLog } from '../findings/refusals.js';
import type { RunObservations } from '../findings/run-observations.js';
import type { TryLog } from '../findings/try-log.js';
import type { Redaction } from '../findings/hide-given-secrets.js';
import type { CallContext } from '../plan/build-request-values.js';
import type { ExchangeLog } from '../reproduction/exchange-log.js';
import type { FindingSource, Reproduction } from '../reproduction/reproduction.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Call, Case, CheckName, Exchange, Phase, WireRequest } from '../types.js';
import type { Outcome, Problem } from '../checks/problem.js';
import type { ShownMembers } from './repair/shown-members.js';
import type { HarmGuard } from './harm/harm-guard.js';

/** A case that was sent, and its outcome. */
export interface SentCase {
  readonly tried: Case;
  readonly outcome: Outcome;
}

/** Sends cases, checks each response, and learns from it. */
export interface Client {
  /** The number of requests so far. */
  readonly count: number;
  /** When the run must end. Milliseconds since 1970. */
  readonly deadline: number;
  /**
   * Returns when the next of the operations that were put aside since the last call can be sent again (milliseconds
   * since 1970); `undefined` if there are none.
   */
  takeReset(): number | undefined;
  /** Whether cases were put aside since the last call of `takeReset`. */
  readonly hasPutAside: boolean;
  /** Whether the server limits an operation at present. */
  isLimited(operationId: string): boolean;
  /** Describes the last limit of an operation. */
  limitOf(operationId: string): string | undefined;
  /** Waits until a time (milliseconds since 1970). */
  waitUntil(moment: number): Promise<void>;
  /** Whether the requests had a credential that the user gave. */
  readonly hasCredential: boolean;
  /** Sends a case and records the problems of its response; `undefined` if HTTP cannot send it, or the server limits it. */
  send(tried: Case): Promise<Exchange | undefined>;
  /** Sends a valid call in the phase `stateful`, like `send`. */
  sendValid(call: Call): Promise<Exchange | undefined>;
  /** Sends a case without recording the problems of its response. */
  probe(tried: Case): Promise<Outcome | undefined>;
  /**
   * Sends cases concurrently, up to the option `concurrency`, and checks the responses in the order of the cases,
   * without recording their problems. Cases that HTTP cannot send are left out.
   */
  sendTogether(cases: readonly Case[]): Promise<readonly SentCase[]>;
  /** Runs some work each time a request has been sent, until other work replaces it. It must not need the server. */
  workMeanwhile(work: () => void): void;
}

/** Valid calls, with ids of existing items. */
export interface Items {
  /**
   * Returns a valid call that the server is known to accept, with ids of existing items. If it accepts none that can be
   * generated, returns the fullest one.
   */
  validCall(operation: Operation, phase: Phase): Promise<Call | undefined>;
  /** Finds a call of an operation that works, if none is known yet. */
  findValidCall(operation: Operation, phase: Phase): Promise<void>;
  /**
   * Returns the same call with ids of existing items: an earlier call may have deleted the item or changed its state.
   */
  refreshIds(call: Call, phase: Phase): Promise<Call>;
}

/** What a run reports. */
export interface Findings {
  /** Reports a finding if responses are not as a check expects. Returns whether they are. */
  expect(check: CheckName, assertion: Assertion, told: Told): boolean;
  /** Reports a problem that no assertion about responses can state. */
  report(problem: Problem, source: FindingSource, exchange: Exchange): void;
  /** Records the problems of a response, each cause with the smallest request that shows it. */
  recordProblems(tried: Case, outcome: Outcome): Promise<void>;
  /** Reports that a request ended the server. A later report of the same request replaces the first. */
  reportServerEnd(problem: Problem, source: Case, reproduction: Reproduction): void;
  /** Drops the findings about requests that had no response because an earlier one had ended the server. */
  dropUnanswered(requests: ReadonlySet<WireRequest>): void;
  isKnown(problem: Problem, operation: Operation, status: number): boolean;
  /** Adds a sentence to the report, once for each key. */
  note(key: string, sentence: string): void;
}

/** Work that stops at the limit of an operation and goes on later. */
export interface Aside {
  /** Does some work after the work that has become due. Work that could not send all that it wanted is done again later. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** Waits for the work that is left: nothing else is left to do. */
  finish(): Promise<void>;
}

/** The parts of one run, and what they know. */
export interface ContractRun {
  readonly options: ResolvedOptions;
  /** The operations that can be sent. */
  readonly operations: readonly Operation[];
  readonly context: CallContext;
  /** Judges what requests may do to things that were there before the run. */
  readonly harm: HarmGuard;
  readonly log: ExchangeLog;
  readonly coverage: Coverage;
  /** What the server said when it refused valid requests. */
  readonly refusals: RefusalLog;
  /** The tries of a run that explains an operation. */
  readonly tries: TryLog | undefined;
  /** What responses show against the spec, if an overlay is written. */
  readonly observations: RunObservations | undefined;
  /** What responses have shown. */
  readonly shown: ShownMembers;
  /** Why the run does not send an operation, by its id. */
  readonly notSent: Map<string, string>;
  readonly secrets: Redaction;
  readonly client: Client;
  readonly items: Items;
  readonly findings: Findings;
  /** Work that goes on when a limit of the server ends. */
  readonly aside: Aside;
}
