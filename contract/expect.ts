import type { Operation } from '../model/api.js';
import { withoutUndefined } from '../model/document/records.js';
import type { Assertion, Evidence } from './expectations/assertion.js';
import { exchangesOf, holds } from './expectations/kinds.js';
import { type UnmetText, unmet } from './expectations/unmet.js';
import type { ExchangeLog } from './reproduction/exchange-log.js';
import type { Fill, FindingSource } from './reproduction/reproduction.js';
import type { CheckName, Exchange, Phase } from './types.js';
import type { Problem } from './checks/problem.js';

/** What a check says about its expectation of several responses. */
export interface Told extends UnmetText {
  /** The response that the finding is about. Default: the last one that the expectation looks at. */
  readonly at?: Exchange;
  /** The operation that the finding is about. Default: that of `at`. */
  readonly operation?: Operation | undefined;
  /** Default: `stateful`. */
  readonly phase?: Phase;
  /** Exchanges that are needed besides those of the expectation. */
  readonly others?: readonly Exchange[];
  /** Searches for more of them if the expectation does not hold. */
  readonly findOthers?: () => readonly Exchange[];
  /** Exchanges that may matter. */
  readonly spare?: readonly Exchange[];
  /** Values that the request of `at` takes from others. */
  readonly fills?: readonly Fill[];
  /** The milliseconds that a job may take, if the finding is that it takes longer. */
  readonly longestMs?: number;
  /** Exchanges whose requests were sent at the same time, if the finding needs that. */
  readonly together?: readonly Exchange[];
}

interface ExpectContext {
  readonly log: ExchangeLog;
  /** Takes the finding if an expectation does not hold. */
  readonly findings: {
    readonly report: (problem: Problem, source: FindingSource, exchange: Exchange) => void;
  };
}

/**
 * The one way for a check to speak: states what it expects of responses. If that does not hold, a finding is reported;
 * its requests are minimised and its test is printed from the same statement.
 *
 * @returns whether the expectation holds.
 */
export function expectThat(
  { log, findings }: ExpectContext,
  check: CheckName,
  assertion: Assertion,
  told: Told,
): boolean {
  const evidence: Evidence = { responseTo: (key) => key, callOf: (key) => log.find(key)?.sent.call };
  if (holds(assertion, evidence)) return true;
  const { operation, spare = [], phase = 'stateful', longestMs, fills, together } = told;
  const at = told.at ?? lastOf(exchangesOf(assertion), log);
  const call = at === undefined ? undefined : log.find(at)?.sent.call;
  const about = operation ?? call?.operation;
  if (at === undefined || about === undefined) throw new Error('An expectation looks at a response of the run.');
  const found = unmet(check, assertion, evidence, told);
  const others = [...(told.others ?? []), ...(told.findOthers?.() ?? [])];
  const optional = withoutUndefined({ longestMs, fills, together });
  findings.report(found, { call: { operation: about }, phase, assertion, others, spare, ...optional }, at);
  return false;
}

function lastOf(exchanges: readonly Exchange[], log: ExchangeLog): Exchange | undefined {
  const numberOf = (exchange: Exchange): number => log.find(exchange)?.number ?? -1;
  return exchanges.toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1);
}
