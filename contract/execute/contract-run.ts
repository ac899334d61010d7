import type { Operation } from '../../model/api.js';
import type { Coverage } from '../findings/coverage.js';
import type { Redaction } from '../findings/hide-given-secrets.js';
import type { Occurrence } from '../reproduction/reproduction.js';
import type { CallContext } from '../plan/build-request-values.js';
import type { ExchangeLog } from '../reproduction/exchange-log.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Assertion } from '../expectations/assertion.js';
import type { Told } from '../expect.js';
import type { Call, Case, CheckName, Exchange, Outcome, Phase, Problem } from '../types.js';
import type { Sender } from './http/request-sender.js';

/** A case that was sent, and its outcome. */
export interface SentCase {
  readonly tried: Case;
  readonly outcome: Outcome;
}

/** One run, as checks and reproductions see it: sends cases, checks responses, and keeps knowledge and findings. */
export interface ContractRun {
  readonly options: ResolvedOptions;
  readonly sender: Sender;
  readonly coverage: Coverage;
  readonly context: CallContext;
  readonly log: ExchangeLog;
  readonly secrets: Redaction;
  /** The operations that can be sent. */
  readonly operations: readonly Operation[];
  /** Sends a case, checks the response and keeps the problems found; `undefined` if HTTP cannot send it. */
  try(tried: Case): Promise<Exchange | undefined>;
  /** Sends a valid call in the phase `stateful`, like `try`. */
  tryValid(call: Call): Promise<Exchange | undefined>;
  /** Sends a case and checks the response, without keeping the problems found. */
  send(tried: Case): Promise<Outcome | undefined>;
  /**
   * Sends cases concurrently, up to the option `concurrency`, and checks the responses in the order of the cases,
   * without keeping the problems found. Cases that HTTP cannot send are left out.
   */
  sendTogether(cases: readonly Case[]): Promise<readonly SentCase[]>;
  /** Runs some work each time a request has been sent, until other work replaces it. It must not need the server. */
  workMeanwhile(work: () => void): void;
  /** Keeps the problems of a response, each cause with the smallest request that shows it. */
  keep(tried: Case, outcome: Outcome): Promise<void>;
  /** Keeps a problem that was found by a check of more than one request. */
  report(problem: Problem, tried: Occurrence, exchange: Exchange): void;
  /** Reports a finding if responses are not as a check expects. Returns whether they are. */
  expect(check: CheckName, assertion: Assertion, told: Told): boolean;
  /** Adds a sentence to the report, once for each key. */
  note(key: string, sentence: string): void;
  isKnown(problem: Problem, operation: Operation, status: number): boolean;
  /**
   * Returns a valid call that the server is known to accept, with ids of existing items. If it accepts none that can be
   * generated, returns the fullest one.
   */
  base(operation: Operation, phase: Phase): Promise<Call | undefined>;
  /** Finds a call of an operation that works, if none is known yet. */
  findBase(operation: Operation, phase: Phase): Promise<void>;
  /**
   * Returns the same call with ids of existing items: an earlier call may have deleted the item or changed its state.
   */
  ready(call: Call, phase: Phase): Promise<Call>;
}
