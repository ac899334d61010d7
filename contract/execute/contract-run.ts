import type { Operation } from '../../model/api.js';
import type { Coverage } from '../findings/coverage.js';
import type { Redaction } from '../findings/redaction.js';
import type { Sighting } from '../reproduction/reproduction.js';
import type { CallContext } from '../plan/build-request-values.js';
import type { ExchangeLog } from '../reproduction/exchange-log.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Call, Case, Exchange, Outcome, Phase, Problem } from '../types.js';
import type { Sender } from './http/request-sender.js';

/** A case that was sent, and what came of it. */
export interface SentCase {
  readonly tried: Case;
  readonly outcome: Outcome;
}

/** One run, as checks and reproductions see it: sends cases, checks responses, keeps what it learns and finds. */
export interface ContractRun {
  readonly options: ResolvedOptions;
  readonly sender: Sender;
  readonly coverage: Coverage;
  readonly context: CallContext;
  readonly log: ExchangeLog;
  readonly secrets: Redaction;
  /** The operations that can be sent at all. */
  readonly operations: readonly Operation[];
  /** Sends a case, checks the response, and keeps what is found; `undefined` where HTTP cannot send it. */
  try(tried: Case): Promise<Exchange | undefined>;
  /** Tries a valid call of the phase `stateful`. */
  tryValid(call: Call): Promise<Exchange | undefined>;
  /** Sends a case and checks the response, without keeping what is found. */
  send(tried: Case): Promise<Outcome | undefined>;
  /**
   * Sends cases side by side, as far as the option `concurrency` allows, and checks the responses in the order of the
   * cases, without keeping what is found. Those that HTTP cannot send are left out.
   */
  sendTogether(cases: readonly Case[]): Promise<readonly SentCase[]>;
  /** Has some work done each time a request has left, until there is other work. It must need nothing from the server. */
  workMeanwhile(work: () => void): void;
  /** Keeps what is wrong with a response, each cause with the smallest request that shows it. */
  keep(tried: Case, outcome: Outcome): Promise<void>;
  /** Keeps a problem that was seen by a check of more than one request. */
  report(problem: Problem, tried: Sighting, exchange: Exchange): void;
  isKnown(problem: Problem, operation: Operation, status: number): boolean;
  /**
   * A valid call that the server is known to accept, with ids that are there now. Where it accepts none that can be made
   * up, the fullest one.
   */
  base(operation: Operation, phase: Phase): Promise<Call | undefined>;
  /** Finds out which call of an operation works, where that is not known yet. */
  findBase(operation: Operation, phase: Phase): Promise<void>;
  /** The same call with ids that are there now: a call before it may have taken the item away, or changed its state. */
  ready(call: Call, phase: Phase): Promise<Call>;
}
