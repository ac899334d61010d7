import type { Severity } from '../../reports/contract/contract-report.js';
import type { Assertion } from '../expectations/assertion.js';
import type { CheckName, Exchange } from '../types.js';

/** What a check says of a problem. */
export interface ProblemText {
  /** Identifies the cause within its check, operation and status. */
  readonly cause?: string;
  readonly pointer?: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Default: that of the check. */
  readonly severity?: Severity;
  /** The rule of the spec that does not hold. */
  readonly rule?: RuleName;
}

/** A rule of a schema, or of what contains it. */
export interface RuleName {
  /** A keyword, or the part of a request or response: `json`, `content type`. */
  readonly keyword: string;
  /** The member that is missing or unknown. */
  readonly member?: string;
}

/** A problem that a check reports. */
export interface Problem extends ProblemText {
  readonly check: CheckName;
  readonly cause: string;
  readonly pointer: string;
  /** What the check expects, if one response shows that it does not hold. */
  readonly assertion?: Assertion;
}

/** The request of a case, and the problems of its response. */
export interface Outcome {
  readonly exchange: Exchange;
  readonly problems: readonly Problem[];
}

/** Returns a problem with its texts shortened for a report. */
export function problem(check: CheckName, texts: ProblemText): Problem {
  const { cause = '', pointer = '', message, expected, actual, severity, rule } = texts;
  const told = { check, cause, pointer, message, expected, actual: shorten(actual) };
  return { ...told, ...(severity === undefined ? {} : { severity }), ...(rule === undefined ? {} : { rule }) };
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} … (${text.length} characters)` : text;
}
